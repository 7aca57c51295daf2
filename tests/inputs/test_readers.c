/* Every format: hand-made samples. */
#include "inputs/generators/generators.h"
#include "inputs/parallel.h"
#include "tests/inputs/input_files.h"
#include "tests/tap.h"

#define BANNER "%%MatrixMarket matrix coordinate "

static const struct {
    const char *title, *text, *format;
    bool undirected;
    const char *expected;
} samples[] = {
    {"DIMACS with comments, a loop and parallel arcs",
     "c hello\n\np sp 3 5\nc more\na 1 2 7\na 3 3 0\na 2 1 4294967295\na 1 2 5\na 1 1 1\n", "dimacs", false,
     "3: 0>0/1 0>1/5 0>1/7 1>0/4294967295 2>2/0"},
    {"DIMACS without a last newline", "p sp 2 1\na 1 2 3", "dimacs", false, "2: 0>1/3"},
    {"DIMACS with lines ending in CR LF", "c x\r\np sp 2 1\r\na 1 2 3\r\n", "dimacs", false, "2: 0>1/3"},
    {"DIMACS with tabs and blanks", "p sp\t2  1 \na\t1   2\t3  \n\n  \n", "dimacs", false, "2: 0>1/3"},
    {"DIMACS without arcs", "p sp 2 0\n", "dimacs", false, "2:"},
    {"PACE", "c PACE\np tw 4 3\n1 2\nc between\n3 2\n4 4\n", "pace", true, "4: 0>1 1>0 1>2 2>1 3>3"},
    {"METIS, plain", "% comment\n3 2\n2\n1 3\n2\n", "metis", true, "3: 0>1 1>0 1>2 2>1"},
    {"METIS without a comment", "3 2\n2\n1 3\n2\n", "metis", true, "3: 0>1 1>0 1>2 2>1"},
    {"METIS with an isolated last vertex", "3 1\n2\n1\n\n", "metis", true, "3: 0>1 1>0"},
    {"METIS with an isolated vertex and blank lines after the last", "3 1\n3\n\n1\n\n\n", "metis", true, "3: 0>2 2>0"},
    {"METIS with edge weights", "2 1 1\n2 9\n% c\n1 9\n", "metis", true, "2: 0>1/9 1>0/9"},
    {"METIS with edge and vertex weights and sizes", "2 1 111 2\n5 6 7 2 9\n5 6 7 1 9\n", "metis", true,
     "2: 0>1/9 1>0/9"},
    {"METIS with one vertex weight", "2 1 010\n7 2\n7 1\n", "metis", true, "2: 0>1 1>0"},
    {"METIS with parallel edges", "% c\n2 2\n2 2\n1 1\n", "metis", true, "2: 0>1 0>1 1>0 1>0"},
    {"Matrix Market, pattern symmetric", BANNER "pattern symmetric\n% c\n3 3 3\n1 1\n2 1\n3 2\n", "mtx", true,
     "3: 0>0 0>1 1>0 1>2 2>1"},
    {"Matrix Market, integer general", BANNER "integer general\n2 2 2\n1 2 0\n2 2 4294967295\n", "mtx", false,
     "2: 0>1/0 1>1/4294967295"},
    {"Matrix Market, integer symmetric", BANNER "integer symmetric\n2 2 1\n2 1 8\n", "mtx", true, "2: 0>1/8 1>0/8"},
    {"Matrix Market, real: negative coefficients are no weights",
     BANNER "real general\n2 2 5\n1 1 -1.5e-3\n1 2 .5\n2 1 3.\n2 2 +7D4\n2 2 1e9\n", "mtx", false,
     "2: 0>0 0>1 1>0 1>1 1>1"},
    {"Matrix Market in capitals", "%%matrixmarket MATRIX Coordinate Pattern General\n1 1 1\n1 1\n", "mtx", false,
     "1: 0>0"},
    {"SNAP", "# Directed\n# From\tTo\n0\t1\n2\t1\n1\t2\n", "snap", false, "3: 0>1 1>2 2>1"},
    {"SNAP without a comment", "0 1\n1 2\n", "snap", false, "3: 0>1 1>2"},
    {"SNAP of one edge", "5 6\n", "snap", false, "2: 0>1"},
    {"SNAP with far ids", "# x\n9223372036854775807 10\n10 500\n500 500\n", "snap", false, "3: 0>1 1>1 2>0"},
    {"SNAP with ids from 1", "1 2\n3 1\n# end\n", "snap", false, "3: 0>1 2>0"},
    {"SNAP with an id of 64 bits", "# x\n18446744073709551615 1\n", "snap", false, "2: 1>0"},
    {"SNAP, parted by commas, comments of all kinds", "% c\n// c\n; c\n0,1\n1 , 2\n2;0;\n", "snap", false,
     "3: 0>1 1>2 2>0"},
    {"SNAP with a byte-order mark", "\xef\xbb\xbf# c\n0\t1\n1\t2\n", "snap", false, "3: 0>1 1>2"},
    {"SNAP with lines ending in CR", "# c\r0 1\r1 2 \r", "snap", false, "3: 0>1 1>2"},
    {"SNAP of two lines, which is no METIS", "1 2\n2 3\n", "snap", false, "3: 0>1 1>2"},
    {"edge list with weights", "0 1 5\n1 2 7\n", "wel", false, "3: 0>1/5 1>2/7"},
    {"edge list with integral reals, and times", "3,4,1.0,1100000000\n4,3,2e1,1100000000", "wel", false,
     "2: 0>1/1 1>0/20"},
    {"edge list with reals", "2 3 0.69\n2 4 0.32\n3 5 0.14\n", "wel", false, "4: 0>1 0>2 1>3"},
    {"edge list with times", "0 1 1217567877\n1 2 1217573801\n2 0 1217606247\n", "wel", false, "3: 0>1 1>2 2>0"},
    {"DIMACS colouring", "c x\np edge 3 2\nn 1 7\ne 1 2\ne 2 3\n", "col", true, "3: 0>1 1>0 1>2 2>1"},
    {"DIMACS colouring, both directions listed", "p col 3 4\ne 1 2\ne 2 1\ne 3 2\ne 2 3\n", "col", true,
     "3: 0>1 1>0 1>2 2>1"},
    {"DIMACS colouring, both directions listed, one counted", "p col 3 2\ne 1 2\ne 2 1\ne 3 2\ne 2 3\n", "col", true,
     "3: 0>1 1>0 1>2 2>1"},
    {"DIMACS colouring, both directions counted", "p col 3 4\ne 1 2\ne 3 2\n", "col", true, "3: 0>1 1>0 1>2 2>1"},
    {"KONECT, directed, with weights and times", "% asym weighted\n1 2 1 1217567877\n2 3 4 1217567999\n", "konect",
     false, "3: 0>1/1 1>2/4"},
    {"KONECT with counts", "% sym unweighted\n% 2 4 4\n1 2\n2 3\n", "konect", true, "4: 0>1 1>0 1>2 2>1"},
    {"KONECT that counts parallel edges", "% asym positive\n1 2 3\n", "konect", false, "2: 0>1"},
    {"KONECT of two parts", "% bip weighted\n1 1 5\n1 2 7\n2 2 9\n", "konect", true,
     "4: 0>2/5 0>3/7 1>3/9 2>0/5 3>0/7 3>1/9"},
    {"Ligra", "AdjacencyGraph\n3\n2\n0\n1\n2\n1\n2\n", "adj", false, "3: 0>1 1>2"},
    {"Ligra on one line", "AdjacencyGraph 3 2 0 1 2 1 2\n", "adj", false, "3: 0>1 1>2"},
    {"Ligra with weights", "WeightedAdjacencyGraph\n3\n2\n0\n1\n2\n1\n2\n5\n6\n", "adj", false, "3: 0>1/5 1>2/6"},
    {"Matrix Market, one percent sign", "%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n", "mtx",
     true, "3: 0>1 1>0 1>2 2>1"},
    {"Matrix Market, three percent signs", "%%% MatrixMarket matrix coordinate pattern general\n3 3 1\n2 1\n", "mtx",
     false, "3: 1>0"},
    {"Matrix Market, unsigned-integer", BANNER "unsigned-integer general\n2 2 1\n2 1 5\n", "mtx", false, "2: 1>0/5"},
    {"Matrix Market, real: whole numbers are weights", BANNER "real symmetric\n3 3 2\n2 1 5.0\n3 2 70e-1\n", "mtx",
     true, "3: 0>1/5 1>0/5 1>2/7 2>1/7"},
    {"METIS ring with a comment", "% ring\n3 3\n2 3\n1 3\n1 2\n", "metis", true, "3: 0>1 0>2 1>0 1>2 2>0 2>1"},
};

static void test_samples(void)
{
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct mu_graph *graph = NULL;
        struct mu_error err;
        int status = read_bytes(samples[i].text, strlen(samples[i].text), &graph, &err);
        CHECK(status == MU_OK && strcmp(graph->format, samples[i].format) == 0 &&
                  graph->undirected == samples[i].undirected && strcmp(show(graph), samples[i].expected) == 0,
              "%s", samples[i].title);
        if (status != MU_OK) printf("# %s\n", err.message);
        if (graph != NULL) printf("# %s %d %s\n", graph->format, graph->undirected, show(graph));
        mu_graph_free(graph);
    }
}

/* The same values under each rule for weights; where none are made, apps that need some are told why. */
static void test_weights(void)
{
    static const char real[] = "2 3 0.69\n2 4 10\n", whole[] = "2 3 1\n2 4 4294967295\n", none[] = "2 3\n2 4\n",
                      times[] = "2 3 1217567877\n2 4 1217567878\n",
                      ligra[] = "WeightedAdjacencyGraph\n2\n1\n0\n1\n1\n2.5\n";
    static const struct {
        const char *text;
        double weights;
        const char *expected, *why; /* the graph, or the refusal to an app that needs weights */
    } cases[] = {
        {whole, MU_WEIGHTS_AUTO, "3: 0>1/1 0>2/4294967295", "from the input"},
        {whole, MU_WEIGHTS_FILE, "3: 0>1/1 0>2/4294967295", "from the input"},
        {whole, MU_WEIGHTS_GENERATED, "3: 0>1 0>2", "generated (--weights=generated)"},
        {whole, 2.5, NULL,
         "test: the file's values are not all numbers that give weights from 0 to 4294967295 (line 2: "
         "'4294967295')"},
        {real, MU_WEIGHTS_AUTO, NULL, "(line 1: '0.69'); --weights= takes"},
        {real, MU_WEIGHTS_FILE, NULL, "(line 1: '0.69'); --weights= takes"},
        {real, MU_WEIGHTS_ROUNDED, "3: 0>1/1 0>2/10", "from the input, times 1, rounded"},
        {real, 100, "3: 0>1/69 0>2/1000", "from the input, times 100, rounded"},
        {real, MU_WEIGHTS_GENERATED, "3: 0>1 0>2", "generated (--weights=generated)"},
        {ligra, MU_WEIGHTS_AUTO, NULL, "(line 7: '2.5'); --weights= takes"},
        {ligra, MU_WEIGHTS_GENERATED, "2: 0>1", "generated (--weights=generated)"},
        {ligra, 10, "2: 0>1/25", "from the input, times 10, rounded"},
        {none, MU_WEIGHTS_AUTO, "3: 0>1 0>2", "generated (the input has none)"},
        {none, MU_WEIGHTS_FILE, NULL, "test: the input has no weights"},
        {times, MU_WEIGHTS_AUTO, NULL, "test: the file's values look like times (from 1217567877 on)"},
        {times, MU_WEIGHTS_FILE, "3: 0>1/1217567877 0>2/1217567878", "from the input"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mu_source source = {.path = "test", .bytes = (unsigned char *)strdup(cases[i].text)};
        struct mu_reading reading = {.weights = cases[i].weights};
        struct mu_graph *graph = NULL;
        struct mu_error err = {0};
        char name[] = "test";
        source.size = strlen(cases[i].text);
        mu_format_read(&source, &reading, &graph, &err);
        if (err.status == MU_OK) graph->name = name;
        const bool right = err.status == MU_OK && cases[i].expected != NULL
                               ? strcmp(show(graph), cases[i].expected) == 0 &&
                                     strcmp(graph->weights_from, cases[i].why) == 0 &&
                                     mu_graph_need_weights(graph, &err) == MU_OK
                               : err.status == MU_OK && mu_graph_need_weights(graph, &err) == MU_INPUT &&
                                     strstr(err.message, cases[i].why) != NULL;
        CHECK(right, "--weights as %g, case %zu: %s", cases[i].weights, i, err.message);
        if (graph != NULL) graph->name = NULL;
        mu_graph_free(graph);
        free(source.bytes);
    }
}

/* A file that is read in several blocks, by several threads, with a line across each border; with the same errors. */
static void test_blocks(void)
{
    enum { ARCS = 700000 };
    char *text = malloc(ARCS * 16 + 64);
    if (text == NULL) abort();
    size_t size = (size_t)sprintf(text, "# many\n");
    for (unsigned i = 0; i < ARCS; i++)
        size += (size_t)sprintf(text + size, "%u %u\n", i * 7919 % 100003, i * 104729 % 99991);
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        struct mu_graph *graph = NULL, *large = NULL;
        struct mu_error err = {0};
        mu_parallel_set_threads(threads);
        CHECK(read_bytes(text, size, &graph, &err) == MU_OK && graph->edges == ARCS, "in memory, %u threads: %s",
              threads, err.message);
        err = (struct mu_error){0};
        CHECK(mu_graph_load(make_file("large", text, size), 0, &large, &err) == MU_OK && mu_graph_equal(graph, large),
              "from a file, %u threads: %s", threads, err.message);
        mu_graph_free(graph);
        mu_graph_free(large);
        graph = NULL;
        const size_t longer = size + (size_t)sprintf(text + size, "5 x\n7 y\n");
        err = (struct mu_error){0};
        CHECK(mu_graph_load(make_file("large", text, longer), 0, &graph, &err) == MU_INPUT &&
                  strstr(err.message, "large:700002: a vertex id is expected, not 'x'") != NULL,
              "the first bad line is named: %s", err.message);
    }
    mu_parallel_set_threads(0);
    free(text);
}

/* Ids of which two of three do not occur, and ids so far apart that a table finds them, which grows; with as many arcs
 * as several threads share: the same graph as without gaps. */
static void test_gaps(void)
{
    enum { ARCS = 80000, IDS = 20011, LINE_BYTES = 40, CASES = 3 };
    static const uint64_t steps[CASES] = {1, 3, UINT64_C(1) << 40};
    char *text = malloc(ARCS * LINE_BYTES + 1);
    struct mu_graph *graph[CASES] = {NULL};
    struct mu_error err = {0};
    if (text == NULL) abort();
    for (unsigned gaps = 0; gaps < CASES; gaps++) {
        const uint64_t step = steps[gaps];
        size_t size = 0;
        for (uint64_t i = 0; i < ARCS; i++)
            size += (size_t)sprintf(text + size, "%" PRIu64 " %" PRIu64 "\n", i % IDS * step, i * 7919 % IDS * step);
        read_bytes(text, size, &graph[gaps], &err);
        CHECK(err.status == MU_OK && mu_graph_equal(graph[0], graph[gaps]), "gaps between ids change nothing: %s",
              err.message);
        bool right = graph[gaps] != NULL && (graph[gaps]->outside_id != NULL) == (gaps > 0);
        for (uint32_t v = 0; right && gaps > 0 && v < IDS; v++) right = graph[gaps]->outside_id[v] == step * v;
        CHECK(right, "and the ids are kept");
    }
    for (unsigned gaps = 0; gaps < CASES; gaps++) mu_graph_free(graph[gaps]);
    free(text);
}

static void test_outside_ids(void)
{
    static const char far[] = "# x\n70 10\n10 5000000000\n", near[] = "1 2\n3 1\n1 3\n", plain[] = "0 1\n1 2\n";
    struct mu_graph *graph;
    struct mu_error err;
    bool ok = read_bytes(far, strlen(far), &graph, &err) == MU_OK && graph->outside_id != NULL;
    CHECK(ok && graph->outside_id[0] == 10 && graph->outside_id[1] == 70 && graph->outside_id[2] == 5000000000,
          "far ids are kept");
    mu_graph_free(graph);
    ok = read_bytes(near, strlen(near), &graph, &err) == MU_OK && graph->outside_id != NULL;
    CHECK(ok && graph->outside_id[0] == 1 && graph->outside_id[2] == 3, "ids from 1 are kept");
    mu_graph_free(graph);
    ok = read_bytes(plain, strlen(plain), &graph, &err) == MU_OK;
    CHECK(ok && graph->outside_id == NULL, "ids that are positions are not");
    mu_graph_free(graph);
}

static void check_bytes(const struct bytes *bytes, const char *format, bool undirected, const char *expected)
{
    struct mu_graph *graph;
    struct mu_error err;
    int status = read_bytes(bytes->data, bytes->size, &graph, &err);
    CHECK(status == MU_OK && strcmp(graph->format, format) == 0 && graph->undirected == undirected &&
              strcmp(show(graph), expected) == 0,
          "%s, made by hand: %s", format, expected);
    if (status != MU_OK) printf("# %s\n", err.message);
    mu_graph_free(graph);
}

static void test_binary_samples(void)
{
    struct bytes galois = {0}, unpadded = {0}, galois2 = {0}, ecl = {0}, light_ecl = {0}, sg = {0}, wsg = {0};
    PUT(&galois, 8, 1, 4, 3, 3, /* ends */ 2, 2, 3);
    PUT(&galois, 4, 2, 1, 0, /* padding */ 0, /* weights */ 20, 10, -1);
    check_bytes(&galois, "galois", false, "3: 0>1/10 0>2/20 2>0/4294967295");
    PUT(&unpadded, 8, 1, 4, 2, 3, /* ends */ 2, 3);
    PUT(&unpadded, 4, 0, 1, 0, /* weights, at once */ 5, 6, 7);
    check_bytes(&unpadded, "galois", false, "2: 0>0/5 0>1/6 1>0/7");
    PUT(&galois2, 8, 2, 0, 2, 1, /* ends */ 0, 1, /* heads */ 0);
    check_bytes(&galois2, "galois2", false, "2: 1>0");
    PUT(&ecl, 4, 2, 2, /* rows */ 0, 1, 2, /* heads */ 1, 0, /* weights */ 5, 6);
    check_bytes(&ecl, "ecl", false, "2: 0>1/5 1>0/6");
    PUT(&light_ecl, 4, 2, 2, 0, 1, 2, 1, 0);
    check_bytes(&light_ecl, "ecl", false, "2: 0>1 1>0");
    PUT(&sg, 1, 1);
    PUT(&sg, 8, /* edges */ 1, /* vertices */ 2, /* rows */ 0, 1, 1);
    PUT(&sg, 4, 1);
    PUT(&sg, 8, /* rows of the inverse */ 0, 0, 1);
    PUT(&sg, 4, 0);
    check_bytes(&sg, "sg", false, "2: 0>1");
    PUT(&wsg, 1, 0);
    PUT(&wsg, 8, 2, 2, 0, 1, 2);
    PUT(&wsg, 4, 1, 9, 0, 9);
    check_bytes(&wsg, "wsg", true, "2: 0>1/9 1>0/9");
}

static void test_missing_files(void)
{
    struct mu_graph *graph = NULL;
    struct mu_error err = {0};
    int status = mu_graph_load(path_of("nothing"), 0, &graph, &err);
    bool lists = true;
    for (const struct mu_generator *const *generator = mu_generators; *generator != NULL; generator++)
        lists = lists && (strstr(err.message, (*generator)->syntax) != NULL) == ((*generator)->generate != NULL);
    CHECK(status == MU_USAGE && lists, "no such file, and all generators of graphs: %s", err.message);
    err = (struct mu_error){0};
    CHECK(mu_graph_load(folder, 0, &graph, &err) == MU_IO, "a folder: %s", err.message);
    err = (struct mu_error){0};
    status = mu_graph_load(make_file("empty", "", 0), 0, &graph, &err);
    CHECK(status == MU_INPUT && strstr(err.message, "empty") != NULL, "an empty file: %s", err.message);
}

int main(void)
{
    make_folder();
    test_samples();
    test_weights();
    test_blocks();
    test_gaps();
    test_outside_ids();
    test_binary_samples();
    test_missing_files();
    remove_folder();
    return tap_done();
}
