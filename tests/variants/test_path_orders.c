/* The orders of the atomics paths (variants/atomics), read from their sources: no device that could be had for a test
 * shows an order that is missing in each of them, since x86 keeps nearly all of them by itself.
 *
 * Each function of a path is a sequence of operations: at most one fence, one access, at most one fence. A fence in
 * front of the access releases and one behind it acquires; what an instruction or a function of OpenCL C has of its own
 * counts, too. The sum must be what the function's name promises, no less and no more: litmus tests rely on relaxed
 * accesses that have no order. All of it must be at device scope or wider, and an asm statement must keep the compiler
 * from moving other accesses across it. $KERNELS is a folder of other kernel sources. */
#include "tests/tap.h"

#include <ctype.h>
#include <limits.h>

enum { RELAXED = 0, ACQUIRE = 1, RELEASE = 2, ACQ_REL = ACQUIRE | RELEASE };
enum operation { LOAD, STORE, ADD, OR, COMPARE_EXCHANGE };

/* What a path's functions promise. */
static const struct {
    const char *name;
    enum operation operation;
    unsigned order;
} promises[] = {
    {"mu_load_relaxed", LOAD, RELAXED},
    {"mu_load_acquire", LOAD, ACQUIRE},
    {"mu_store_relaxed", STORE, RELAXED},
    {"mu_store_release", STORE, RELEASE},
    {"mu_add_relaxed", ADD, RELAXED},
    {"mu_add_release", ADD, RELEASE},
    {"mu_add_acq_rel", ADD, ACQ_REL},
    {"mu_or_relaxed", OR, RELAXED},
    {"mu_compare_exchange", COMPARE_EXCHANGE, ACQ_REL},
};
enum { PROMISES = sizeof promises / sizeof promises[0] };

/* What has been read of a function. */
struct reading {
    unsigned accesses, before, behind; /* accesses, and fences on both sides of the access */
    enum operation operation;
    unsigned order;
    char wrong[120];
};

__attribute__((format(printf, 2, 3))) static void wrong(struct reading *reading, const char *format, ...)
{
    va_list arguments;
    if (reading->wrong[0] != '\0') return;
    va_start(arguments, format);
    vsnprintf(reading->wrong, sizeof reading->wrong, format, arguments);
    va_end(arguments);
}

static void read_access(struct reading *reading, enum operation operation, unsigned order)
{
    reading->accesses++;
    reading->operation = operation;
    reading->order |= order;
}

static void read_fence(struct reading *reading)
{
    if (reading->accesses == 0)
        reading->before++;
    else
        reading->behind++;
}

/* The number of the name in a list that ends in NULL; -1 where it is not there. */
static int find(const char *const *names, const char *text, size_t length)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0) return i;
    return -1;
}

/* ---- PTX ---- */

/* One instruction, such as "ld.acquire.gpu.global.u32 %0, [%1]". Without a scope, an access is at that of the device at
 * least, as the ISA's description of .volatile and atom says. */
static void read_instruction(struct reading *reading, const char *text, size_t length)
{
    static const char *const operations[] = {"ld", "st", "add", "or", "cas", NULL};
    static const char *const orders[] = {"relaxed", "acquire", "release", "acq_rel", NULL};
    static const char *const others[] = {"atom", "red", "gpu", "sys", "volatile", "global", "u32", "b32", NULL};
    int operation = -1, order = RELAXED;
    bool strong = false;
    if (length == strlen("membar.gl") && memcmp(text, "membar.gl", length) == 0) {
        read_fence(reading);
        return;
    }
    for (size_t at = 0, end; at < length && text[at] != ' '; at = end + (end < length && text[end] == '.')) {
        for (end = at; end < length && text[end] != '.' && text[end] != ' ';) end++;
        const int is_operation = find(operations, text + at, end - at), is_order = find(orders, text + at, end - at);
        const int is_other = find(others, text + at, end - at);
        if (is_operation >= 0)
            operation = is_operation;
        else if (is_order >= 0)
            order = is_order;
        else if (is_other < 0)
            wrong(reading, "%.*s in %.*s", (int)(end - at), text + at, (int)length, text);
        strong |= is_order >= 0 ||
                  (is_other >= 0 && (strcmp(others[is_other], "volatile") == 0 ||
                                     strcmp(others[is_other], "atom") == 0 || strcmp(others[is_other], "red") == 0));
    }
    if (operation < 0 || !strong) wrong(reading, "no atomic access: %.*s", (int)length, text);
    read_access(reading, (enum operation)operation, (unsigned)order);
}

static void read_asm(struct reading *reading, const char *body)
{
    const char *text = strstr(body, "__asm__");
    if (text == NULL || strstr(text + 1, "__asm__") != NULL || strncmp(text, "__asm__ volatile(\"", 18) != 0 ||
        strstr(text, ": \"memory\");") == NULL) {
        wrong(reading, "not one volatile asm statement that clobbers memory");
        return;
    }
    const char *at = text + 18, *const end = strchr(at, '"');
    while (end != NULL && at < end) {
        const size_t length = strcspn(at, ";\"");
        if (length > 0) read_instruction(reading, at, length);
        at += length + 1;
        while (strncmp(at, "\\n", 2) == 0 || strncmp(at, "\\t", 2) == 0) at += 2;
    }
}

/* ---- OpenCL C ---- */

/* The arguments of a call begin behind its bracket. Orders and scopes are read in turn; of a compare-exchange the
 * second order is that of its failure, which must not acquire less. */
static void read_arguments(struct reading *reading, enum operation operation, const char *arguments)
{
    static const char *const names[] = {"relaxed", "acquire", "release", "acq_rel", NULL};
    const char *const end = strchr(arguments, ';');
    unsigned orders[2] = {0, 0}, count = 0, scopes = 0;
    for (const char *at = arguments; end != NULL && (at = strstr(at, "memory_")) != NULL && at < end; at++) {
        const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
        const int order = strncmp(at, "memory_order_", 13) == 0 ? find(names, at + 13, length - 13) : -1;
        if (order >= 0 && count < 2) orders[count++] = (unsigned)order;
        if (length == 19 && strncmp(at, "memory_scope_device", length) == 0)
            scopes++;
        else if (order < 0)
            wrong(reading, "%.*s", (int)length, at);
    }
    if (scopes != 1 || count != (operation == COMPARE_EXCHANGE ? 2u : 1u)) wrong(reading, "other orders or scopes");
    if (operation == COMPARE_EXCHANGE && (orders[0] & ACQUIRE) != orders[1])
        wrong(reading, "a failure has another order");
    read_access(reading, operation, orders[0]);
}

static void read_calls(struct reading *reading, const char *body)
{
    static const char *const with_order[] = {"atomic_load_explicit",
                                             "atomic_store_explicit",
                                             "atomic_fetch_add_explicit",
                                             "atomic_fetch_or_explicit",
                                             "atomic_compare_exchange_strong_explicit",
                                             NULL};
    static const char *const without[] = {"atomic_or", "atomic_xchg", "atomic_add", "atomic_cmpxchg", NULL};
    static const enum operation operations[] = {OR, STORE, ADD, COMPARE_EXCHANGE};
    for (const char *at = body; *at != '\0';) {
        const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        const bool called = length > 0 && at[length] == '(';
        const int ordered = called ? find(with_order, at, length) : -1;
        const int relaxed = called ? find(without, at, length) : -1;
        if (ordered >= 0) read_arguments(reading, (enum operation)ordered, at + length + 1);
        if (relaxed >= 0) read_access(reading, operations[relaxed], RELAXED);
        if (relaxed == 0 && strncmp(at + length, "((volatile __global uint *)p, 0u)", 33) == 0)
            reading->operation = LOAD; /* as this path loads */
        if (called && length == 9 && strncmp(at, "mem_fence", 9) == 0) {
            if (strncmp(at + 9, "(CLK_GLOBAL_MEM_FENCE);", 23) != 0) wrong(reading, "a fence of other memory");
            read_fence(reading);
        }
        at += length > 0 ? length : 1;
    }
}

/* ---- Files ---- */

static char *read_file(const char *name)
{
    const char *folder = getenv("KERNELS");
    char path[PATH_MAX];
    if (folder == NULL) folder = getenv("srcdir");
    snprintf(path, sizeof path, "%s/variants/atomics/%s", folder != NULL ? folder : ".", name);
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 65536);
    if (file == NULL || text == NULL || fread(text, 1, 65535, file) == 0) {
        free(text);
        text = NULL;
    }
    if (file != NULL) fclose(file);
    return text;
}

/* Comments become blanks, and all blanks behind each other one. */
static void clean(char *text)
{
    char *to = text;
    bool inside = false;
    for (const char *from = text; *from != '\0'; from++) {
        if (!inside && strncmp(from, "/*", 2) == 0) inside = true;
        const bool ends = inside && strncmp(from, "*/", 2) == 0;
        const bool blank = inside || isspace((unsigned char)*from);
        if (!blank)
            *to++ = *from;
        else if (to == text || to[-1] != ' ')
            *to++ = ' ';
        if (ends) from++;
        if (ends) inside = false;
    }
    *to = '\0';
}

/* The body of a function, as a text of its own; NULL where it is not there once. */
static char *body_of(const char *text, const char *name)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, " %s(__global uint *p", name);
    const char *at = strstr(text, wanted);
    if (at == NULL || strstr(at + 1, wanted) != NULL) return NULL;
    const char *const begin = strchr(at, '{'), *const end = begin == NULL ? NULL : strstr(begin, "} ");
    return begin == NULL ? NULL : strndup(begin, end == NULL ? strlen(begin) : (size_t)(end - begin));
}

static void test_function(const char *path, const char *text, int number)
{
    struct reading reading = {0};
    const bool is_ptx = strncmp(path, "ptx", 3) == 0;
    char *body = body_of(text, promises[number].name);
    if (body == NULL)
        wrong(&reading, "there is no such function");
    else if (is_ptx)
        read_asm(&reading, body);
    else
        read_calls(&reading, body);
    free(body);
    const unsigned order =
        reading.order | (reading.before > 0 ? RELEASE : RELAXED) | (reading.behind > 0 ? ACQUIRE : RELAXED);
    if (reading.accesses != 1 || reading.operation != promises[number].operation)
        wrong(&reading, "%u accesses, or another one", reading.accesses);
    if (order != promises[number].order)
        wrong(&reading, "%s and %s", order & ACQUIRE ? "it acquires" : "it does not acquire",
              order & RELEASE ? "releases" : "does not release");
    CHECK(reading.wrong[0] == '\0', "%s: %s has the order that its name says%s%s", path, promises[number].name,
          reading.wrong[0] != '\0' ? ": " : "", reading.wrong);
}

static void test_path(const char *path, char *text)
{
    clean(text);
    for (int i = 0; i < PROMISES; i++) test_function(path, text, i);
}

int main(void)
{
    static const struct {
        const char *path, *file;
    } paths[] = {{"c11", "c11.clh"}, {"fences", "fences.clh"}};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char *text = read_file(paths[i].file);
        if (CHECK(text != NULL, "%s can be read", paths[i].file)) test_path(paths[i].path, text);
        free(text);
    }
    /* Two forms in one file: with fences, for chips before sm_70, and with orders in the instructions. */
    char *text = read_file("ptx.clh");
    char *const other = text == NULL ? NULL : strstr(text, "\n#else\n");
    CHECK(other != NULL && strstr(text, "#ifdef MU_PTX_FENCES\n") < other, "ptx.clh has two forms");
    if (other != NULL) {
        *other = '\0';
        test_path("ptx before sm_70", text);
        test_path("ptx", other + 1);
    }
    free(text);
    return tap_done();
}
