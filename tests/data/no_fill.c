/* For tests/oclgrind.sh, to be preloaded: buffers stay as they were made. The pattern that muster fills them with would
 * count as a value, and Oclgrind 21.10 loses track of a buffer that is filled piece by piece. Only the few words of the
 * roles that have a protocol, which begin as zeros (apps/app.h), become zeros: by a write. */
#include <stddef.h>

enum { FEW_BYTES = 64, SUCCESS = 0, BLOCKING = 1 };

int clEnqueueWriteBuffer(void *queue, void *buffer, unsigned blocking, size_t offset, size_t bytes, const void *data,
                         unsigned waits, const void *wait, void *event);

int clEnqueueFillBuffer(void *queue, void *buffer, const void *pattern, size_t pattern_bytes, size_t offset,
                        size_t bytes, unsigned waits, const void *wait, void *event)
{
    static const char zeros[FEW_BYTES];
    const char *byte = pattern;
    for (size_t i = 0; i < pattern_bytes; i++)
        if (byte[i] != 0) return SUCCESS;
    if (bytes > FEW_BYTES) return SUCCESS;
    return clEnqueueWriteBuffer(queue, buffer, BLOCKING, offset, bytes, zeros, waits, wait, event);
}
