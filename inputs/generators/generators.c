#include "inputs/generators/generators.h"

#include "base/user/nearest.h"

#include <stdio.h>
#include <string.h>

/* Vertex ids must fit 32 bits less one, and degrees beyond this are no graph that anyone would ask for. */
enum { SCALE_MAX = 31, DEGREE_MAX = 1 << 20 };

const struct mu_generator *const mu_generators[] = {
    &mu_generator_grid2d, &mu_generator_road, &mu_generator_rmat,     &mu_generator_uniform,
    &mu_generator_traps,  &mu_generator_mesh, &mu_generator_meshgrid, NULL,
};

const struct mu_generator *mu_generator_find(const char *specification, const char **parameters)
{
    for (const struct mu_generator *const *generator = mu_generators; *generator != NULL; generator++) {
        size_t length = strlen((*generator)->name);
        if (strncmp(specification, (*generator)->name, length) != 0 || specification[length] != ':') continue;
        *parameters = specification + length + 1;
        return *generator;
    }
    return NULL;
}

static bool is_of(const struct mu_generator *generator, unsigned kinds)
{
    return (kinds & (generator->generate_mesh != NULL ? MU_OF_MESHES : MU_OF_GRAPHS)) != 0;
}

/* Writes all syntaxes of generators of these kinds, separated by commas. */
static void list(unsigned kinds, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (const struct mu_generator *const *generator = mu_generators; *generator != NULL; generator++) {
        if (!is_of(*generator, kinds)) continue;
        int length = snprintf(text + used, bytes - used, "%s%s", used ? ", " : "", (*generator)->syntax);
        if (length < 0 || (size_t)length >= bytes - used) return;
        used += (size_t)length;
    }
}

/* Writes " (did you mean road:300?)" for a specification that is a generator's but for the colon. Returns false for any
 * other. */
static bool find_missing_colon(const char *specification, unsigned kinds, char *text, size_t bytes)
{
    for (const struct mu_generator *const *generator = mu_generators; *generator != NULL; generator++) {
        const size_t length = strlen((*generator)->name);
        if (!is_of(*generator, kinds) || strncmp(specification, (*generator)->name, length) != 0) continue;
        const char *rest = specification + length;
        const size_t letters = strlen(rest);
        if (*rest < '0' || *rest > '9' || letters > 40 || strspn(rest, "0123456789x:") != letters) continue;
        snprintf(text, bytes, " (did you mean %s:%s?)", (*generator)->name, rest);
        return true;
    }
    return false;
}

/* Writes " (did you mean road:N?)" for a specification that begins almost as a generator of these kinds does, else
 * "". */
static void find_hint(const char *specification, unsigned kinds, char *text, size_t bytes)
{
    char name[32];
    struct mu_nearest nearest = {.word = name};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(specification, ":"), specification);
    for (const struct mu_generator *const *generator = mu_generators; *generator != NULL; generator++) {
        const char *before = nearest.best;
        if (!is_of(*generator, kinds)) continue;
        mu_nearest_try(&nearest, (*generator)->name);
        if (nearest.best != before) snprintf(text, bytes, " (did you mean %s?)", (*generator)->syntax);
    }
    if (nearest.best == NULL) text[0] = '\0';
}

int mu_generator_refuse(const char *specification, unsigned kinds, struct mu_error *err)
{
    static const char *const no_file[] = {
        [MU_OF_GRAPHS] = "a file", [MU_OF_MESHES] = "a mesh's .node, .ele or .poly file", [MU_OF_EITHER] = "a file"};
    static const char *const of[] = {[MU_OF_GRAPHS] = " of graphs", [MU_OF_MESHES] = " of meshes", [MU_OF_EITHER] = ""};
    char syntaxes[512], hint[MU_HINT_BYTES];
    list(kinds, syntaxes, sizeof syntaxes);
    if (!find_missing_colon(specification, kinds, hint, sizeof hint))
        find_hint(specification, kinds, hint, sizeof hint);
    return mu_fail(err, MU_USAGE, "'%s' is neither %s nor a generator%s; generators%s: %s", specification,
                   no_file[kinds], hint, of[kinds], syntaxes);
}

bool mu_parameter_number(const char **text, uint64_t max, uint64_t *value)
{
    const char *at = *text;
    uint64_t number = 0;
    if (*at < '0' || *at > '9') return false;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (__builtin_mul_overflow(number, 10, &number)) return false;
        if (__builtin_add_overflow(number, (uint64_t)(*at - '0'), &number)) return false;
    }
    if (number > max) return false;
    *text = at;
    *value = number;
    return true;
}

int mu_parameter_fail(const struct mu_generator *generator, const char *parameters, const char *why,
                      struct mu_error *err)
{
    return mu_fail(err, MU_USAGE, "bad input '%s:%.100s': the syntax is %s, where %s", generator->name, parameters,
                   generator->syntax, why);
}

int mu_parameter_scale(const struct mu_generator *generator, const char *parameters, uint64_t default_degree,
                       struct mu_scale *scale, struct mu_error *err)
{
    const char *at = parameters;
    uint64_t bits, degree = default_degree;
    bool ok = mu_parameter_number(&at, SCALE_MAX, &bits);
    if (ok && *at == ':') {
        at++;
        ok = mu_parameter_number(&at, DEGREE_MAX, &degree) && degree > 0;
    }
    if (!ok || *at != '\0')
        return mu_parameter_fail(generator, parameters, "S is from 0 to 31 and D, the edges a vertex, from 1 to 2^20",
                                 err);
    *scale = (struct mu_scale){(unsigned)bits, UINT32_C(1) << bits, degree << bits};
    return MU_OK;
}
