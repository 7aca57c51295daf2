/* A program that is its own child, which does what its request says, and calls of it. */
#ifndef MU_TESTS_OBEDIENT_CHILD_H
#define MU_TESTS_OBEDIENT_CHILD_H

#include "base/json.h"
#include "harness/device/child.h"
#include "variants/launch/opencl.h"
#include "variants/launch/place.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define DEADLINE_S 2.0

/* A process that has left its parent's group, and goes on when the parent has ended; it holds all that is open. */
static inline pid_t leave_behind(void)
{
    const pid_t pid = fork();
    if (pid != 0) return pid;
    setsid();
    for (;;) pause();
}

/* Notes a launch in the memory that the parent shares, as the request says. Returns whether there is such memory. */
static inline bool note_launch(const json_t *request)
{
    const uint32_t groups = mu_json_count(request, "groups");
    struct mu_place *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
    if (shared == MAP_FAILED) return false;
    memset(shared, 0, sizeof *shared);
    if (groups != 0)
        mu_place_note_persistent(shared, 7, groups);
    else
        mu_place_note(shared, 7, mu_json_text(request, "step"));
    if (mu_json_flag(request, "leaves")) mu_place_leave(shared);
    return true;
}

/* Does what the request says, in the order of these lines, and answers. */
static inline int serve(void)
{
    static char spaces[4096];
    json_t *request = json_loadf(stdin, 0, NULL);
    const char *written = mu_json_text(request, "write");
    const bool endless = mu_json_flag(request, "endless");
    memset(spaces, ' ', sizeof spaces);
    for (uint32_t i = 0; i < mu_json_count(request, "times"); i++)
        if (usleep(700000) != 0 || dprintf(3, "\035{\"part\":%u}\n", i) < 0) return 1;
    if (write(3, written, strlen(written)) < 0) return 1;
    if (json_object_get(request, "step") != NULL && !note_launch(request)) return 1;
    if (mu_json_flag(request, "dies")) abort();
    if (mu_json_flag(request, "closes")) {
        close(3);
        for (;;) pause();
    }
    if (mu_json_flag(request, "forks"))
        return dprintf(3, "{\"outcome\":\"ok\",\"pid\":%d}", (int)leave_behind()) > 0 ? 0 : 1;
    FILE *told = fopen(mu_json_text(request, "tell"), "w");
    if (told != NULL) fprintf(told, "%d\n", (int)getpid());
    if (told != NULL) fclose(told);
    for (uint32_t i = 0; endless || i < mu_json_count(request, "blocks"); i++)
        if (write(3, spaces, sizeof spaces) < 0) return 1;
    usleep((useconds_t)mu_json_number(request, "ms") * 1000);
    return dprintf(3, "{\"outcome\":\"ok\"}") > 0 ? 0 : 1;
}

static const struct mu_child_environment usual = {0};

/* Calls a child with the request, which is released. Returns the response, the caller's. */
static inline json_t *call(json_t *request, const struct mu_child_environment *environment, double deadline_s,
                           struct mu_error *err)
{
    json_t *response = NULL;
    *err = (struct mu_error){0};
    mu_child_call(request, environment, deadline_s, &response, err);
    json_decref(request);
    return response;
}

/* Returns the status of a child that answers after so long. */
static inline int status_of(int ms, struct mu_error *err)
{
    json_decref(call(json_pack("{s:i}", "ms", ms), &usual, DEADLINE_S, err));
    return err->status;
}

static inline double seconds_since(uint64_t start_ns)
{
    return (double)(mu_now_ns() - start_ns) * 1e-9;
}

#endif
