/* analysis/study: which processes of a test are of one session, and what follows for its level. */
#include "analysis/study.h"
#include "tests/tap.h"

#include <math.h>

/* What a process of a test says: its sample in ns, when it ended, and its session. */
struct process {
    int sample;
    const char *date, *boot, *day;
    const char *host; /* NULL: h */
};

/* The only measurement of such processes, whose study is released by the caller. */
static const struct mu_measurement *measure(const struct process *processes, int count, struct mu_study *study)
{
    struct mu_error err = {0};
    json_t *records = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(records, json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:[i], s:s, s:{s:s, s:s, s:s}}",
                                                 "schema", 2, "app", "pannotia/mis", "input", "road:9", "variant",
                                                 "portable", "chip", "c", "kind", "measure", "outcome", "ok",
                                                 "samples_ns", processes[i].sample, "date", processes[i].date,
                                                 "session", "host", processes[i].host != NULL ? processes[i].host : "h",
                                                 "boot", processes[i].boot, "date", processes[i].day));
    mu_study_make(records, MU_STUDY_MEASURED, study, &err);
    json_decref(records);
    return err.status == MU_OK && study->count == 1 ? &study->measurements[0] : NULL;
}

/* Sessions are told apart by their boot, day and host; the level of a test in several is one of all of them. */
static void test_days(void)
{
    static const struct process processes[] = {
        {100, "", "b", "1", NULL}, {200, "", "b", "2", NULL}, {400, "", "b", "1", NULL}, {800, "", "b", "3", NULL}};
    struct mu_study study;
    const struct mu_measurement *one = measure(processes, 4, &study);
    CHECK(one != NULL && one->process_count == 4 && one->level.sessions.known == 7, "three sessions of one test");
    CHECK(one != NULL && fabs(exp(one->level.log_value) - cbrt(200.0 * 200 * 800)) < 1e-6,
          "its level is the mean of the sessions'");
    mu_study_release(&study);
}

/* The sessions that the two processes of a test are of, as bits. */
static unsigned sessions_of(const char *first_boot, const struct process *second)
{
    const struct process processes[] = {{100, "2026-11-24T23:50:00Z", first_boot, "2026-11-24", NULL}, *second};
    struct mu_study study;
    const struct mu_measurement *one = measure(processes, 2, &study);
    const unsigned known = one != NULL ? one->level.sessions.known : 0;
    mu_study_release(&study);
    return known;
}

static void test_midnight(void)
{
    static const struct {
        struct process second;
        unsigned sessions;
        const char *what;
    } cases[] = {
        {{100, "2026-11-25T00:49:59Z", "b", "2026-11-25", NULL}, 1, "past midnight a session goes on"},
        {{100, "2026-11-25T00:50:00Z", "b", "2026-11-25", NULL}, 3, "... unless it pauses for an hour"},
        {{100, "2026-11-25T00:10:00Z", "c", "2026-11-25", NULL}, 3, "... or the host has started anew"},
        {{100, "2026-11-25T00:10:00Z", "", "2026-11-25", NULL}, 3, "... or does not tell"},
        {{100, "2026-11-25T00:10:00Z", "b", "2026-11-25", "i"}, 3, "... or it is another host's"},
        {{100, "2026-11-25", "b", "2026-11-25", NULL}, 3, "a date without a time is another day"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK(sessions_of("b", &cases[i].second) == cases[i].sessions, "%s", cases[i].what);
    const struct process silent = {100, "2026-11-25T00:10:00Z", "", "2026-11-25", NULL};
    CHECK(sessions_of("", &silent) == 3, "nor does one go on whose host tells no boot");
}

int main(void)
{
    test_days();
    test_midnight();
    return tap_done();
}
