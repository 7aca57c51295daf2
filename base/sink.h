/* A file being written: it appears under its name only when all of it is on the disk. */
#ifndef MU_BASE_SINK_H
#define MU_BASE_SINK_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct mu_sink;

/* Begins a file. The content goes to a temporary file beside it, so an existing file of that name stays as it is until
 * mu_sink_close; the new file gets its permissions. A name of something that is no regular file (a device, a pipe) is
 * written to directly. Fails with MU_IO or MU_NO_MEMORY. */
int mu_sink_open(const char *path, struct mu_sink **sink, struct mu_error *err);

/* Checks whether a file could be written, before the work for it is done. Leaves no trace. Fails with MU_IO or
 * MU_NO_MEMORY. */
int mu_sink_check(const char *path, struct mu_error *err);

/* Ends a file and frees the sink; accepts NULL. With status MU_OK, everything is flushed to the disk and the file gets
 * its name. If that fails (for example because the disk is full), or with another status, the temporary file is removed
 * and an existing file is untouched. Returns the status given, or MU_IO. */
int mu_sink_close(struct mu_sink *sink, int status, struct mu_error *err);

/* Append to the file. A failure is remembered until mu_sink_close. */
void mu_sink_text(struct mu_sink *sink, const char *text);
void mu_sink_bytes(struct mu_sink *sink, const void *bytes, size_t count);
void mu_sink_number(struct mu_sink *sink, uint64_t number, char after); /* in decimal, then the character */
void mu_sink_u8(struct mu_sink *sink, unsigned char value);
void mu_sink_u32(struct mu_sink *sink, uint32_t value); /* little-endian */
void mu_sink_u64(struct mu_sink *sink, uint64_t value); /* little-endian */

#endif
