/* What a child process says on its way, and its answer. */
#include "harness/device/child.h"

#include "harness/device/child_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool serving;
static struct mu_place *shared_place;

void mu_child_phase(const char *name)
{
    /* A parent that has gone is noticed elsewhere. */
    if (serving && dprintf(MU_RESPONSE_FD, "%c%s\n", MU_PHASE_MARK, name) < 0) serving = false;
}

struct mu_place *mu_child_place(void)
{
    return shared_place;
}

void mu_child_part(const struct mu_json *part)
{
    static const char lost[] = "{\"outcome\":\"out-of-memory\",\"message\":\"out of memory: a part of a response\"}";
    if (!serving) return;
    char *text = part != NULL && !part->lost ? json_dumps(part->value, JSON_COMPACT) : NULL;
    const char *whole = part == NULL ? "" : text != NULL ? text : lost;
    if (dprintf(MU_RESPONSE_FD, "%c%s\n", MU_PART_MARK, whole) < 0) serving = false;
    free(text);
}

int mu_child_write(int file, const json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT);
    if (text == NULL) errno = ENOMEM;
    const int written = text != NULL ? dprintf(file, "%s", text) : -1;
    const int failure = errno;
    free(text);
    errno = failure;
    return written;
}

void mu_child_add_outcome(struct mu_json *response, const struct mu_error *err)
{
    mu_json_set_text(response, "outcome", mu_status_outcome(err->status));
    if (err->status != MU_OK) mu_json_set_text(response, "message", err->message);
}

#ifdef MU_COVERAGE
/* Writes what a process has counted, which gcc otherwise does in exit(). */
void __gcov_dump(void);
#endif

static int serve(const struct mu_child_kind *kinds, const json_t *request, struct mu_json *response,
                 struct mu_error *err)
{
    const char *name = json_string_value(json_object_get(request, "kind"));
    for (const struct mu_child_kind *kind = kinds; name != NULL && kind->name != NULL; kind++)
        if (strcmp(kind->name, name) == 0) return kind->serve(request, response, err);
    return mu_fail(err, MU_CRASH, "a child process got a request of unknown kind");
}

int mu_child_main(const struct mu_child_kind *kinds)
{
    struct mu_error err = {0};
    fcntl(MU_RESPONSE_FD, F_SETFD, FD_CLOEXEC);
    fcntl(MU_PLACE_FD, F_SETFD, FD_CLOEXEC);
    void *shared = mmap(NULL, sizeof *shared_place, PROT_READ | PROT_WRITE, MAP_SHARED, MU_PLACE_FD, 0);
    if (shared != MAP_FAILED) shared_place = shared;
    serving = true;
    struct mu_json response = mu_json_object();
    json_t *request = json_loadf(stdin, 0, NULL);
    if (request == NULL)
        mu_fail(&err, MU_CRASH, "the child process got no request");
    else
        serve(kinds, request, &response, &err);
    mu_child_add_outcome(&response, &err);
    /* A response that lacks a part is replaced: the parent records that the child had no memory for it. */
    const char *whole =
        response.lost ? "{\"outcome\":\"out-of-memory\",\"message\":\"out of memory: a response\"}" : NULL;
    const int written =
        whole != NULL ? dprintf(MU_RESPONSE_FD, "%s", whole) : mu_child_write(MU_RESPONSE_FD, response.value);
    fflush(NULL);
#ifdef MU_COVERAGE
    __gcov_dump();
#endif
    /* Not exit(): a driver that crashes in its destructors has given its answer already. */
    _exit(written < 0 ? 1 : 0);
}
