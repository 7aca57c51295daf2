#include "base/user/junit.h"

#include "base/memory.h"
#include "base/sink.h"

#include <stdio.h>
#include <string.h>

static void append(struct mu_junit *junit, const char *text, size_t bytes)
{
    if (junit->err.status != MU_OK) return;
    if (junit->bytes + bytes + 1 > junit->room) {
        const size_t room = 2 * junit->room + bytes + 1024;
        if (mu_resize((void **)&junit->cases, room, 1, "test results", &junit->err) != MU_OK) return;
        junit->room = room;
    }
    memcpy(junit->cases + junit->bytes, text, bytes);
    junit->bytes += bytes;
    junit->cases[junit->bytes] = '\0';
}

static void append_text(struct mu_junit *junit, const char *text)
{
    append(junit, text, strlen(text));
}

/* Appends an attribute with its value. Bytes of UTF-8 are copied; control characters, which XML 1.0 cannot hold, are
 * replaced. */
static void append_attribute(struct mu_junit *junit, const char *name, const char *value)
{
    static const struct {
        char character;
        const char *replacement;
    } escapes[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\n', "&#10;"}, {'\t', "&#9;"}};
    append_text(junit, " ");
    append_text(junit, name);
    append_text(junit, "=\"");
    for (; *value != '\0'; value++) {
        size_t i = 0;
        while (i < sizeof escapes / sizeof escapes[0] && escapes[i].character != *value) i++;
        if (i < sizeof escapes / sizeof escapes[0])
            append_text(junit, escapes[i].replacement);
        else
            append(junit, (unsigned char)*value < ' ' || *value == 0x7f ? "?" : value, 1);
    }
    append_text(junit, "\"");
}

void mu_junit_add(struct mu_junit *junit, const struct mu_junit_case *test)
{
    static const char *const elements[MU_JUNIT_RESULTS] = {"", "failure", "error", "skipped"};
    char seconds[40];
    junit->counts[test->result]++;
    append_text(junit, "  <testcase");
    append_attribute(junit, "classname", test->suite);
    append_attribute(junit, "name", test->name);
    snprintf(seconds, sizeof seconds, "%.9f", test->seconds);
    if (test->seconds > 0) append_attribute(junit, "time", seconds);
    if (test->result == MU_JUNIT_PASSED) {
        append_text(junit, "/>\n");
        return;
    }
    append_text(junit, "><");
    append_text(junit, elements[test->result]);
    append_attribute(junit, "message", test->message != NULL ? test->message : "");
    append_text(junit, "/></testcase>\n");
}

int mu_junit_write(const struct mu_junit *junit, const char *title, const char *path, struct mu_error *err)
{
    struct mu_sink *sink = NULL;
    struct mu_junit head = {0};
    size_t tests = 0;
    char counts[200];
    if (junit->err.status != MU_OK) return mu_fail(err, junit->err.status, "%s", junit->err.message);
    for (int i = 0; i < MU_JUNIT_RESULTS; i++) tests += junit->counts[i];
    snprintf(counts, sizeof counts, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n", tests,
             junit->counts[MU_JUNIT_FAILURE], junit->counts[MU_JUNIT_ERROR], junit->counts[MU_JUNIT_SKIPPED]);
    append_text(&head, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite");
    append_attribute(&head, "name", title);
    append_text(&head, counts);
    if (head.err.status != MU_OK) mu_fail(err, head.err.status, "%s", head.err.message);
    if (head.err.status == MU_OK && mu_sink_open(path, &sink, err) == MU_OK) {
        mu_sink_text(sink, head.cases);
        if (junit->cases != NULL) mu_sink_text(sink, junit->cases);
        mu_sink_text(sink, "</testsuite>\n");
        mu_sink_close(sink, MU_OK, err);
    }
    mu_junit_release(&head);
    return err->status;
}

void mu_junit_release(struct mu_junit *junit)
{
    mu_free(junit->cases);
    *junit = (struct mu_junit){0};
}
