#include "harness/device/program.h"

#include "base/files/cache.h"
#include "base/memory.h"
#include "harness/device/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The largest log of a compiler and the largest binary of a program: a driver that tells more is wrong. */
#define MOST_LOG_BYTES    (UINT32_C(1) << 20)
#define MOST_BINARY_BYTES (UINT32_C(1) << 28)

/* Drivers whose binaries are not worth having. PoCL itself keeps on disk what it compiles, each kernel for the
 * workgroup size with which it runs. When it is asked for a binary, it compiles every kernel again, for any size, and
 * from a binary it runs that slower code. */
static const char *const own_caches[] = {"Portable Computing Language"};

bool mu_program_is_kept(const struct mu_device_info *info)
{
    for (size_t i = 0; i < sizeof own_caches / sizeof own_caches[0]; i++)
        if (strstr(info->platform, own_caches[i]) != NULL) return false;
    return true;
}

/* Returns the key, which holds everything that decides what the compiler makes; NULL: out of memory. */
static char *cache_key(const struct mu_device_info *info, const struct mu_sources *sources, size_t *bytes)
{
    char compilers[256];
    mu_settings_of_compilers(compilers, sizeof compilers);
    char *key = mu_format(NULL, "%s\n%s\n%s\n%s\n%s\n%s\n%s\n", info->platform, info->platform_version, info->name,
                          info->version, info->driver, compilers, sources->options);
    size_t used = key != NULL ? strlen(key) : 0, total = used;
    for (size_t i = 0; i < sources->count; i++) total += sources->length[i];
    if (key == NULL || mu_resize((void **)&key, total, 1, "a cache key", NULL) != MU_OK) {
        mu_free(key);
        return NULL;
    }
    for (size_t i = 0; i < sources->count; i++) {
        memcpy(key + used, sources->text[i], sources->length[i]);
        used += sources->length[i];
    }
    *bytes = total;
    return key;
}

bool mu_program_is_cached(const struct mu_device_info *info, const struct mu_sources *sources)
{
    size_t key_bytes = 0, bytes;
    char *key = cache_key(info, sources, &key_bytes);
    void *binary = key != NULL ? mu_cache_get("program", key, key_bytes, &bytes) : NULL;
    const bool cached = binary != NULL;
    mu_free(binary);
    mu_free(key);
    return cached;
}

static cl_program load(const struct mu_target *target, const struct mu_sources *sources, const void *key,
                       size_t key_bytes)
{
    size_t bytes = 0;
    cl_int status, binary_status;
    unsigned char *binary = mu_cache_get("program", key, key_bytes, &bytes);
    if (binary == NULL) return NULL;
    cl_program program = clCreateProgramWithBinary(target->context, 1, &target->device, &bytes,
                                                   (const unsigned char **)&binary, &binary_status, &status);
    mu_free(binary);
    if (status != CL_SUCCESS) return NULL;
    if (binary_status == CL_SUCCESS &&
        clBuildProgram(program, 1, &target->device, sources->options, NULL, NULL) == CL_SUCCESS)
        return program;
    clReleaseProgram(program);
    return NULL;
}

static void save(cl_program program, const void *key, size_t key_bytes)
{
    size_t bytes = 0;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) != CL_SUCCESS || bytes == 0)
        return;
    if (bytes > MOST_BINARY_BYTES) {
        fprintf(stderr, "muster: the driver says that a program's binary has %zu bytes: it is not kept\n", bytes);
        return;
    }
    unsigned char *binary = mu_malloc(bytes, 1, "a program binary", NULL), *to = binary;
    if (binary == NULL) return;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, NULL) == CL_SUCCESS)
        mu_cache_put("program", key, key_bytes, binary, bytes);
    mu_free(binary);
}

static int build_failed(const struct mu_target *target, cl_program program, cl_int status, struct mu_error *err)
{
    size_t bytes = 0;
    clGetProgramBuildInfo(program, target->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    if (bytes > MOST_LOG_BYTES)
        return mu_fail(err, MU_BUILD, "clBuildProgram: %s\nThe driver says that its log has %zu bytes: it is not read.",
                       mu_cl_name(status), bytes);
    char *log = mu_calloc(bytes + 1, 1, "a build log", NULL);
    if (log != NULL) clGetProgramBuildInfo(program, target->device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    mu_fail(err, MU_BUILD, "clBuildProgram: %s\n%s", mu_cl_name(status), log != NULL ? log : "");
    mu_free(log);
    return err->status;
}

/* Stands before a program where the environment asks for it, and has all functions inlined, since those of kernels are
 * static. Variables are static, too, but compilers ignore the attribute there. */
static const char inline_all[] = "#define static static __attribute__((always_inline))\n";

static int compile(const struct mu_target *target, const struct mu_sources *sources, cl_program *program,
                   struct mu_error *err)
{
    cl_int status;
    const char *texts[MU_MAX_SOURCES + 1] = {inline_all};
    size_t lengths[MU_MAX_SOURCES + 1] = {sizeof inline_all - 1};
    const cl_uint first = getenv(MU_SETTING_INLINE) != NULL ? 0 : 1;
    memcpy(texts + 1, sources->text, sizeof sources->text);
    memcpy(lengths + 1, sources->length, sizeof sources->length);
    cl_program made = clCreateProgramWithSource(target->context, (cl_uint)sources->count + 1 - first, texts + first,
                                                lengths + first, &status);
    if (mu_cl_check(status, "clCreateProgramWithSource", err) != MU_OK) return err->status;
    status = clBuildProgram(made, 1, &target->device, sources->options, NULL, NULL);
    if (status != CL_SUCCESS) {
        build_failed(target, made, status, err);
        clReleaseProgram(made);
        return err->status;
    }
    *program = made;
    return MU_OK;
}

int mu_program_build(const struct mu_target *target, const struct mu_device_info *info,
                     const struct mu_sources *sources, bool use_cache, struct mu_built *built, struct mu_error *err)
{
    size_t key_bytes = 0;
    char *key = use_cache && mu_program_is_kept(info) ? cache_key(info, sources, &key_bytes) : NULL;
    const uint64_t start = mu_now_ns();
    built->program = key != NULL ? load(target, sources, key, key_bytes) : NULL;
    built->cached = built->program != NULL;
    if (built->program == NULL && compile(target, sources, &built->program, err) == MU_OK && key != NULL)
        save(built->program, key, key_bytes);
    built->build_ns = mu_now_ns() - start;
    mu_free(key);
    return err->status;
}

cl_program mu_program_make(const struct mu_target *target, const struct mu_device_info *info,
                           struct mu_sources *sources, bool use_cache, struct mu_error *err)
{
    struct mu_built built = {0};
    if (err->status == MU_OK) mu_program_build(target, info, sources, use_cache, &built, err);
    mu_sources_free(sources);
    return built.program;
}
