/* base/error: the first message wins; the table of statuses is consistent. */
#include "base/error.h"
#include "tests/tap.h"

#include <string.h>

static void test_first_wins(void)
{
    struct mu_error err = {0};
    CHECK(mu_fail(&err, MU_IO, "file %d", 7) == MU_IO && err.status == MU_IO && strcmp(err.message, "file 7") == 0,
          "a failure is recorded");
    CHECK(mu_fail(&err, MU_DEVICE, "later") == MU_IO && strcmp(err.message, "file 7") == 0, "the first message wins");
    CHECK(mu_fail(NULL, MU_WRONG, "nowhere") == MU_WRONG, "no place for a message");
    struct mu_error full = {0};
    mu_fail(&full, MU_BUILD, "%3000s", "x");
    CHECK(strlen(full.message) == sizeof full.message - 1, "a long message is cut, and ends");
}

/* Messages quote files, drivers and names of files. */
static void test_plain(void)
{
    static const struct {
        const char *from, *to;
    } texts[] = {{"a\033[2Jb\177", "a?[2Jb?"},
                 {"near '\302\2332J'", "near '??2J'"},
                 {"two\n\tlines", "two\n\tlines"},
                 {"\303\244 \342\202\254 \360\237\230\200 \302\240", "\303\244 \342\202\254 \360\237\230\200 \302\240"},
                 {"a\342\200\256b \342\200\250c\342\201\246 \330\234", "a???b ???c??? ??"},
                 {"\342\200\247\342\200\257", "\342\200\247\342\200\257"},
                 {"\303", "?"},
                 {"\342\202", "??"},
                 {"\360\237\230x", "???x"},
                 {"\300\200 \340\200\200 \355\240\200 \364\220\200\200 \377", "?? ??? ??? ???? ?"}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct mu_error err = {0};
        mu_fail(&err, MU_INPUT, "%s", texts[i].from);
        CHECK(strcmp(err.message, texts[i].to) == 0, "no message steers a terminal, all are UTF-8: %zu", i);
    }
    struct mu_error cut = {0};
    char text[sizeof cut.message + 8];
    memset(text, 'x', sizeof text);
    memcpy(text + sizeof cut.message - 2, "\303\244", 3);
    mu_fail(&cut, MU_INPUT, "%s", text);
    CHECK(cut.message[sizeof cut.message - 2] == '?', "nor is a character cut in two");
}

/* What the man page tells of exit codes, and doc/results-format.md of outcomes, written down a second time: a row that
 * changes in one place only is noticed. */
static const struct {
    const char *name;
    int value, exit_code;
    const char *outcome;
} rows[] = {
    {"OK", MU_OK, 0, "ok"},
    {"WRONG", MU_WRONG, 1, "wrong"},
    {"USAGE", MU_USAGE, 2, "usage"},
    {"INPUT", MU_INPUT, 2, "bad-input"},
    {"IO", MU_IO, 2, "io-error"},
    {"NO_MEMORY", MU_NO_MEMORY, 3, "out-of-memory"},
    {"DEVICE", MU_DEVICE, 3, "device-error"},
    {"BUILD", MU_BUILD, 3, "build-failed"},
    {"UNSUPPORTED", MU_UNSUPPORTED, 3, "unsupported"},
    {"DEADLOCK", MU_DEADLOCK, 4, "deadlock"},
    {"DEADLINE", MU_DEADLINE, 4, "deadline"},
    {"CRASH", MU_CRASH, 3, "crash"},
    {"LIMIT", MU_LIMIT, 3, "limit"},
    {"INTERRUPTED", MU_INTERRUPTED, 130, "interrupted"},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static void test_table(void)
{
#define MU_COUNT(name, value, text, exit_code, outcome) +1
    CHECK(ROWS == 0 MU_STATUS_TABLE(MU_COUNT), "every status is tested");
    for (int i = 0; i < ROWS; i++) {
        const char *text = mu_status_text(rows[i].value);
        CHECK(text[0] != '\0' && strcmp(text, "unknown status") != 0, "MU_%s has a text: %s", rows[i].name, text);
        CHECK(mu_status_exit_code(rows[i].value) == rows[i].exit_code, "MU_%s: exit code %d", rows[i].name,
              rows[i].exit_code);
        CHECK(strcmp(mu_status_outcome(rows[i].value), rows[i].outcome) == 0, "MU_%s: outcome %s", rows[i].name,
              rows[i].outcome);
        CHECK(mu_outcome_status(mu_status_outcome(rows[i].value)) == rows[i].value,
              "MU_%s: from status to outcome '%s' and back", rows[i].name, rows[i].outcome);
        bool alone = true;
        for (int j = 0; j < i; j++)
            alone &= rows[j].value != rows[i].value && strcmp(rows[j].outcome, rows[i].outcome) != 0;
        CHECK(alone && (rows[i].value == MU_OK || rows[i].value < 0), "MU_%s: value and outcome are its own",
              rows[i].name);
    }
    CHECK(strcmp(mu_status_text(1), "unknown status") == 0 && mu_status_exit_code(-99) == 3, "an unknown status");
    CHECK(mu_outcome_status("nonsense") == MU_CRASH && mu_outcome_status("") == MU_CRASH, "an unknown outcome");
}

static void test_exit_codes(void)
{
    CHECK(mu_status_exit_code(MU_OK) == 0 && mu_status_exit_code(MU_WRONG) == 1, "0: ok, 1: wrong");
    CHECK(mu_status_exit_code(MU_USAGE) == 2 && mu_status_exit_code(MU_INPUT) == 2, "2: usage or input");
    CHECK(mu_status_exit_code(MU_DEVICE) == 3 && mu_status_exit_code(MU_BUILD) == 3, "3: device or build");
    CHECK(mu_status_exit_code(MU_DEADLOCK) == 4 && mu_status_exit_code(MU_DEADLINE) == 4, "4: deadlock or deadline");
}

int main(void)
{
    test_first_wins();
    test_plain();
    test_table();
    test_exit_codes();
    CHECK(mu_status_worse(MU_OK, MU_OK) == MU_OK && mu_status_worse(MU_OK, MU_UNSUPPORTED) == MU_UNSUPPORTED &&
              mu_status_worse(MU_UNSUPPORTED, MU_OK) == MU_UNSUPPORTED,
          "any failure is worse than none");
    CHECK(mu_status_worse(MU_DEADLOCK, MU_WRONG) == MU_WRONG && mu_status_worse(MU_WRONG, MU_CRASH) == MU_WRONG &&
              mu_status_worse(MU_UNSUPPORTED, MU_DEADLINE) == MU_DEADLINE,
          "a wrong result is worse than a crash or a deadlock, and these than a device that lacks something");
    CHECK(mu_outcome_status(NULL) == MU_CRASH, "no outcome is a crash's");
    return tap_done();
}
