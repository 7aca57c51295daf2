/* Reading the lines of many records: only those members are made into JSON that somebody wants.
 *
 * A record of a run has some 200 members and is several thousand bytes long, of which a table reads a tenth. A scan
 * checks all of a line, as the JSON parser does, but makes values of the members that it was asked for alone. What it
 * is not sure of it leaves to the parser: texts with escapes or with other characters than those of ASCII, long
 * numbers, deep nesting, objects of very many members, and whatever is no JSON. */
#ifndef MU_RECORDS_SCAN_H
#define MU_RECORDS_SCAN_H

#include "base/error.h"
#include "base/json.h"

#include <stddef.h>
#include <stdint.h>

struct mu_scan;

/* `wanted` names members, and NULL is behind the last: "date", or "device.name" for a member of an object, of which the
 * other members are left out. A member that is wanted so, but is no object, is taken as it is. NULL: all members, as
 * they are. The names must outlive the scan. NULL with MU_NO_MEMORY. */
struct mu_scan *mu_scan_new(const char *const *wanted, struct mu_error *err);

/* Accepts NULL. */
void mu_scan_free(struct mu_scan *scan);

/* Returns the object of a line with the wanted members; the caller's (json_decref). It must not be changed below its
 * first level, since scans of several lines may share what is equal. *content is a hash of all that the line says: the
 * same for lines that differ in order, spaces, or the digits of equal numbers. NULL: ask the parser. */
json_t *mu_scan_line(struct mu_scan *scan, const char *text, size_t bytes, uint64_t *content);

/* Returns the same hash of a value that was parsed. */
uint64_t mu_content_hash(const json_t *value);

#endif
