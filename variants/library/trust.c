#include "variants/library/trust.h"

#include "base/files/cache.h"
#include "base/hash.h"
#include "base/memory.h"
#include "variants/embedded.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_PLATFORMS 16
#define MOST_DEVICES   64
#define WORDS          11 /* arguments of the helper: platform, device, settings */
#define DEADLINE_MS    120000
#define KILLED_MS      5000 /* a killed process that has not ended by then is in the kernel, and left there */

/* An address within the library. */
static const char inside[] = MU_TRUST_WHERE;

/* Finds muster-team/trust beside the library, or what MUSTER_TEAM_HELPER names. Returns false if that is no program. */
static bool find_helper(char *path, size_t bytes)
{
    Dl_info library;
    const char *given = secure_getenv("MUSTER_TEAM_HELPER");
    int length = -1;
    if (given != NULL)
        length = snprintf(path, bytes, "%s", given);
    else if (dladdr(inside, &library) != 0) {
        const char *slash = strrchr(library.dli_fname, '/');
        if (slash != NULL)
            length =
                snprintf(path, bytes, "%.*s/muster-team/trust", (int)(slash - library.dli_fname), library.dli_fname);
    }
    return length > 0 && (size_t)length < bytes && access(path, X_OK) == 0;
}

/* Finds the device as another process of the same environment does: by its platform's number and its own. */
static bool find_numbers(cl_device_id device, cl_uint *platform, cl_uint *number)
{
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_device_id devices[MOST_DEVICES];
    cl_uint platform_count = 0, device_count = 0;
    if (clGetPlatformIDs(MOST_PLATFORMS, platforms, &platform_count) != CL_SUCCESS) return false;
    for (*platform = 0; *platform < platform_count && *platform < MOST_PLATFORMS; ++*platform) {
        if (clGetDeviceIDs(platforms[*platform], CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &device_count) !=
            CL_SUCCESS)
            continue;
        for (*number = 0; *number < device_count && *number < MOST_DEVICES; ++*number)
            if (devices[*number] == device) return true;
    }
    return false;
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads what the helper prints, until it closes its end. Returns false if the deadline passes first. */
static bool read_message(int from, int64_t deadline_ms, char *text, size_t bytes)
{
    struct pollfd poll_fd = {.fd = from, .events = POLLIN};
    size_t used = 0;
    text[0] = '\0';
    while (used < bytes - 1) {
        const int64_t left_ms = deadline_ms - now_ms();
        const int ready = left_ms > 0 ? poll(&poll_fd, 1, (int)left_ms) : 0;
        if (ready == 0) return false;
        const ssize_t got = ready > 0 ? read(from, text + used, bytes - 1 - used) : -1;
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        used += (size_t)got;
        text[used] = '\0';
    }
    return true;
}

/* Waits for the helper's end. Returns its process's number, a negative number if other code has reaped it, or 0 if the
 * deadline passes first. */
static pid_t await_end(pid_t pid, int64_t deadline_ms, int *status)
{
    for (;;) {
        const pid_t reaped = waitpid(pid, status, WNOHANG);
        if (reaped > 0 || (reaped < 0 && errno != EINTR)) return reaped;
        if (now_ms() >= deadline_ms) return 0;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

/* Starts the helper, with its output at *from. */
static bool start(char *const arguments[], pid_t *pid, int *from)
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const int failed = posix_spawn(pid, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *from = ends[0];
    if (failed != 0) close(ends[0]);
    return failed == 0;
}

/* Judges by the helper's status, or by its message if a program that reaps all its children got the status first. */
static void judge(int status, bool known, const char *message, struct mu_error *err)
{
    if (known && WIFSIGNALED(status))
        mu_fail(err, MU_CRASH, "the self-test was killed by signal %d (%s)", WTERMSIG(status),
                strsignal(WTERMSIG(status)));
    else if (known && WEXITSTATUS(status) != 0)
        mu_fail(err, -WEXITSTATUS(status), "%s", message);
    else if (!known && message[0] != '\0')
        mu_fail(err, MU_WRONG, "%s", message);
}

bool mu_trust_elsewhere(cl_device_id device, const struct mu_team_settings *settings, struct mu_error *err)
{
    char path[PATH_MAX], words[WORDS][16], message[1024];
    cl_uint numbers[WORDS] = {0};
    const uint32_t values[] = {settings->workgroup,  settings->groups,     settings->expected,
                               settings->patience,   settings->spin_limit, settings->specialised != 0,
                               settings->yield != 0, settings->large != 0, settings->native != 0};
    char *arguments[WORDS + 2] = {path};
    pid_t pid;
    int from, status = 0;
    if (!find_helper(path, sizeof path) || !find_numbers(device, &numbers[0], &numbers[1])) return false;
    memcpy(numbers + 2, values, sizeof values);
    for (int i = 0; i < WORDS; i++) {
        snprintf(words[i], sizeof words[i], "%u", numbers[i]);
        arguments[i + 1] = words[i];
    }
    if (!start(arguments, &pid, &from)) return false;
    const int64_t deadline_ms = now_ms() + DEADLINE_MS;
    const bool told = read_message(from, deadline_ms, message, sizeof message);
    close(from);
    pid_t reaped = told ? await_end(pid, deadline_ms, &status) : 0;
    const bool ended = reaped != 0;
    if (!ended) kill(pid, SIGKILL);
    if (!ended) reaped = await_end(pid, now_ms() + KILLED_MS, &status);
    if (!ended && reaped == 0)
        mu_fail(err, MU_DEADLINE, "the self-test did not end within %d s, and process %d cannot be killed",
                DEADLINE_MS / 1000, (int)pid);
    else if (!ended)
        mu_fail(err, MU_DEADLINE, "the self-test did not end within %d s", DEADLINE_MS / 1000);
    else
        judge(status, reaped == pid, message, err);
    return true;
}

/* ---- Verdicts on disk ---- */

static const char kind[] = "team-trust", trusted[] = "trusted";

/* Writes driver, device and platform in their own words, one a line. Returns false if they do not fit. */
static bool name_device(cl_device_id device, char *text, size_t bytes)
{
    static const cl_device_info words[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION, CL_DRIVER_VERSION};
    cl_platform_id platform = NULL;
    size_t used = 0, got = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++, used += got) {
        if (clGetDeviceInfo(device, words[i], bytes - used, text + used, &got) != CL_SUCCESS || got == 0) return false;
        text[used + got - 1] = '\n';
    }
    if (clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) != CL_SUCCESS) return false;
    return clGetPlatformInfo(platform, CL_PLATFORM_VERSION, bytes - used, text + used, NULL) == CL_SUCCESS;
}

/* Returns all that a verdict depends on, which the caller frees by mu_free. NULL if it cannot be told: then nothing is
 * known or cached. */
static char *make_key(cl_device_id device, const struct mu_team_settings *settings, const char *options)
{
    char names[2048], hash[MU_HASH_TEXT];
    struct mu_hash sources;
    const struct mu_embedded *const texts[] = {mu_embedded_find("muster/team.clh"),
                                               mu_embedded_find("variants/library/trust.cl")};
    if (!name_device(device, names, sizeof names)) return NULL;
    mu_hash_start(&sources);
    for (int i = 0; i < 2; i++) mu_hash_add(&sources, texts[i]->text, strlen(texts[i]->text));
    mu_hash_text(mu_hash_end(&sources), hash);
    return mu_format(NULL, "%s\n%s\n%s\n%s\n%u %u %u", PACKAGE_VERSION, names, hash, options, settings->groups,
                     settings->expected, settings->patience);
}

bool mu_trust_known(cl_device_id device, const struct mu_team_settings *settings, const char *options)
{
    size_t bytes = 0;
    char *key = make_key(device, settings, options);
    char *verdict = key != NULL ? mu_cache_get(kind, key, strlen(key), &bytes) : NULL;
    const bool known = verdict != NULL && bytes == sizeof trusted && memcmp(verdict, trusted, bytes) == 0;
    mu_free(verdict);
    mu_free(key);
    return known;
}

void mu_trust_keep(cl_device_id device, const struct mu_team_settings *settings, const char *options)
{
    char *key = make_key(device, settings, options);
    /* If it cannot be cached, the device is tested again. */
    if (key != NULL) mu_cache_put(kind, key, strlen(key), trusted, sizeof trusted);
    mu_free(key);
}
