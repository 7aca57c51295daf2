/* Malformed files: the error says what is wrong and where; and nothing that a file may hold makes a reader crash. */
#include "base/limits.h"
#include "tests/inputs/input_files.h"
#include "tests/tap.h"

#define MTX "%%MatrixMarket matrix coordinate "

static const struct {
    const char *title, *text, *part;
} texts[] = {
    {"nothing", "", "test: the file is empty"},
    {"words", "hello world\n", "test:1: in none of the known formats"},
    {"blanks", "\n\n  \n", "test:1: in none of the known formats"},
    {"comments of DIMACS only", "c x\nc y\n", "in none of the known formats"},
    {"one number", "5\n", "test:1: one number on the line"},

    {"DIMACS of another kind", "c\np max 4 5\n", "test:2: a DIMACS problem of maximum flow"},
    {"DIMACS, arc first", "c\nc\na 1 2 3\n", "test:3: the line 'p sp"},
    {"DIMACS, no number of arcs", "p sp 4\n", "test:1: the number of edges is missing at the end of the line"},
    {"DIMACS, no numbers", "p sp", "test:1: the number of vertices is missing at the end of the file"},
    {"DIMACS, negative number of vertices", "p sp -4 0\n", "test:1: the number of vertices must be from 0"},
    {"DIMACS, too many vertices", "p sp 4294967295 0\n", "from 0 to 4294967294, not '4294967295'"},
    {"DIMACS, number of 30 digits", "p sp 123456789012345678901234567890 0\n", "not '123456789012345678901234...'"},
    {"DIMACS, more on the problem line", "p sp 4 0 x\n", "test:1: the line should end before 'x'"},
    {"DIMACS, no vertices", "p sp 0 0\n", "test: the graph has no vertices"},
    {"DIMACS, impossible number of arcs", "p sp 4 99999999\na 1 2 3\n", "test:1: 99999999 edges are promised"},
    {"DIMACS, too few arcs", "p sp 4 2\na 1 2 3\n", "test:3: the file ends after 1 of 2 edges"},
    {"DIMACS, too many arcs", "p sp 4 1\na 1 2 3\n\na 1 2 3\n", "test:4: all 1 edges have come already"},
    {"DIMACS, a second problem line", "p sp 4 1\np sp 4 1\n", "test:2: an arc 'a <tail> <head> <weight>' is"},
    {"DIMACS, another line", "p sp 4 1\ne 1 2\n", "test:2: an arc 'a <tail> <head> <weight>' is expected, not 'e'"},
    {"DIMACS, vertex 0", "p sp 4 1\na 0 2 3\n", "test:2: a vertex id must be from 1 to 4, not '0'"},
    {"DIMACS, vertex n + 1", "p sp 4 1\na 1 5 3\n", "test:2: a vertex id must be from 1 to 4, not '5'"},
    {"DIMACS, vertex missing", "p sp 4 1\na 1\n", "test:2: a vertex id is missing at the end of the line"},
    {"DIMACS, weight missing", "p sp 4 1\nc\na 1 2\n", "test:3: a weight is missing at the end of the line"},
    {"DIMACS, weight missing at the end", "p sp 4 1\na 1 2", "test:2: a weight is missing at the end of the file"},
    {"DIMACS, half a number", "p sp 4 1\na 1 2 3e\n", "test:2: a weight is expected, not '3e'"},
    {"DIMACS, hexadecimal", "p sp 4 1\na 0x1 2 3\n", "test:2: a vertex id is expected, not '0x1'"},
    {"DIMACS, a fourth number", "p sp 4 1\na 1 2 3 4\n", "test:2: the line should end before '4'"},
    {"DIMACS, carriage return within a line", "p sp 4 1\na 1 2\r3\n", "test:2: a weight is expected"},
    {"DIMACS, control characters", "p sp 4 1\na 1 2 \001\002\n", "test:2: a weight is expected, not '\?\?'"},

    {"PACE, three numbers", "p tw 3 1\n1 2 3\n", "test:2: the line should end before '3'"},
    {"PACE, one number", "p tw 3 1\n1\n", "test:2: a vertex id is missing"},
    {"PACE, vertex 0", "p tw 3 1\n0 1\n", "test:2: a vertex id must be from 1 to 3, not '0'"},
    {"PACE, vertex n + 1", "p tw 3 1\n1 4\n", "test:2: a vertex id must be from 1 to 3, not '4'"},
    {"PACE, too few edges", "p tw 3 2\n1 2\n", "test:3: the file ends after 1 of 2 edges"},
    {"PACE, too many edges", "p tw 3 1\n1 2\n2 3\n", "test:3: all 1 edges have come already"},
    {"PACE, a word", "p tw 3 1\nx 2\n", "test:2: a vertex id is expected, not 'x'"},

    {"METIS, too few lines", "% c\n3 2\n2\n1 3\n", "test:5: the file ends after 2 of 3 vertices"},
    {"METIS, too few lines, without a comment", "3 2\n2\n1 3\n", "test:4: the file ends after 2 of 3 vertices"},
    {"METIS, too many lines", "% c\n2 1\n2\n1\n1\n", "test:5: the file goes on after all 2 vertices"},
    {"METIS, wrong number of edges", "3 3\n2\n1 3\n2\n", "test:5: 4 neighbours are not twice the 3 edges"},
    {"METIS, more edges than said", "3 1\n2\n1 3\n2\n", "test:3: more than the 1 edges of the header"},
    {"METIS, an edge in one line only", "% c\n3 1\n2 3\n\n\n", "test:3: vertices 1 and 2 do not list each other"},
    {"METIS, another edge in one line only", "4 2\n2\n1\n2\n3\n", "test:3: vertices 2 and 3 do not list each"},
    {"METIS, unequal weights", "2 1 1\n2 5\n% c\n1 6\n", "test:2: vertices 1 and 2 do not list each other"},
    {"METIS, unequally often", "3 2\n2 2\n1 3\n\n", "test:2: vertices 1 and 2 do not list each other"},
    {"METIS, loop", "2 1\n2 1\n1\n", "test:2: vertex 1 is listed as its own neighbour"},
    {"METIS, neighbour 0", "2 1\n0\n1\n", "test:2: a neighbour must be from 1 to 2, not '0'"},
    {"METIS, neighbour n + 1", "2 1\n3\n1\n", "test:2: a neighbour must be from 1 to 2, not '3'"},
    {"METIS, weight missing", "2 1 1\n2\n1 5\n", "test:2: an edge's weight is missing"},
    {"METIS, negative weight", "2 1 1\n2 -1\n1 -1\n", "test:2: an edge's weight must be from 0"},
    {"METIS, vertex weight missing", "2 1 10 2\n5 6 2\n5\n", "test:3: a vertex's size or weight is missing"},
    {"METIS, fmt of twos", "2 1 21\n2\n1\n", "test:1: the header's third number must be of zeros and ones"},
    {"METIS, fmt of four digits", "2 1 1000\n2\n1\n", "test:1: the header's third number must be from 0 to 111"},
    {"METIS, a word", "% c\n2 1\nx\n1\n", "test:3: a neighbour is expected, not 'x'"},
    {"METIS, no header", "% c\n", "test:2: the file ends before its header"},
    {"METIS, no vertices", "%\n0 0\n", "test: the graph has no vertices"},

    {"Matrix Market, array", "%%MatrixMarket matrix array real general\n1 1\n1\n",
     "test:1: a 'matrix coordinate' is expected, not 'array'"},
    {"Matrix Market, complex", MTX "complex general\n",
     "test:1: the field must be integer, real or pattern, not 'complex'"},
    {"Matrix Market, Hermitian", MTX "real hermitian\n",
     "test:1: the symmetry must be general or symmetric, not 'hermitian'"},
    {"Matrix Market, skew", MTX "real skew-symmetric\n", "not 'skew-symmetric'"},
    {"Matrix Market, no symmetry", MTX "real\n", "test:1: the symmetry must be general or symmetric"},
    {"Matrix Market, longer banner", MTX "real general x\n", "test:1: the line should end before 'x'"},
    {"Matrix Market, no size", MTX "real general\n% c\n", "test:3: the file ends before the matrix's size"},
    {"Matrix Market, not square", MTX "pattern general\n2 3 1\n1 1\n",
     "test:2: a graph's matrix is square, not 2 by 3"},
    {"Matrix Market, too few entries", MTX "pattern general\n2 2 2\n1 1\n",
     "test:4: the file ends after 1 of 2 entries"},
    {"Matrix Market, too many entries", MTX "pattern general\n2 2 1\n1 1\n1 2\n", "test:4: all 1 entries have come"},
    {"Matrix Market, row 0", MTX "pattern general\n2 2 1\n0 1\n", "test:3: a row must be from 1 to 2, not '0'"},
    {"Matrix Market, column n + 1", MTX "pattern general\n2 2 1\n1 3\n",
     "test:3: a column must be from 1 to 2, not '3'"},
    {"Matrix Market, upper triangle", MTX "pattern symmetric\n2 2 1\n1 2\n",
     "test:3: a symmetric matrix has no entry above"},
    {"Matrix Market, value in a pattern", MTX "pattern general\n2 2 1\n1 2 5\n",
     "test:3: the line should end before '5'"},
    {"Matrix Market, value missing", MTX "real general\n2 2 1\n1 2\n", "test:3: an entry's value is missing"},
    {"Matrix Market, no number", MTX "real general\n2 2 1\n1 2 x\n", "test:3: an entry's value is expected, not 'x'"},
    {"Matrix Market, half a number", MTX "real general\n2 2 1\n1 2 1e\n",
     "test:3: an entry's value is expected, not '1e'"},
    {"Matrix Market, a point", MTX "real general\n2 2 1\n1 2 .\n", "test:3: an entry's value is expected, not '.'"},
    {"Matrix Market, not a number", MTX "real general\n2 2 1\n1 2 nan\n",
     "test:3: an entry's value is expected, not 'nan'"},
    {"Matrix Market, impossible count", MTX "integer general\n2 2 77777777777\n",
     "test:2: 77777777777 edges are promised"},

    {"SNAP, three numbers", "# c\n1 2\n1 2 3\n", "test:3: the line should end before '3'"},
    {"SNAP, one number", "# c\n1\n", "test:2: one number on the line: a list of vertices"},
    {"LDBC's vertices", "1\n2\n9\n", "test:1: one number on the line: a list of vertices"},
    {"edge list of NetworkX", "0 1 {'weight': 5}\n1 2 {}\n", "test:1: an edge list of NetworkX with data in braces"},
    {"edge list whose second line is longer", "0 1\n1 2 5\n2 3\n", "test:2: the line should end before '5'"},
    {"edge list whose second line is shorter", "5 6 1\n6 7\n7 8 2\n", "test:2: a value is missing at the end of"},
    {"edge list with a value that is no number", "1 2 1\n2 3 nan\n3 1 1\n", "test:2: a value is expected, not 'nan'"},
    {"edge list with an infinite value", "1 2 -inf\n2 3 5\n", "test:1: a value is expected, not '-inf'"},
    {"edge list of names", "a b\nb c\n", "test:1: in none of the known formats"},
    {"METIS with weights, neighbour n + 1", "3 2 1\n4 5\n1 5 3 6\n2 6\n", "test:2: a neighbour must be from 1 to 3"},
    {"edge list, a negative id first", "-1 2\n2 3\n",
     "test:1: a vertex id must be from 0 to 18446744073709551615, not '-1'"},
    {"edge list, an id of 65 bits first", "18446744073709551616 1\n", "not '18446744073709551616'"},
    {"edge list, a real id first", "1.0 2.0\n", "test:1: a vertex id is expected, not '1.0'"},
    {"edge list, a comment behind an edge", "1 2 # c\n2 3\n", "test:1: the line should end before '#'"},
    {"edge list, five numbers", "1 2 3 4 5\n2 3 4 5 6\n", "test:1: the line should end before '3'"},
    {"edge list or METIS, a word", "1 2\n2 x\n",
     "test:2: a neighbour must be from 1 to 1, not '2'; if it is an edge list and no METIS, line 2: a vertex id is"},
    {"edge list that cannot be METIS, a word", "1 2\n# c\nfoo bar\n", "test:3: a vertex id is expected, not 'foo'"},
    {"Graphviz with a name", "graph G {\n a -- b;\n}\n", "test:1: a graph of Graphviz or GML"},
    {"SNAP, a word", "1 2\n3 4\n5 x\n", "test:3: a vertex id is expected, not 'x'"},
    {"SNAP, negative id", "# c\n1 -2\n", "test:2: a vertex id must be from 0 to 18446744073709551615, not '-2'"},
    {"SNAP, id of 65 bits", "# c\n1 18446744073709551616\n", "test:2: a vertex id must be from 0"},
    {"edge list with a line without its value", "0 1 5\n1 2 6\n2 3\n", "test:3: a value is missing at the end of the"},
    {"edge list with a word as its value", "0 1 5\n1 2 6\n2 3 x\n", "test:3: a value is expected, not 'x'"},
    {"edge list or METIS", "3 3\n2 3\n1 3\n1 2\n", "fits the formats metis and snap"},
    {"edge list with a header", "3 2\n1 2\n2 3\n", "test:1: this line is an edge, or says how many"},
    {"Matrix Market without its banner", "4 4 3\n0 2\n2 3\n3 1\n", "test:1: Matrix Market without its banner"},
    {"Matrix Market without its banner, or a list", "3 3 2\n1 2 5\n2 3 6\n", "fits the formats wel and mtx"},
    {"DIMACS colouring, too many edges", "p edge 3 1\ne 1 2\ne 2 3\n", "test:3: all 1 edges have come already"},
    {"DIMACS colouring, too few edges", "p edge 3 4\ne 1 2\n", "test:3: the file ends after 1 of 4 edges"},
    {"DIMACS colouring, vertex n + 1", "p edge 3 1\ne 1 4\n", "test:2: a vertex id must be from 1 to 3, not '4'"},
    {"DIMACS colouring, no problem line", "e 1 4\n", "test:1: the line 'p edge <vertices> <edges>' is expected first"},
    {"coordinates", "c x\np aux sp co 2\nv 1 2 3\n", "test:2: coordinates of a DIMACS graph (.co)"},
    {"KONECT, other counts", "% sym unweighted\n% 3 3 3\n1 2\n", "test:4: the file ends after 1 of 3 edges"},
    {"KONECT, a word", "% sym unweighted\n1 2\n1 x\n", "test:3: a vertex id is expected, not 'x'"},
    {"Ligra, too short", "AdjacencyGraph\n3\n2\n0\n1\n2\n1\n", "test:8: an arc's head is missing at the end of the"},
    {"Ligra, too long", "AdjacencyGraph\n2\n1\n0\n1\n1\n1\n", "test:7: the file goes on after all numbers"},
    {"Ligra, rows that descend", "AdjacencyGraph\n3\n2\n0\n2\n1\n1\n1\n", "test:6: where a row begins must be from 2"},
    {"Ligra, head out of range", "AdjacencyGraph\n2\n1\n0\n1\n2\n", "test:6: an arc's head must be from 0 to 1"},
    {"Ligra, promises too much", "AdjacencyGraph\n2\n99999\n0\n1\n2\n", "test:3: 100001 numbers are promised"},
    {"GraphML", "<?xml version='1.0'?>\n<graphml>\n", "test:1: GraphML"},
    {"GML", "graph [\nnode [ id 1 ] ]\n", "test:1: GML"},
    {"Pajek", "*Vertices 2\n*Arcs\n1 2\n", "test:1: a Pajek network"},
    {"GML behind a comment", "# c\ngraph [\n", "test:2: GML"},
    {"graph6", ">>graph6<<D?{\n", "test:1: graph6"},
    {"PACE, another problem", "p ds 3 1\n1 2\n", "test:1: a DIMACS or PACE problem of a kind that is not read"},
    {"Ligra, a hypergraph", "AdjacencyHypergraph\n3\n", "test:1: a hypergraph of Ligra"},
    {"gzip within gzip", "\x1f\x8b\b", "test:1: packed twice"},
    {"CSV with quotes", "\"source\",\"target\"\n\"1\",\"2\"\n", "test:1: a table (CSV)"},
    {"CSV with a header", "source;target\n1;2\n", "test:1: a table (CSV) whose first line names its columns"},
    {"UTF-16", "\xff\xfe\061", "test:1: text in UTF-16"},
    {"SNAP, comments only", "# c\n# d\n", "test: the graph has no vertices"},
};

static void check(const char *title, const void *bytes, size_t size, const char *part)
{
    struct mu_graph *graph;
    struct mu_error err;
    int status = read_bytes(bytes, size, &graph, &err);
    CHECK(status == MU_INPUT && err.status == MU_INPUT && graph == NULL && strstr(err.message, part) != NULL, "%s: %s",
          title, status == MU_OK ? show(graph) : err.message);
    mu_graph_free(graph);
}

/* Checks a file that was made number by number, and empties it. */
static void check_made(const char *title, struct bytes *bytes, const char *part)
{
    check(title, bytes->data, bytes->size, part);
    bytes->size = 0;
}

/* Checks that negative weights matter to apps with weights alone, unless weights are generated. Empties the file. */
static void check_negative(const char *title, struct bytes *bytes, const char *part)
{
    struct mu_graph *graph = NULL;
    struct mu_error err;
    read_bytes(bytes->data, bytes->size, &graph, &err);
    CHECK(err.status == MU_OK && graph->weight == NULL && strstr(graph->weights_from, part) != NULL &&
              mu_graph_need_weights(graph, &err) == MU_INPUT,
          "%s: negative weights: %s", title, err.message);
    mu_graph_free(graph);
    struct mu_reading reading = {.weights = MU_WEIGHTS_GENERATED};
    graph = NULL;
    err = (struct mu_error){0};
    mu_graph_load_as(make_file("negative", bytes->data, bytes->size), &reading, &graph, &err);
    CHECK(err.status == MU_OK && mu_graph_need_weights(graph, &err) == MU_OK, "%s: … generated instead: %s", title,
          err.message);
    mu_graph_free(graph);
    bytes->size = 0;
}

static void test_texts(void)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check(texts[i].title, texts[i].text, strlen(texts[i].text), texts[i].part);
    check("UTF-32", "\xff\xfe\0\0001\0\0", 8, "test:1: text in UTF-32");
    check("UTF-16 without a mark", "1\0 \0002\0\n", 8, "test:1: text in UTF-16, without");
    static const char zero[] = "p sp 4 1\na 1 2\0003\n";
    check("a zero byte in a text", zero, sizeof zero - 1, "test:2: a weight is expected");
}

/* A file of numbers of one width. */
struct numbers {
    const char *title, *part;
    size_t count;
    int64_t values[8];
};

static void check_numbers(const struct numbers *files, size_t count, unsigned width)
{
    struct bytes bytes = {0};
    for (size_t i = 0; i < count; i++) {
        put_all(&bytes, width, files[i].count, files[i].values);
        check_made(files[i].title, &bytes, files[i].part);
    }
}

/* Version, bytes of a datum, vertices and arcs; where each row ends; the heads, two in a number. */
static void test_galois(void)
{
    static const struct numbers files[] = {
        {"Galois, datum of 8 bytes", "test: byte 8: an edge's datum has 8 bytes", 5, {1, 8, 1, 0, 0}},
        {"Galois, too short", "byte 16: the header asks for 40 bytes, but the file has 32", 4, {1, 4, 1, 0}},
        {"Galois, too long", "byte 16: the header asks for 40 bytes, but the file has 48", 6, {1, 4, 1, 0, 0, 0}},
        {"Galois, sizes that overflow", "byte 16: the file of 32 bytes is too short", 4, {2, 4, -1, -1}},
        {"Galois, rows that descend", "byte 40: row 1 ends at arc 1, not from 2 to 2", 7, {1, 0, 2, 2, 2, 1, 0}},
        {"Galois, arcs without a row", "byte 48: the rows end at arc 1 of 2", 7, {1, 0, 2, 2, 0, 1, 0}},
        {"Galois, a row beyond the arcs", "byte 40: row 1 ends at arc 3", 7, {1, 0, 2, 2, 1, 3, 0}},
        {"Galois, head out of range", "byte 52: vertex 2 of 2", 7, {1, 0, 2, 2, 1, 2, INT64_C(2) << 32 | 1}},
        {"Galois 2, head of 33 bits", "byte 40: vertex 4294967296 of 1", 6, {2, 0, 1, 1, 1, INT64_C(1) << 32}},
        {"Galois, half a header", "byte 24: the file ends within its header", 3, {2, 0, 1}},
        {"Galois, no vertices", "the graph has no vertices", 4, {1, 4, 0, 0}}};
    check_numbers(files, sizeof files / sizeof files[0], 8);
}

/* Vertices and arcs; where the rows begin, and the last ends; heads; weights. */
static void test_ecl(void)
{
    static const struct numbers files[] = {
        {"ECL, first row not at 0", "byte 8: the first row does not begin at arc 0", 6, {2, 1, 1, 1, 1, 0}},
        {"ECL, negative row", "byte 12: row 0 ends at arc 4294967295", 6, {2, 1, 0, -1, 1, 0}},
        {"ECL, negative head", "byte 20: vertex 4294967295 of 2", 6, {2, 1, 0, 1, 1, -1}},
        {"ECL, too long", "no binary format's header agrees with its size of 32 bytes", 8, {2, 1, 0, 1, 1, 0, 5, 6}}};
    struct bytes bytes = {0};
    check_numbers(files, sizeof files / sizeof files[0], 4);
    PUT(&bytes, 4, 2, 1, 0, 1, 1, 0, -5);
    check_negative("ECL", &bytes, "(byte 24: -5)");
}

static void test_gapbs(void)
{
    struct bytes bytes = {0};
    PUT(&bytes, 1, 0);
    PUT(&bytes, 8, 1, 2, 0, 1, 1);
    PUT(&bytes, 4, 1);
    check_made("GAPBS, not symmetric", &bytes, "byte 0: said to be undirected, but some arcs have no opp");
    PUT(&bytes, 1, 1);
    PUT(&bytes, 8, 1, 2, 0, 1, 1);
    PUT(&bytes, 4, 1);
    check("GAPBS, inverse missing", bytes.data, bytes.size, "no binary format's header agrees");
    PUT(&bytes, 8, 0, 1, 1);
    PUT(&bytes, 4, 0);
    check_made("GAPBS, wrong inverse", &bytes, "byte 45: the incoming arcs are not the outgoing ones");
    PUT(&bytes, 1, 0);
    PUT(&bytes, 8, 2, 2, 0, 1, 2);
    PUT(&bytes, 4, 1, -9, 0, -9);
    check_negative("GAPBS, undirected", &bytes, "(byte 45: -9)");
    PUT(&bytes, 1, 1);
    PUT(&bytes, 8, 1, 2, 0, 1, 1);
    PUT(&bytes, 4, 1, -3);
    PUT(&bytes, 8, 0, 0, 1);
    PUT(&bytes, 4, 0, -3);
    check_negative("GAPBS, directed", &bytes, "(byte 45: -3)");
}

/* A valid file of a format; packs the text's graph by the format's own writer. */
static struct bytes valid_file(const struct mu_format *format, const char *text)
{
    struct bytes bytes = {0};
    struct mu_graph *graph = NULL;
    struct mu_error err;
    const char *path = path_of("valid");
    if (read_bytes(text, strlen(text), &graph, &err) != MU_OK) abort();
    if (mu_format_write(format, graph, path, true, &err) != MU_OK) abort();
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) abort();
    bytes.size = fread(bytes.data, 1, sizeof bytes.data, stream);
    fclose(stream);
    mu_graph_free(graph);
    return bytes;
}

/* How many beginnings of the file are taken for a graph. */
static unsigned count_accepted(const struct bytes *bytes)
{
    unsigned accepted = 0;
    for (size_t size = 0; size < bytes->size; size++) {
        struct mu_graph *graph;
        struct mu_error err;
        int status = read_bytes(bytes->data, size, &graph, &err);
        accepted += status == MU_OK || err.message[0] == '\0';
        mu_graph_free(graph);
    }
    return accepted;
}

/* Whatever becomes of the file, reading it either works or says why not. */
static bool survives_flips(const struct bytes *bytes)
{
    static const unsigned char flips[] = {0x01, 0x02, 0x10, 0x40, 0x80, 0xff};
    struct bytes changed = *bytes;
    bool ok = true;
    for (size_t at = 0; at < bytes->size; at++)
        for (size_t i = 0; i < sizeof flips; i++) {
            struct mu_graph *graph;
            struct mu_error err;
            changed.data[at] = bytes->data[at] ^ flips[i];
            int status = read_bytes(changed.data, changed.size, &graph, &err);
            ok = ok && (status == MU_OK) == (graph != NULL) && (status == MU_OK) == (err.message[0] == '\0');
            mu_graph_free(graph);
            changed.data[at] = bytes->data[at];
        }
    return ok;
}

/* What the user says to be in a binary format, but is not. */
static void test_said_binary(void)
{
    static const struct mu_format *const formats[] = {&mu_format_galois, &mu_format_galois2, &mu_format_ecl,
                                                      &mu_format_sg, &mu_format_wsg};
    static const char *const contents[] = {"", "1", "1 2\n2 3\n3 4\n", "%%MatrixMarket matrix coordinate pattern\n"};
    unsigned refused = 0, all = 0;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        for (size_t k = 0; k < sizeof contents / sizeof contents[0]; k++, all++) {
            struct mu_source source = {.path = "test", .bytes = (unsigned char *)strdup(contents[k])};
            struct mu_reading reading = {.format = formats[i]};
            struct mu_graph *graph = NULL;
            struct mu_error err = {0};
            source.size = strlen(contents[k]);
            mu_format_read(&source, &reading, &graph, &err);
            refused += err.status == MU_INPUT && strstr(err.message, "test: byte ") != NULL;
            mu_graph_free(graph);
            free(source.bytes);
        }
    CHECK(refused == all, "%u of %u texts that are said to be binary are refused by their headers", refused, all);
}

static void test_damage(void)
{
    static const char weighted[] = "%%MatrixMarket matrix coordinate integer symmetric\n5 5 6\n2 1 7\n3 1 9\n3 2 1\n"
                                   "4 2 3\n5 4 12\n5 3 70\n";
    /* An ECL file that loses all its weights is an ECL file without weights; nothing in it says otherwise. */
    static const struct {
        const char *format;
        unsigned accepted;
    } binaries[] = {{"galois", 0}, {"galois2", 0}, {"ecl", 1}, {"sg", 0}, {"wsg", 0}};
    mu_memory_limit_set(UINT64_C(1) << 28);
    for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++) {
        struct bytes bytes = valid_file(mu_format_find(binaries[i].format), weighted);
        CHECK(count_accepted(&bytes) == binaries[i].accepted, "%s: %zu bytes, cut short anywhere, are an error",
              binaries[i].format, bytes.size);
    }
    for (const struct mu_format *const *format = mu_formats; *format != NULL; format++) {
        if ((*format)->write == NULL) continue;
        struct bytes bytes = valid_file(*format, weighted);
        CHECK(survives_flips(&bytes), "%s: %zu bytes, with any changed, are read or refused", (*format)->name,
              bytes.size);
    }
    struct bytes directed = valid_file(&mu_format_wsg, "p sp 3 3\na 1 2 7\na 2 3 0\na 1 3 5\n");
    CHECK(count_accepted(&directed) == 0 && survives_flips(&directed), "wsg of a directed graph likewise");
    mu_memory_limit_set(0);
}

static void test_limit(void)
{
    static const char text[] = "p sp 4294967294 0\n";
    struct mu_graph *graph;
    struct mu_error err;
    mu_memory_limit_set(UINT64_C(1) << 30);
    int status = read_bytes(text, strlen(text), &graph, &err);
    CHECK(status == MU_LIMIT && graph == NULL, "a short file that promises a huge graph: %s", err.message);
    mu_memory_limit_set(0);
}

int main(void)
{
    make_folder();
    test_texts();
    test_galois();
    test_ecl();
    test_gapbs();
    test_said_binary();
    test_damage();
    test_limit();
    remove_folder();
    return tap_done();
}
