/* Writes a reduced litmus test from the templates reduced.*.in beside this file, the roles of shapes.clh, and the
 * functions of an atomics path that they use. In a template @NAME@ is a value, and the lines from "@if NAME@" to
 * "@end@" are for cases in which NAME holds. */
#include "harness/litmus/reduce.h"

#include "base/memory.h"
#include "base/plain.h"
#include "harness/device/launch_defaults.h"
#include "harness/litmus/shapes.clh"
#include "variants/embedded.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- The roles ---- */

#define STORE(order, word)       "    mu_store_" #order "(" #word ", 1u);\n"
#define LOAD(read, order, word)  "    const uint " #read " = mu_load_" #order "(" #word ");\n"
#define SEE(result, order, word) "    seen[" #result "] = mu_load_" #order "(" #word ");\n"
#define TELL(result, read)       "    seen[" #result "] = " #read ";\n"
#define TELL_BOTH(result, next)  TELL(result, first) TELL(next, second)
#define ROLE(shape, role, does)  {MU_LITMUS_##shape, role, does},

static const struct role {
    uint32_t shape, role;
    const char *does;
} roles[] = {MU_LITMUS_PLAYS};

/* Prints the accesses, if `relaxed` without their order. */
static void print_accesses(FILE *to, const char *does, bool relaxed)
{
    static const char *const orders[] = {"_acquire(", "_release("};
    while (*does != '\0') {
        size_t ordered = 0;
        for (size_t i = 0; i < sizeof orders / sizeof orders[0] && relaxed; i++)
            if (strncmp(does, orders[i], strlen(orders[i])) == 0) ordered = strlen(orders[i]);
        if (ordered > 0)
            fputs("_relaxed(", to);
        else
            fputc(*does, to);
        does += ordered > 0 ? ordered : 1;
    }
}

static void print_roles(FILE *to, const struct mu_litmus_case *of)
{
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
        if (roles[i].shape != of->shape->number) continue;
        fprintf(to,
                "static void role_%u(__global uint *x, __global uint *y, __global uint *z, __global uint *seen)\n{\n",
                roles[i].role);
        print_accesses(to, roles[i].does, of->form == MU_LITMUS_RELAXED);
        fputs("}\n\n", to);
    }
}

/* ---- The atomics path ---- */

static size_t line_length(const char *line)
{
    const size_t length = strcspn(line, "\n");
    return line[length] == '\n' ? length + 1 : length;
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* Returns true if an access of the case, or of the stress beside it, calls the function whose first line this is. A
 * relaxed case calls the relaxed function for every order. */
static bool is_called(const char *line, const struct mu_litmus_case *of)
{
    static const char load[] = "mu_load_relaxed(", store[] = "mu_store_relaxed(", order[] = "relaxed(";
    const char *name = strstr(line, "mu_");
    size_t length = strcspn(name, "(") + 1;
    char call[64];
    if ((of->place & MU_LITMUS_STRESS) != 0 && (begins(name, load) || begins(name, store))) return true;
    if (of->form == MU_LITMUS_RELAXED) {
        if (length < sizeof order || !begins(name + length - strlen(order), order)) return false;
        length -= strlen(order);
    }
    snprintf(call, sizeof call, "%.*s", (int)length, name);
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        if (roles[i].shape == of->shape->number && strstr(roles[i].does, call) != NULL) return true;
    return false;
}

/* Prints the functions that the case calls, and the macros that they use, from the branch for this device. */
static void print_path(FILE *to, const struct mu_litmus_case *of, bool fences)
{
    bool wanted = true, inside = false;
    const char *line = mu_embedded_find(mu_atomics_source(of->atomics))->text;
    for (; *line != '\0'; line += line_length(line)) {
        const int length = (int)line_length(line);
        if (begins(line, "#ifdef MU_PTX_FENCES"))
            wanted = fences;
        else if (begins(line, "#else"))
            wanted = !fences;
        else if (begins(line, "#endif"))
            wanted = true;
        else if (!wanted)
            continue;
        else if (begins(line, "#define"))
            fprintf(to, "%.*s\n", length, line);
        else if (begins(line, "static "))
            inside = is_called(line, of);
        if (wanted && inside) fprintf(to, "%.*s", length, line);
        if (wanted && inside && begins(line, "}")) {
            fputc('\n', to);
            inside = false;
        }
    }
}

/* ---- Templates ---- */

struct writing {
    const struct mu_device_info *info;
    const struct mu_litmus_case *of;
    struct mu_build build;
    FILE *to;
};

static bool is_named(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

static bool holds(const struct mu_litmus_case *of, const char *name, size_t length)
{
    const bool stress = (of->place & MU_LITMUS_STRESS) != 0, all_over = of->stress.pattern == MU_LITMUS_ALL_OVER;
    const struct {
        const char *name;
        bool value;
    } flags[] = {{"near", (of->place & MU_LITMUS_NEAR) != 0},
                 {"far", (of->place & MU_LITMUS_NEAR) == 0},
                 {"line", (of->place & MU_LITMUS_LINE) != 0},
                 {"spread", (of->place & MU_LITMUS_LINE) == 0},
                 {"stress", stress},
                 {"all_over", stress && all_over},
                 {"press", stress && !all_over},
                 {"before", stress && of->stress.before != 0}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (is_named(flags[i].name, name, length)) return flags[i].value;
    return false;
}

/* Prints a text of the driver so that it cannot end a comment. */
static void print_plain(FILE *to, const char *text)
{
    char plain[MU_NAME_BYTES];
    snprintf(plain, sizeof plain, "%s", text);
    mu_make_plain(plain, "");
    for (const char *c = plain; *c != '\0'; c++) fputc(*c == '*' ? '+' : *c, to);
}

static void print_title(const struct writing *writing)
{
    fprintf(writing->to, "Litmus test %s through muster's atomics path %s, %s", writing->of->shape->name,
            mu_atomics_paths[writing->of->atomics].name,
            writing->of->form == MU_LITMUS_RELAXED ? "relaxed: its accesses without their order" : "in its order");
}

/* Prints what is known of the case, each line behind `before`. */
static void print_told_behind(const struct writing *writing, const char *before)
{
    const struct mu_litmus_case *of = writing->of;
    fprintf(writing->to, "%sThe outcome is \"%s\", which this order %s.\n", before, of->shape->outcome,
            mu_litmus_is_forbidden(of->shape, of->form) ? "forbids" : "allows");
    fprintf(writing->to, "%sDevice: ", before);
    print_plain(writing->to, writing->info->name);
    fprintf(writing->to, "\n%sDriver: ", before);
    print_plain(writing->to, writing->info->driver);
    if (of->instances > 0)
        fprintf(writing->to, "\n%sThere %.4g of a million instances had the outcome, of %.0f.\n", before,
                of->per_million, of->instances);
    else
        fprintf(writing->to, "\n%sIt was not measured there.\n", before);
}

static void print_told(const struct writing *writing)
{
    print_told_behind(writing, " * ");
}

static void print_measured(const struct writing *writing)
{
    print_told_behind(writing, "");
}

static void print_outcome(const struct writing *writing)
{
    fputs(writing->of->shape->outcome, writing->to);
}

static void print_path_name(const struct writing *writing)
{
    fputs(mu_atomics_paths[writing->of->atomics].name, writing->to);
}

static void print_path_functions(const struct writing *writing)
{
    print_path(writing->to, writing->of, writing->build.ptx_fences);
}

static void print_role_functions(const struct writing *writing)
{
    print_roles(writing->to, writing->of);
}

static void print_cases(const struct writing *writing)
{
    for (uint32_t role = 0; role < writing->of->shape->roles; role++)
        fprintf(writing->to, "    case %u:\n        role_%u(x, y, z, seen);\n        break;\n", role, role);
}

static void print_access(const struct writing *writing, uint32_t stores)
{
    const bool store = (writing->of->stress.pattern & stores) != 0;
    fputs(store ? "mu_store_relaxed(word, i);" : "(void)mu_load_relaxed(word);", writing->to);
}

static void print_first_access(const struct writing *writing)
{
    print_access(writing, MU_LITMUS_FIRST_STORES);
}

static void print_second_access(const struct writing *writing)
{
    print_access(writing, MU_LITMUS_SECOND_STORES);
}

static void print_c_standard(const struct writing *writing)
{
    fputs(writing->build.c_standard, writing->to);
}

static const struct {
    const char *name;
    void (*print)(const struct writing *writing);
} texts[] = {{"title", print_title},
             {"told", print_told},
             {"measured", print_measured},
             {"outcome", print_outcome},
             {"path", print_path_name},
             {"path_functions", print_path_functions},
             {"role_functions", print_role_functions},
             {"cases", print_cases},
             {"first_access", print_first_access},
             {"second_access", print_second_access},
             {"c_standard", print_c_standard}};

static void print_value(const struct writing *writing, const char *name, size_t length)
{
    const struct mu_litmus_case *of = writing->of;
    const uint32_t groups = mu_litmus_groups(writing->info);
    const struct {
        const char *name;
        uint32_t value;
    } numbers[] = {{"roles", of->shape->roles},
                   {"weak", of->shape->weak},
                   {"workgroup", writing->build.workgroup},
                   {"groups", groups},
                   {"stress_groups", (of->place & MU_LITMUS_STRESS) != 0 ? groups / of->stress.share : 0},
                   {"spread_words", of->stress.spread},
                   {"stride", of->stress.stride},
                   {"before", of->stress.before}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (is_named(numbers[i].name, name, length)) fprintf(writing->to, "%u", numbers[i].value);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (is_named(texts[i].name, name, length)) texts[i].print(writing);
}

/* Prints a line with its values. */
static void print_line(const struct writing *writing, const char *line, size_t length)
{
    const char *const end = line + length;
    while (line < end) {
        const char *at = memchr(line, '@', (size_t)(end - line));
        const char *behind = at != NULL ? memchr(at + 1, '@', (size_t)(end - at - 1)) : NULL;
        if (behind == NULL) at = end;
        fwrite(line, 1, (size_t)(at - line), writing->to);
        if (behind != NULL) print_value(writing, at + 1, (size_t)(behind - at - 1));
        line = behind != NULL ? behind + 1 : end;
    }
}

static void print_template(const struct writing *writing, const char *template)
{
    static const char if_line[] = "@if ", end_line[] = "@end@";
    uint32_t depth = 0, left_out = 0; /* the depth at which lines are left out; 0: none are */
    for (const char *line = template; *line != '\0'; line += line_length(line)) {
        if (begins(line, if_line)) {
            const char *name = line + strlen(if_line);
            depth++;
            if (left_out == 0 && !holds(writing->of, name, strcspn(name, "@"))) left_out = depth;
        } else if (begins(line, end_line)) {
            if (left_out == depth) left_out = 0;
            depth--;
        } else if (left_out == 0) {
            print_line(writing, line, line_length(line));
        }
    }
}

/* ---- Files ---- */

static int write_file(struct writing *writing, const char *folder, const char *name, const char *template,
                      struct mu_error *err)
{
    char *path = mu_format(err, "%s/%s", folder, name);
    if (path == NULL) return err->status;
    writing->to = fopen(path, "wx");
    if (writing->to == NULL) {
        mu_fail(err, MU_IO, "%s: %s", path, strerror(errno));
    } else {
        print_template(writing, mu_embedded_find(template)->text);
        const bool whole = ferror(writing->to) == 0;
        if (fclose(writing->to) != 0 || !whole) mu_fail(err, MU_IO, "%s cannot be written: %s", path, strerror(errno));
    }
    mu_free(path);
    return err->status;
}

int mu_litmus_write_case(const struct mu_device_info *info, const struct mu_litmus_case *of, const char *folder,
                         struct mu_error *err)
{
    static const char *const files[][2] = {{"test.cl", "harness/litmus/reduced.cl.in"},
                                           {"test.h", "harness/litmus/reduced.h.in"},
                                           {"test.c", "harness/litmus/reduced.c.in"},
                                           {"README", "harness/litmus/reduced.readme.in"}};
    struct writing writing = {.info = info, .of = of};
    writing.build = mu_default_build(info, of->atomics, mu_default_workgroup(info), 1);
    if (mkdir(folder, 0777) != 0) return mu_fail(err, MU_IO, "%s: %s", folder, strerror(errno));
    for (size_t i = 0; i < sizeof files / sizeof files[0] && err->status == MU_OK; i++)
        write_file(&writing, folder, files[i][0], files[i][1], err);
    return err->status;
}
