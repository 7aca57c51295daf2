#include "harness/engine/progress.h"

#include "base/number.h"
#include "variants/launch/opencl.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static uint64_t read_clock(const struct mu_progress *progress)
{
    return progress->environment != NULL ? progress->environment->now_ns(progress->environment->context) : mu_now_ns();
}

double mu_progress_elapsed(const struct mu_progress *progress)
{
    return (double)(read_clock(progress) - progress->start_ns) * 1e-9;
}

void mu_progress_start(struct mu_progress *progress, const struct mu_engine_environment *environment, uint32_t planned)
{
    memset(progress, 0, sizeof *progress);
    progress->planned = planned;
    progress->environment = environment;
    progress->start_ns = read_clock(progress);
    progress->verbosity = environment != NULL ? environment->verbosity : MU_USUAL;
    progress->terminal = isatty(STDERR_FILENO) && progress->verbosity >= MU_USUAL;
    progress->costs = mu_json_object();
    progress->outcomes = mu_json_object();
}

void mu_progress_end(struct mu_progress *progress)
{
    mu_progress_clear(progress);
    mu_json_release(&progress->costs);
    mu_json_release(&progress->outcomes);
}

/* ---- What runs cost ---- */

void mu_progress_learn(struct mu_progress *progress, const char *const *groups, double seconds)
{
    for (; *groups != NULL; groups++) {
        const json_t *known = json_object_get(progress->costs.value, *groups);
        const double sum = mu_json_real(known, "sum");
        const uint32_t count = mu_json_count(known, "count");
        mu_json_set(&progress->costs, *groups,
                    json_pack("{s:f, s:I}", "sum", sum + seconds, "count", (json_int_t)count + 1));
    }
}

double mu_progress_expect(const struct mu_progress *progress, const char *const *groups, double otherwise)
{
    double seconds = otherwise;
    for (; *groups != NULL; groups++) {
        const json_t *known = json_object_get(progress->costs.value, *groups);
        const uint32_t count = mu_json_count(known, "count");
        if (count > 0) seconds = mu_json_real(known, "sum") / count;
    }
    return seconds;
}

/* ---- What is shown ---- */

void mu_progress_duration(double seconds, char *text, size_t bytes)
{
    const unsigned long long whole = seconds > 0 ? (unsigned long long)(seconds + 0.5) : 0;
    if (whole >= 3600)
        snprintf(text, bytes, "%llu:%02llu:%02llu", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(text, bytes, "%llu:%02llu", whole / 60, whole % 60);
}

/* Writes the outcomes so far: "ok 12, wrong 1". */
static void list_outcomes(const struct mu_progress *progress, char *text, size_t bytes)
{
    const char *outcome;
    json_t *count;
    size_t used = 0;
    text[0] = '\0';
    json_object_foreach (progress->outcomes.value, outcome, count) {
        const int added = snprintf(text + used, bytes - used, "%s%s %lld", used != 0 ? ", " : "", outcome,
                                   (long long)json_integer_value(count));
        if (added < 0 || (size_t)added >= bytes - used) return;
        used += (size_t)added;
    }
}

/* Returns how many characters fit into a line of the terminal; 79 if it does not say. */
static int columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col - 1 : 79;
}

/* Printed instead of a time to go that would be a guess. */
#define NOT_YET "how long is known after a round"

/* Writes a line such as "[3/18] 0:12, about 1:02 to go; ok 2; lonestar/bfs road:150 portable 1/3". If the time to go is
 * negative, what is running takes longer than expected. */
static void format_line(const struct mu_progress *progress, const char *what, double to_go_s, char *line, size_t bytes)
{
    char elapsed[24], left[24], to_go[48] = "longer than expected", outcomes[160];
    mu_progress_duration(mu_progress_elapsed(progress), elapsed, sizeof elapsed);
    mu_progress_duration(to_go_s, left, sizeof left);
    if (to_go_s >= 0) snprintf(to_go, sizeof to_go, "about %s to go", left);
    if (to_go_s <= MU_UNKNOWN_S / 2) snprintf(to_go, sizeof to_go, NOT_YET);
    list_outcomes(progress, outcomes, sizeof outcomes);
    snprintf(line, bytes, "[%u/%u] %s, %s; %s%s%s", progress->done, progress->planned, elapsed, to_go, outcomes,
             outcomes[0] != '\0' ? "; " : "", what);
}

void mu_progress_clear(const struct mu_progress *progress)
{
    if (progress->terminal) fputs("\r\033[K", stderr);
    fflush(stderr);
}

static void show_line(const struct mu_progress *progress, const char *what, double to_go_s)
{
    char line[512];
    format_line(progress, what, to_go_s, line, sizeof line);
    fprintf(stderr, "\r\033[K%.*s", columns(), line);
    fflush(stderr);
}

void mu_progress_show(struct mu_progress *progress, const char *what, double to_go_s)
{
    if (!progress->terminal) return;
    snprintf(progress->shown, sizeof progress->shown, "%s", what);
    progress->shown_to_go_s = to_go_s;
    progress->shown_at_s = mu_progress_elapsed(progress);
    show_line(progress, what, to_go_s);
}

void mu_progress_show_part(struct mu_progress *progress, const char *what, size_t done, size_t count)
{
    const double each_s = done > 0 ? mu_progress_elapsed(progress) / (double)done : 0;
    progress->planned = (uint32_t)count;
    progress->done = (uint32_t)done;
    mu_progress_show(progress, what, done > 0 ? each_s * (double)(count - done) : MU_UNKNOWN_S);
}

void mu_progress_tell(void *context, const char *doing, double seconds)
{
    const struct mu_progress *progress = context;
    char what[320];
    const double passed_s = mu_progress_elapsed(progress) - progress->shown_at_s;
    if (!progress->terminal || doing == NULL) return;
    snprintf(what, sizeof what, "%s: %.0f s of %s", progress->shown, seconds, doing);
    show_line(progress, what, progress->shown_to_go_s - passed_s);
}

void mu_progress_done(struct mu_progress *progress, uint32_t runs, const char *what, const char *outcome,
                      double to_go_s)
{
    char line[512];
    progress->done += runs;
    mu_json_set_number(&progress->outcomes, outcome, mu_json_number(progress->outcomes.value, outcome) + runs);
    const bool shows_all = progress->verbosity >= (progress->terminal ? MU_VERBOSE : MU_USUAL);
    if (!shows_all && strcmp(outcome, "ok") == 0) return;
    format_line(progress, what, to_go_s, line, sizeof line);
    mu_progress_clear(progress);
    fprintf(stderr, "%s: %s\n", line, outcome);
    fflush(stderr);
}

/* ---- Reading it back ---- */

/* Moves *at behind `text` and returns true if that stands there. */
static bool take_text(const char **at, const char *text)
{
    const size_t length = strlen(text);
    if (strncmp(*at, text, length) != 0) return false;
    *at += length;
    return true;
}

/* Reads a number of at most eleven digits and moves *at behind it. */
static bool take_number(const char **at, uint64_t *value)
{
    char digits[12];
    const size_t length = strspn(*at, "0123456789");
    if (length == 0 || length >= sizeof digits) return false;
    memcpy(digits, *at, length);
    digits[length] = '\0';
    *at += length;
    return mu_number_whole(digits, 0, UINT32_MAX, value);
}

/* Reads "1:02:03" or "4:05", as mu_progress_duration writes it, and moves *at behind it. */
static bool take_duration(const char **at, double *seconds)
{
    uint64_t part = 0;
    unsigned parts = 1;
    if (!take_number(at, &part)) return false;
    *seconds = (double)part;
    for (; take_text(at, ":"); parts++) {
        if (!take_number(at, &part)) return false;
        *seconds = 60 * *seconds + (double)part;
    }
    return parts == 2 || parts == 3;
}

bool mu_progress_read(char *line, struct mu_progress_line *read)
{
    const char *at = line;
    uint64_t done = 0, planned = 0;
    double elapsed_s = 0;
    if (!take_text(&at, "[") || !take_number(&at, &done) || !take_text(&at, "/") || !take_number(&at, &planned) ||
        !take_text(&at, "] ") || !take_duration(&at, &elapsed_s))
        return false;
    read->to_go_s = MU_UNKNOWN_S;
    if (!take_text(&at, ", " NOT_YET "; ") &&
        (!take_text(&at, ", about ") || !take_duration(&at, &read->to_go_s) || !take_text(&at, " to go; ")))
        return false;
    char *outcomes = strstr(line + (at - line), "; "), *outcome = NULL;
    if (outcomes == NULL) return false;
    /* The name of what ran may contain a colon, an outcome does not: so the last colon counts. */
    for (char *colon = strstr(outcomes, ": "); colon != NULL; colon = strstr(colon + 1, ": ")) outcome = colon;
    if (outcome == NULL) return false;
    *outcome = '\0';
    read->done = (uint32_t)done;
    read->planned = (uint32_t)planned;
    read->what = outcomes + 2;
    read->outcome = outcome + 2;
    return true;
}
