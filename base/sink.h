/* A file being written: it appears under its name only when all of it is on the disk. */
#ifndef MU_BASE_SINK_H
#define MU_BASE_SINK_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct mu_sink;

/* Begins a file. An existing file of that name stays as it is until mu_sink_close, and its permissions are the new
 * one's; what is written goes to a temporary file beside it. A name that exists and is no regular file (a device, a
 * pipe) is written to directly. MU_IO, MU_NO_MEMORY. */
int mu_sink_open(const char *path, struct mu_sink **sink, struct mu_error *err);

/* Whether a file could be begun, before the work that is to be written there is done. Leaves no trace. MU_IO,
 * MU_NO_MEMORY. */
int mu_sink_check(const char *path, struct mu_error *err);

/* Ends a file. With status MU_OK everything is flushed to the disk and the file gets its name; if that fails (a full
 * disk shows here), or with any other status, the temporary file is removed and an existing file left untouched. Frees
 * the sink; accepts NULL. Returns the status given, or MU_IO. */
int mu_sink_close(struct mu_sink *sink, int status, struct mu_error *err);

/* Appending. A failure is remembered until mu_sink_close. */
void mu_sink_text(struct mu_sink *sink, const char *text);
void mu_sink_bytes(struct mu_sink *sink, const void *bytes, size_t count);
void mu_sink_number(struct mu_sink *sink, uint64_t number, char after); /* in decimal, then the character */
void mu_sink_u8(struct mu_sink *sink, unsigned char value);
void mu_sink_u32(struct mu_sink *sink, uint32_t value); /* little-endian */
void mu_sink_u64(struct mu_sink *sink, uint64_t value); /* little-endian */

#endif
