/* DIMACS, 2nd implementation challenge, colouring and cliques (http://dimacs.rutgers.edu/archive/Challenges/, "Clique
 * and coloring problems graph format"): `c` comments, one line `p edge n m` or `p col n m`, m lines `e u v`, each an
 * undirected edge. Lines of node weights and of other descriptors (`n`, `d`, `v`, `x`) are not used. Some files list
 * each edge in both directions, and in some m counts both where each is listed once. Ids begin at 1. */
#include "inputs/formats/formats.h"
#include "inputs/formats/problem.h"

static const char *const kinds[] = {"edge", "edges", "col"};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const char *kind_of(const struct mu_source *source)
{
    for (size_t i = 0; i < KINDS; i++)
        if (mu_problem_sniff(source, "p", kinds[i])) return kinds[i];
    return NULL;
}

static bool sniff(const struct mu_source *source)
{
    return kind_of(source) != NULL || mu_problem_sniff(source, "e", NULL);
}

static int read_col(const struct mu_source *source, struct mu_reading *reading, struct mu_graph **graph,
                    struct mu_error *err)
{
    struct mu_arc_lines lines = {.prefix = 'e', .comments = "cndvx", .columns = 2, .noun = "edges"};
    struct mu_arc_lines_survey survey;
    const char *kind = kind_of(source);
    lines.tail = lines.head = "a vertex id";
    lines.mirror = lines.simple = true;
    int status = mu_problem_read(source, kind != NULL ? kind : kinds[0], &lines, reading, err);
    if (status != MU_OK) return status;
    const uint64_t promised = lines.arcs;
    lines.may_be_halved = true;
    status = mu_arc_lines_survey(source, &lines, reading, &survey, err);
    lines.arcs = survey.arcs;
    lines.may_be_halved = false;
    if (status == MU_OK) status = mu_arc_lines_read(source, &lines, reading, graph, err);
    /* Twice as many lines are right where they are both directions of each edge. */
    if (status != MU_OK || survey.arcs != 2 * promised || (*graph)->edges == 2 * promised) return status;
    lines.arcs = promised;
    return mu_arc_lines_survey(source, &lines, reading, &survey, err); /* names the first line that is too many */
}

const struct mu_format mu_format_col = {
    .name = "col",
    .purpose = "DIMACS colouring and cliques: text, undirected, no weights",
    .mark = "the line 'p edge' or 'p col'",
    .suffixes = {".col"},
    .traits = MU_ONLY_SYMMETRIC,
    .sniff = sniff,
    .read = read_col,
};
