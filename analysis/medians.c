#include "analysis/medians.h"

#include "analysis/study_private.h"
#include "analysis/tables/common.h"
#include "base/files/stream.h"
#include "base/memory.h"
#include "base/number.h"
#include "records/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define NAME(name, title, look) title,
    MU_MEDIAN_COLUMNS(NAME)
#undef NAME
};

static const char mark[] = " (published medians)";

/* Where the reading of a file is. */
struct reader {
    const char *path;
    size_t line;
    char *at;
    const struct mu_table_request *request;
    struct mu_study *study;
    size_t own; /* measurements of the study that are not from here: they come first */
    struct mu_error *err;
};

static int refuse(struct reader *reader, const char *what, const char *value)
{
    return mu_fail(reader->err, MU_INPUT, "%s:%zu: %s '%s'", reader->path, reader->line, what, value);
}

/* ---- Lines ---- */

/* Takes the next cell of CSV from the line, without its quotation marks; `last` when it ends the line. */
static char *take_cell(struct reader *reader, bool *last)
{
    char *cell = reader->at, *to = cell, *from = cell;
    bool quoted = *from == '"';
    if (quoted) from++;
    while (*from != '\0' && (quoted || (*from != ',' && *from != '\n'))) {
        if (quoted && *from == '"') {
            if (from[1] != '"') {
                quoted = false;
                from++;
                continue;
            }
            from++;
        }
        *to++ = *from++;
    }
    *last = *from != ',';
    reader->at = *from != '\0' ? from + 1 : from;
    *to = '\0';
    return cell;
}

/* Takes the cells of a line, as many as there are columns. */
static int take_line(struct reader *reader, char *cells[MU_MEDIANS_WIDE])
{
    bool last = false;
    reader->line++;
    for (size_t i = 0; i < MU_MEDIANS_WIDE; i++) {
        if (last) return refuse(reader, "there is no cell for", names[i]);
        cells[i] = take_cell(reader, &last);
    }
    return last ? MU_OK : refuse(reader, "there are more cells behind", cells[MU_MEDIANS_WIDE - 1]);
}

/* ---- Measurements ---- */

/* Reads a number of at least `least`; an empty cell is 0. */
static double number(struct reader *reader, char *const cells[], enum mu_median_column column, double least)
{
    double value = 0;
    if (cells[column][0] != '\0' && (!mu_number_real(cells[column], &value) || !(value >= least) || value > 1e18))
        refuse(reader, names[column], cells[column]);
    return value;
}

/* Reads the levels of sessions: "0:TIME 1:TIME". */
static int read_levels(struct reader *reader, char *text, struct mu_by_session *sessions)
{
    for (char *next = NULL, *item = strtok_r(text, " ", &next); item != NULL; item = strtok_r(NULL, " ", &next)) {
        char *colon = strchr(item, ':');
        uint64_t session = 0;
        double time = 0;
        if (colon != NULL) *colon = '\0';
        if (colon == NULL || !mu_number_whole(item, 0, MU_SESSIONS_MAX - 1, &session) ||
            !mu_number_real(colon + 1, &time) || !(time > 0) || time > 1e18)
            return refuse(reader, "no session and its time", item);
        sessions->known |= 1u << session;
        sessions->value[session] = log(time);
    }
    return MU_OK;
}

static int read_level(struct reader *reader, char *const cells[], struct mu_measurement *measurement)
{
    struct mu_level *level = &measurement->level;
    const double time = number(reader, cells, MU_MEDIAN_TIME, 1);
    level->variance = number(reader, cells, MU_MEDIAN_VARIANCE, 0);
    level->df = cells[MU_MEDIAN_DF][0] != '\0' ? number(reader, cells, MU_MEDIAN_DF, 0) : (double)INFINITY;
    level->processes = (size_t)number(reader, cells, MU_MEDIAN_PROCESSES, 0);
    level->samples = (size_t)number(reader, cells, MU_MEDIAN_SAMPLES, 0);
    measurement->has_level = time > 0;
    if (measurement->has_level) level->log_value = log(time);
    return read_levels(reader, cells[MU_MEDIAN_LEVELS], &level->sessions);
}

static const char *keep(struct reader *reader, const char *text)
{
    return mu_words_keep(&reader->study->words, text, reader->err);
}

static int read_measurement(struct reader *reader, char *const cells[], struct mu_measurement *measurement)
{
    char *chip = mu_format(reader->err, "%s%s", cells[MU_MEDIAN_CHIP], mark);
    *measurement = (struct mu_measurement){
        .chip = chip != NULL ? keep(reader, chip) : NULL,
        .plain_chip = keep(reader, cells[MU_MEDIAN_CHIP]),
        .plain_variant = keep(reader, cells[MU_MEDIAN_VARIANT]),
        .variant = keep(reader, cells[MU_MEDIAN_VARIANT]),
        .driver = "",
        .kind = "measure",
        .config = "",
        .device = "",
        .session = "",
        .set = keep(reader, cells[MU_MEDIAN_SET]),
        .clock = keep(reader, cells[MU_MEDIAN_CLOCK]),
        .app = keep(reader, cells[MU_MEDIAN_APP]),
        .input = keep(reader, cells[MU_MEDIAN_INPUT]),
        .options = keep(reader, cells[MU_MEDIAN_OPTIONS]),
        .shown = keep(reader, cells[MU_MEDIAN_SHOWN]),
        .outcome = keep(reader, cells[MU_MEDIAN_OUTCOME]),
        .last_date = keep(reader, cells[MU_MEDIAN_DATE]),
        .commit = keep(reader, cells[MU_MEDIAN_COMMIT]),
        .failed = (size_t)number(reader, cells, MU_MEDIAN_FAILED, 0),
        .record_count = (size_t)number(reader, cells, MU_MEDIAN_RECORDS, 0),
    };
    mu_free(chip);
    return read_level(reader, cells, measurement);
}

/* Returns true if it stands beside something of the study, or the study has nothing. */
static bool is_beside(const struct reader *reader, const struct mu_measurement *measurement)
{
    for (size_t i = 0; i < reader->own; i++) {
        const struct mu_measurement *own = &reader->study->measurements[i];
        if (strcmp(own->set, measurement->set) == 0 && strcmp(own->clock, measurement->clock) == 0) return true;
    }
    return reader->own == 0;
}

static int add(struct reader *reader, const struct mu_measurement *measurement)
{
    struct mu_study *study = reader->study;
    void *measurements = study->measurements;
    if (mu_resize(&measurements, study->count + 1, sizeof *measurement, "medians", reader->err) != MU_OK)
        return reader->err->status;
    study->measurements = measurements;
    study->measurements[study->count++] = *measurement;
    return MU_OK;
}

static int compare(const void *a, const void *b)
{
    return mu_compare_tests(a, b);
}

static int read_lines(struct reader *reader)
{
    char *cells[MU_MEDIANS_WIDE];
    if (take_line(reader, cells) != MU_OK) return reader->err->status;
    for (size_t i = 0; i < MU_MEDIANS_WIDE; i++)
        if (strcmp(cells[i], names[i]) != 0) return refuse(reader, "another column than those here,", cells[i]);
    while (*reader->at != '\0' && reader->err->status == MU_OK) {
        struct mu_measurement measurement;
        if (take_line(reader, cells) == MU_OK && read_measurement(reader, cells, &measurement) == MU_OK &&
            reader->err->status == MU_OK && mu_table_wants(reader->request, &measurement) &&
            is_beside(reader, &measurement))
            add(reader, &measurement);
    }
    return reader->err->status;
}

int mu_medians_read(const char *path, const struct mu_table_request *request, struct mu_study *study,
                    struct mu_error *err)
{
    struct mu_source source = {0};
    if (mu_source_read(path, &source, err) == MU_OK) {
        struct reader reader = {path, 0, (char *)source.bytes, request, study, study->count, err};
        read_lines(&reader);
        if (study->count > 0) qsort(study->measurements, study->count, sizeof *study->measurements, compare);
    }
    mu_source_release(&source);
    return err->status;
}

int mu_medians_add(const struct mu_table_request *request, struct mu_study *study, struct mu_error *err)
{
    char path[PATH_MAX];
    if (err->status != MU_OK || request->set_count != 0 || strcmp(request->root, mu_results_reading_root()) != 0 ||
        !mu_results_medians(path))
        return err->status;
    return mu_medians_read(path, request, study, err);
}

void mu_medians_note(struct mu_grid *grid, const struct mu_study *study)
{
    for (size_t i = 0; i < study->count; i++) {
        const char *chip = study->measurements[i].chip;
        const size_t length = strlen(chip), tail = sizeof mark - 1;
        if (length < tail || strcmp(chip + length - tail, mark) != 0) continue;
        mu_grid_note(grid, "Published medians: of records that are not installed, in the sets and by the clocks that "
                           "your own records have.");
        return;
    }
}
