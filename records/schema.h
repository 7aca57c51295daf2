/* What a record is: one JSON object, one line of a file of results. doc/results-format.md says what its members mean,
 * doc/record.schema.json which it may have. */
#ifndef MU_RECORDS_SCHEMA_H
#define MU_RECORDS_SCHEMA_H

#include "base/json.h"

#include <stdbool.h>

enum {
    MU_RECORD_SCHEMA = 4 /* what this program writes and reads */
};

/* What "clock" is in a record of a run: its samples are from the host's wish to run until it knows that the run has
 * ended well. Some published records have MU_CLOCK_BEFORE, from the launch until the device has finished. */
#define MU_CLOCK        "run"
#define MU_CLOCK_BEFORE "launch"

/* Returns the kind of a record: "run", which a record without a kind is, "measure", "tune", or the kind of a survey
 * such as "probe". */
const char *mu_record_kind(const json_t *record);

/* Returns the device's model; "" for none. */
const char *mu_record_device(const json_t *record);

/* Returns true if the record is of a run: of kind run, measure or tune. */
bool mu_record_is_run(const json_t *record);

/* Checks that readers can use the record of a run. It has texts app, input, variant, chip and outcome; its samples, if
 * any, are positive numbers; and its schema, if it tells one, is this program's. MU_INPUT with file and line
 * otherwise. */
int mu_record_check(const json_t *record, const char *path, size_t line, struct mu_error *err);

/* Checks that the schema of a record of any kind, if it tells one, is this program's. MU_INPUT with file and line
 * otherwise. */
int mu_record_check_schema(const json_t *record, const char *path, size_t line, struct mu_error *err);

#endif
