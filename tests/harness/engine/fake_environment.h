/* An environment without a driver: child processes are a function of the test, the clock moves by what they are said to
 * take, the device's health is a variable, and signals come when the test wants them. */
#ifndef MU_TESTS_FAKE_ENVIRONMENT_H
#define MU_TESTS_FAKE_ENVIRONMENT_H

#include "harness/engine/environment.h"
#include "harness/run/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAKE_CALLS = 512, FAKE_TEXT = 160 };

struct fake_environment {
    /* The child: its response, whose reference is the caller's, or NULL; a status other than MU_OK is the outcome. */
    json_t *(*answer)(struct fake_environment *fake, const json_t *request, int *status);
    uint64_t call_ns;        /* that a call takes */
    uint32_t interrupt_call; /* the call during which a signal comes, from 1; 0: none … */
    uint32_t interrupt_part; /* … once the child has answered so many parts */
    void (*heard)(struct fake_environment *fake, size_t parts); /* after each part that is handed over; NULL: nobody */
    enum mu_trust health;                                       /* what fresh self-tests say … */
    bool steps;                                                 /* … and of single steps */
    struct mu_facts facts;                                      /* for tests that are resolved */
    const void *table;                                          /* of answers, for `answer` */
    uint64_t steal_ns; /* that the host takes of two processors' time during a call */

    uint64_t now_ns, end_ns;
    bool processors_secret; /* the system does not tell what they did */
    struct mu_processor_times processors;
    const void *of;                  /* what `heard` looks at */
    uint32_t missed;                 /* what `heard` did not find */
    uint32_t calls, checks;          /* calls of children, and fresh self-tests */
    char log[FAKE_CALLS][FAKE_TEXT]; /* what each call was for, as `answer` notes it */
    double deadlines[FAKE_CALLS];
};

/* Hands the parts over, those behind a signal left out. */
static int fake_hand_over(struct fake_environment *fake, const struct mu_call *call, json_t *parts,
                          struct mu_error *err)
{
    for (size_t i = 0; i < json_array_size(parts); i++) {
        if (fake->calls == fake->interrupt_call && i == fake->interrupt_part) {
            while (json_array_size(parts) > i) json_array_remove(parts, i);
            return mu_fail(err, MU_INTERRUPTED, "interrupted");
        }
        if (call->taker == NULL) continue;
        if (call->taker->take(call->taker->context, json_array_get(parts, i), err) != MU_OK) return err->status;
        if (fake->heard != NULL) fake->heard(fake, i + 1);
    }
    return MU_OK;
}

static int fake_call(void *context, struct mu_call *call, json_t **response, struct mu_error *err)
{
    struct fake_environment *fake = context;
    int status = MU_OK;
    *response = NULL;
    if (fake->calls >= FAKE_CALLS) return mu_fail(err, MU_LIMIT, "more calls than a test should make");
    fake->deadlines[fake->calls] = call->deadline_s;
    fake->log[fake->calls][0] = '\0';
    fake->calls++;
    fake->now_ns += fake->call_ns;
    fake->processors.steal_ns += fake->steal_ns;
    fake->processors.used_ns += 2 * fake->call_ns - fake->steal_ns;
    if (fake->calls == fake->interrupt_call && fake->interrupt_part == 0)
        return mu_fail(err, MU_INTERRUPTED, "interrupted");
    *response = fake->answer(fake, call->request, &status);
    if (fake_hand_over(fake, call, json_object_get(*response, "parts"), err) != MU_OK) return err->status;
    return status == MU_OK ? MU_OK : mu_fail(err, status, "a child that ended by %s", mu_status_text(status));
}

static int fake_check(void *context, bool fresh, struct mu_selftest *selftest, struct mu_error *err)
{
    struct fake_environment *fake = context;
    memset(selftest, 0, sizeof *selftest);
    selftest->trust = fresh ? fake->health : MU_TRUSTED;
    selftest->steps = fake->steps;
    snprintf(selftest->reason, sizeof selftest->reason, "as the test wants it");
    fake->checks += fresh;
    return err->status;
}

static int fake_resolve(void *context, const struct mu_asked *asked, struct mu_test *test, struct mu_error *err)
{
    const struct fake_environment *fake = context;
    bool untested;
    return mu_resolve_by(asked, &fake->facts, test, &untested, err);
}

static bool fake_interrupted(void *context)
{
    const struct fake_environment *fake = context;
    return fake->interrupt_call != 0 && fake->calls >= fake->interrupt_call;
}

static uint64_t fake_now(void *context)
{
    const struct fake_environment *fake = context;
    return fake->now_ns;
}

static bool fake_processors(void *context, struct mu_processor_times *times)
{
    const struct fake_environment *fake = context;
    *times = fake->processors;
    return !fake->processors_secret;
}

static inline struct mu_engine_environment fake_environment(struct fake_environment *fake)
{
    return (struct mu_engine_environment){.context = fake,
                                          .call = fake_call,
                                          .check = fake_check,
                                          .resolve = fake_resolve,
                                          .interrupted = fake_interrupted,
                                          .now_ns = fake_now,
                                          .end_ns = fake->end_ns,
                                          .processors = fake_processors,
                                          .verbosity = MU_USUAL};
}

/* Notes what the last call was for. */
static inline void fake_note(struct fake_environment *fake, const char *text)
{
    char *log = fake->log[fake->calls - 1];
    const size_t used = strlen(log);
    snprintf(log + used, FAKE_TEXT - used, "%s%s", used != 0 ? " " : "", text);
}

/* A device that is nowhere. */
static inline struct mu_device_info fake_device(bool cpu)
{
    struct mu_device_info info = {.cpu = cpu,
                                  .compute_units = 4,
                                  .max_workgroup = 256,
                                  .local_bytes = 32768,
                                  .atomics = MU_ATOMICS_C11,
                                  .available[MU_ATOMICS_C11] = true,
                                  .yield = -1};
    snprintf(info.name, sizeof info.name, "a fake");
    snprintf(info.chip, sizeof info.chip, "fake");
    snprintf(info.driver, sizeof info.driver, "1.0");
    snprintf(info.platform_version, sizeof info.platform_version, "OpenCL 3.0 fake");
    snprintf(info.c_standard, sizeof info.c_standard, "CL3.0");
    return info;
}

/* Standard error into a file, so that a test can look at what a person would see; and back, with the text. */
struct captured {
    FILE *file;
    int saved;
};

static inline bool capture(struct captured *captured)
{
    captured->file = tmpfile();
    captured->saved = dup(STDERR_FILENO);
    return captured->file != NULL && captured->saved >= 0 && dup2(fileno(captured->file), STDERR_FILENO) >= 0;
}

static inline void release(struct captured *captured, char *text, size_t bytes)
{
    fflush(stderr);
    dup2(captured->saved, STDERR_FILENO);
    close(captured->saved);
    const ssize_t got = pread(fileno(captured->file), text, bytes - 1, 0);
    text[got > 0 ? got : 0] = '\0';
    fclose(captured->file);
}

/* Whether the text is in what was told, which is shown if it is not. */
static inline bool is_told(const char *told, const char *text)
{
    const bool found = strstr(told, text) != NULL;
    if (!found) printf("# not there: %s\n# but:\n%s\n", text, told);
    return found;
}

#endif
