/* What was known before: the verdicts of a baseline, and waivers for refutations that are accepted. */
#include "harness/conform/conform.h"

#include "base/files/stream.h"
#include "base/memory.h"
#include "harness/device/chip_name.h"
#include "records/measurements.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- The baseline ---- */

static bool is_verdict(const char *name)
{
    for (size_t i = 0; i < MU_CONFORM_VERDICTS_COUNT; i++)
        if (strcmp(mu_conform_verdict_names[i], name) == 0) return true;
    return false;
}

/* Returns true if `name` names the same model of device. Chip names are compared, because some versions of a driver put
 * further words before a CPU's name. */
static bool is_model(const struct mu_device_info *info, const char *name)
{
    struct mu_device_info other = *info;
    char ours[sizeof other.chip], theirs[sizeof other.chip];
    snprintf(other.name, sizeof other.name, "%s", name);
    mu_chip_name(info, ours, sizeof ours);
    mu_chip_name(&other, theirs, sizeof theirs);
    return strcmp(ours, theirs) == 0;
}

/* Fails with MU_USAGE if a record is of another model of device. */
static int refuse_other(const struct mu_conform *conform, const char *path, const json_t *record, struct mu_error *err)
{
    const json_t *device = json_object_get(record, "device");
    if (is_model(conform->info, mu_json_text(device, "name")) && mu_json_is(device, "vendor", conform->info->vendor))
        return MU_OK;
    return mu_fail(err, MU_USAGE, "%s is of %s, and says nothing of %s", path,
                   mu_json_text_or(device, "name", "no device"), conform->info->name);
}

/* Finds the baseline's set of times ("FILE@LABEL"): where it was measured, or, if that file is gone, under the same
 * name beside the baseline's file. */
static int take_times(struct mu_conform *conform, const char *path, const char *set, struct mu_error *err)
{
    const char *end = strrchr(set, '@'), *slash = strrchr(path, '/');
    char *there = end != NULL ? mu_format(err, "%.*s", (int)(end - set), set) : NULL;
    if (there != NULL) {
        const char *name = strrchr(there, '/') != NULL ? strrchr(there, '/') + 1 : there;
        const int folder = slash != NULL ? (int)(slash - path) : 1;
        const bool moved = access(there, R_OK) != 0;
        const int length = moved ? snprintf(conform->baseline_times, sizeof conform->baseline_times, "%.*s/%s%s",
                                            folder, slash != NULL ? path : ".", name, end)
                                 : snprintf(conform->baseline_times, sizeof conform->baseline_times, "%s", set);
        if (length < 0 || (size_t)length >= sizeof conform->baseline_times)
            mu_fail(err, MU_LIMIT, "%s: the path of its times is too long", path);
    }
    mu_free(there);
    return err->status;
}

/* Reads the verdicts that `conform --json` printed. */
static int take_verdicts(struct mu_conform *conform, const char *path, const json_t *printed, struct mu_error *err)
{
    size_t i;
    json_t *statement;
    struct mu_json known = mu_json_object();
    if (refuse_other(conform, path, printed, err) != MU_OK) return err->status;
    json_array_foreach (json_object_get(printed, "statements"), i, statement) {
        const char *name = mu_json_text(statement, "name"), *verdict = mu_json_text(statement, "verdict");
        if (name[0] == '\0' || !is_verdict(verdict)) {
            mu_json_release(&known);
            return mu_fail(err, MU_INPUT, "%s: statement %zu has no name, or no verdict that there is", path, i + 1);
        }
        mu_json_set_text(&known, name, verdict);
    }
    conform->known = mu_json_take(&known, "a baseline", err);
    return take_times(conform, path, mu_json_text(json_object_get(printed, "times"), "set"), err);
}

/* Judges a file of measurements to get verdicts. The first statement, the self-test, is left out, since measurements do
 * not contain it. */
static int judge_measurements(struct mu_conform *conform, const char *path, struct mu_error *err)
{
    struct mu_json known = mu_json_object();
    struct mu_conform before = {.info = conform->info, .selftest = conform->selftest};
    if (mu_measurements_load(path, NULL, NULL, &before.measurements, err) != MU_OK) return err->status;
    const json_t *first = json_array_get(before.measurements, 0);
    if (first == NULL || !mu_json_is(first, "kind", "conform"))
        mu_fail(err, MU_INPUT, "%s has no verdicts and no measurements of muster conform", path);
    else if (refuse_other(conform, path, first, err) == MU_OK)
        mu_conform_judge(&before, err);
    for (size_t i = 1; i < before.count && err->status == MU_OK; i++)
        mu_json_set_text(&known, before.statements[i].name, mu_conform_verdict_names[before.statements[i].verdict]);
    if (err->status == MU_OK) conform->known = mu_json_take(&known, "a baseline", err);
    mu_json_release(&known);
    mu_conform_release(&before);
    return err->status;
}

static int read_file(struct mu_conform *conform, const char *path, struct mu_error *err)
{
    struct mu_source source = {0};
    if (mu_source_read(path, &source, err) == MU_OK) {
        json_t *printed = json_loadb((const char *)source.bytes, source.size, 0, NULL);
        if (json_is_array(json_object_get(printed, "statements")) && mu_json_is(printed, "kind", "conform"))
            take_verdicts(conform, path, printed, err);
        else
            judge_measurements(conform, path, err);
        json_decref(printed);
    }
    mu_source_release(&source);
    return err->status;
}

int mu_conform_read_baseline(struct mu_conform *conform, const char *path, struct mu_error *err)
{
    static const char *const files[] = {MU_CONFORM_VERDICTS, MU_CONFORM_FILE};
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)) return read_file(conform, path, err);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char *file = mu_format(err, "%s/%s", path, files[i]);
        const bool is_there = file != NULL && access(file, R_OK) == 0;
        if (is_there) read_file(conform, file, err);
        mu_free(file);
        if (is_there || err->status != MU_OK) return err->status;
    }
    return mu_fail(err, MU_INPUT, "%s has neither %s nor %s", path, files[0], files[1]);
}

/* ---- Waivers ---- */

#define DATE_LENGTH 10 /* "2027-03-31" */

/* Returns true if the word has the form YYYY-MM-DD. */
static bool is_date(const char *word, size_t length)
{
    static const char form[] = "dddd-dd-dd";
    bool is = length == DATE_LENGTH;
    for (size_t i = 0; is && i < DATE_LENGTH; i++)
        is = form[i] == 'd' ? isdigit((unsigned char)word[i]) != 0 : word[i] == form[i];
    return is;
}

/* Returns true if the word is meant as a date, four digits and two more numbers, but is none: 2027-3-31, 2027-31-03. */
static bool is_bad_date(const char *word, size_t length)
{
    static const char digits[] = "0123456789";
    size_t dashes = 0;
    if (strspn(word, digits) != 4 || strspn(word, "0123456789-") != length) return false;
    for (size_t i = 0; i < length; i++) dashes += word[i] == '-';
    if (dashes != 2 || !is_date(word, length)) return dashes == 2;
    const int month = 10 * (word[5] - '0') + word[6] - '0', day = 10 * (word[8] - '0') + word[9] - '0';
    return month < 1 || month > 12 || day < 1 || day > 31;
}

/* Cuts the first word off a line and returns its length, 0 at the end of the line. */
static size_t next_word(char **line, char **word)
{
    *word = *line + strspn(*line, " \t\r");
    const size_t length = strcspn(*word, " \t\r");
    *line = *word + length;
    if (**line != '\0') *(*line)++ = '\0';
    return length;
}

struct waiver_reader {
    struct mu_json waivers;
    const char *path, *today;
    size_t line;
    FILE *notes;
};

/* Reads one line of a file of waivers. Empty lines and comments (#) are skipped. */
static int take_waiver(struct waiver_reader *reader, char *line, struct mu_error *err)
{
    char *test, *end = NULL, *rest = line;
    reader->line++;
    if (next_word(&rest, &test) == 0 || test[0] == '#') return MU_OK;
    rest += strspn(rest, " \t\r");
    const size_t length = strcspn(rest, " \t\r");
    if (is_bad_date(rest, length))
        return mu_fail(err, MU_INPUT, "%s:%zu: %.*s is no date YYYY-MM-DD", reader->path, reader->line, (int)length,
                       rest);
    if (is_date(rest, length)) next_word(&rest, &end);
    rest += strspn(rest, " \t\r");
    rest[strcspn(rest, "\r")] = '\0';
    if (rest[0] == '\0')
        return mu_fail(err, MU_INPUT, "%s:%zu: a waiver of %.60s without a reason: TEST [YYYY-MM-DD] REASON",
                       reader->path, reader->line, test);
    if (end != NULL && strncmp(reader->today, end, DATE_LENGTH) > 0)
        fprintf(reader->notes, "muster: %s:%zu: the waiver of %s ended on %s\n", reader->path, reader->line, test, end);
    else
        mu_json_set_text(&reader->waivers, test, rest);
    return MU_OK;
}

int mu_conform_read_waivers(struct mu_conform *conform, const char *path, const char *today, FILE *notes,
                            struct mu_error *err)
{
    struct mu_source source = {0};
    struct waiver_reader reader = {.waivers = mu_json_object(), .path = path, .today = today, .notes = notes};
    mu_source_read(path, &source, err);
    for (char *line = (char *)source.bytes, *next; line != NULL && err->status == MU_OK; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) *next++ = '\0';
        take_waiver(&reader, line, err);
    }
    mu_source_release(&source);
    if (err->status == MU_OK) conform->waivers = mu_json_take(&reader.waivers, "waivers", err);
    mu_json_release(&reader.waivers);
    return err->status;
}

/* ---- What is new ---- */

/* Marks refutations that are not new: the baseline has them or a waiver accepts them. One of a statement that muster
 * does not rely on here is new only if the baseline has tried the statement. */
void mu_conform_mark(struct mu_conform *conform)
{
    const char *pattern;
    json_t *reason;
    for (size_t i = 0; i < conform->count; i++) {
        struct mu_conform_statement *statement = &conform->statements[i];
        statement->baseline = json_string_value(json_object_get(conform->known, statement->name));
        json_object_foreach (conform->waivers, pattern, reason)
            if (mu_conform_matches(pattern, statement->name)) statement->waiver = json_string_value(reason);
        const enum mu_conform_verdict tried = MU_CONFORM_NOT_REFUTED, refuted = MU_CONFORM_REFUTED;
        const char *before = statement->baseline != NULL ? statement->baseline : "";
        statement->is_new = statement->verdict == refuted && statement->waiver == NULL &&
                            strcmp(before, mu_conform_verdict_names[refuted]) != 0 &&
                            (statement->relied || strcmp(before, mu_conform_verdict_names[tried]) == 0);
    }
}
