/* Every writer, read back; what a format cannot hold is refused; and no failure harms a file that was there before. */
#include "base/memory.h"
#include "tests/inputs/input_files.h"
#include "tests/tap.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* What each format makes of a graph: '=' holds it, 'w' gives it weights, 'l' loses something and so wants --lossy, '-'
 * refuses it. */
static const struct {
    const char *specification, *text;
    struct {
        const char *format;
        char outcome;
    } outcomes[10];
} conversions[] = {
    {"grid2d:7x5",
     NULL,
     {{"dimacs", 'w'},
      {"pace", '='},
      {"metis", '='},
      {"mtx", '='},
      {"snap", '='},
      {"galois", '='},
      {"galois2", '='},
      {"ecl", '='},
      {"sg", '='},
      {"wsg", 'w'}}},
    {"road:12",
     NULL,
     {{"dimacs", '='},
      {"pace", 'l'},
      {"metis", '='},
      {"mtx", '='},
      {"snap", 'l'},
      {"galois", '='},
      {"galois2", '='},
      {"ecl", '='},
      {"sg", 'l'},
      {"wsg", '='}}},
    {"rmat:6:2",
     NULL,
     {{"dimacs", 'w'},
      {"pace", '='},
      {"metis", '='},
      {"mtx", '='},
      {"snap", 'l'},
      {"galois", '='},
      {"galois2", '='},
      {"ecl", '='},
      {"sg", '='},
      {"wsg", 'w'}}},
    {"a directed multigraph",
     "p sp 3 5\na 1 2 7\na 3 3 0\na 1 2 5\na 2 3 9\na 1 1 2147483647\n",
     {{"dimacs", '='},
      {"pace", '-'},
      {"metis", '-'},
      {"mtx", '='},
      {"snap", 'l'},
      {"galois", '='},
      {"galois2", '='},
      {"ecl", '='},
      {"sg", 'l'},
      {"wsg", '='}}},
    {"a weight of 32 bits",
     "p sp 2 1\na 1 2 2147483648\n",
     {{"dimacs", '='},
      {"pace", '-'},
      {"metis", '-'},
      {"mtx", '='},
      {"snap", 'l'},
      {"galois", '='},
      {"galois2", '='},
      {"ecl", '-'},
      {"sg", 'l'},
      {"wsg", '-'}}},
    {"an undirected multigraph with a loop",
     "p tw 3 4\n1 2\n2 1\n3 3\n2 3\n",
     {{"dimacs", 'w'},
      {"pace", '='},
      {"metis", '-'},
      {"mtx", '='},
      {"snap", '='},
      {"galois", '='},
      {"galois2", '='},
      {"ecl", '='},
      {"sg", '='},
      {"wsg", 'w'}}},
};

/* What happened, in the letters of the table; '!' for anything else. */
static char convert(struct mu_graph *graph, const struct mu_format *format)
{
    const char *path = path_of("converted");
    struct mu_error err = {0};
    char outcome = '=';
    int status = mu_format_write(format, graph, path, false, &err);
    if (status == MU_USAGE) {
        outcome = 'l';
        if (mu_format_write(format, graph, path, true, NULL) != MU_OK) return '-';
    } else if (status != MU_OK) {
        return '!';
    }
    struct mu_graph *again = NULL;
    err = (struct mu_error){0};
    if (mu_graph_load(path, 0, &again, &err) != MU_OK || strcmp(again->format, format->name) != 0) outcome = '!';
    if (outcome == '=' && graph->weight == NULL && again->weight != NULL) {
        if (mu_graph_need_weights(graph, NULL) != MU_OK) outcome = '!';
        if (outcome == '=') outcome = 'w';
    }
    if ((outcome == '=' || outcome == 'w') &&
        (!mu_graph_equal(graph, again) || mu_graph_hash(graph) != mu_graph_hash(again)))
        outcome = '!';
    if (outcome == 'l' && again->edges != graph->edges) outcome = '!';
    mu_graph_free(again);
    unlink(path);
    return outcome;
}

static void test_conversions(void)
{
    for (size_t i = 0; i < sizeof conversions / sizeof conversions[0]; i++)
        for (size_t j = 0; j < 10; j++) {
            struct mu_graph *graph = NULL;
            struct mu_error err = {0};
            if (conversions[i].text != NULL)
                read_bytes(conversions[i].text, strlen(conversions[i].text), &graph, &err);
            else
                mu_graph_load(conversions[i].specification, 3, &graph, &err);
            if (graph == NULL) abort();
            const struct mu_format *format = mu_format_find(conversions[i].outcomes[j].format);
            char outcome = convert(graph, format);
            CHECK(outcome == conversions[i].outcomes[j].outcome, "%s to %s: '%c'", conversions[i].specification,
                  format->name, outcome);
            mu_graph_free(graph);
        }
}

static void test_suffixes(void)
{
    bool all = true;
    for (const struct mu_format *const *format = mu_formats; *format != NULL; format++) {
        char path[64];
        if ((*format)->write == NULL) continue;
        snprintf(path, sizeof path, "folder.x/name%s", (*format)->suffixes[0]);
        all = all && mu_format_of_path(path) == *format && mu_format_find((*format)->name) == *format;
    }
    CHECK(all, "every format has a name and a suffix of its own");
    CHECK(mu_format_of_path("x.jpeg") == NULL && mu_format_of_path(".gr") == NULL && mu_format_find("x") == NULL,
          "other suffixes and names stand for none");
}

/* Tries one arc more than a format has room for: nothing else of the graph is looked at. */
static void test_room(void)
{
    for (const struct mu_format *const *format = mu_formats; *format != NULL; format++) {
        const struct mu_graph arcs = {.vertices = 1, .edges = (*format)->max_edges + 1};
        struct mu_error err = {0};
        if ((*format)->write == NULL || (*format)->max_edges == UINT64_MAX) continue;
        CHECK(mu_format_write(*format, &arcs, "refused", true, &err) == MU_USAGE &&
                  strstr(err.message, "too many arcs") != NULL,
              "%s: an arc too many: %s", (*format)->name, err.message);
    }
}

static bool has_content(const char *path, const char *content)
{
    char text[64] = "";
    FILE *stream = fopen(path, "r");
    if (stream == NULL) return false;
    size_t length = fread(text, 1, sizeof text - 1, stream);
    fclose(stream);
    return length == strlen(content) && strcmp(text, content) == 0;
}

static void test_failing_disk(void)
{
    struct mu_graph *graph = NULL;
    struct mu_error err = {0};
    const struct rlimit small = {1000, RLIM_INFINITY}, none = {RLIM_INFINITY, RLIM_INFINITY};
    if (mu_graph_load("grid2d:100", 0, &graph, &err) != MU_OK) abort();
    const char *path = make_file("kept.gr", "old", 3);
    const unsigned files = count_files();
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    int status = mu_format_write(&mu_format_dimacs, graph, path, false, &err);
    setrlimit(RLIMIT_FSIZE, &none);
    CHECK(status == MU_IO && strstr(err.message, "kept.gr") != NULL, "no room left: %s", err.message);
    CHECK(has_content(path, "old") && count_files() == files, "the old file stays, and no other is left behind");
    err = (struct mu_error){0};
    status = mu_format_write(&mu_format_dimacs, graph, path_of("no/such/folder.gr"), false, &err);
    CHECK(status == MU_IO, "no such folder: %s", err.message);
    if (access("/dev/full", W_OK) == 0) {
        err = (struct mu_error){0};
        status = mu_format_write(&mu_format_dimacs, graph, "/dev/full", false, &err);
        struct stat about;
        CHECK(status == MU_IO && stat("/dev/full", &about) == 0 && S_ISCHR(about.st_mode), "a full device: %s",
              err.message);
    } else {
        tap_skip("a full device", "there is no /dev/full");
    }
    mu_graph_free(graph);
}

static void test_links(void)
{
    struct mu_graph *graph = NULL;
    struct stat about;
    if (mu_graph_load("grid2d:2x1", 0, &graph, NULL) != MU_OK) abort();
    const char *target = make_file("target.pace", "old", 3), *link = path_of("link.pace");
    if (symlink(target, link) != 0) abort();
    int status = mu_format_write(&mu_format_pace, graph, link, false, NULL);
    CHECK(status == MU_OK && lstat(link, &about) == 0 && S_ISLNK(about.st_mode) &&
              has_content(target, "p tw 2 1\n1 2\n"),
          "a symbolic link stays, and its target is written");
    mu_graph_free(graph);
}

static uint64_t most_in_use;

static int note_use(uint64_t in_use, uint64_t bytes, const char *what, struct mu_error *err)
{
    (void)what, (void)err;
    if (in_use + bytes > most_in_use) most_in_use = in_use + bytes;
    return MU_OK;
}

/* What a reader takes beside the file's content is the graph, and once more its rows. */
static void test_memory(void)
{
    enum { SLACK = 1 << 16 };
    static const struct mu_format *const formats[] = {&mu_format_galois, &mu_format_galois2, &mu_format_ecl,
                                                      &mu_format_metis};
    struct mu_graph *graph = NULL;
    struct mu_error err = {0};
    CHECK(mu_graph_load("uniform:13:16", 1, &graph, &err) == MU_OK, "a graph: %s", err.message);
    if (graph == NULL) return;
    const uint64_t rows = (graph->vertices + UINT64_C(1)) * sizeof *graph->row_start;
    const uint64_t size = rows + graph->edges * (graph->weight != NULL ? 8 : 4);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct mu_graph *read = NULL;
        struct stat about = {0};
        const char *path = make_file("memory", "", 0);
        CHECK(mu_format_write(formats[i], graph, path, false, &err) == MU_OK && stat(path, &about) == 0, "written: %s",
              err.message);
        most_in_use = 0;
        const uint64_t before = mu_memory_in_use();
        mu_memory_set_judge(note_use);
        mu_graph_load(path, 1, &read, &err);
        mu_memory_set_judge(NULL);
        CHECK(read != NULL && mu_graph_equal(read, graph), "%s is read: %s", formats[i]->name, err.message);
        const uint64_t took = most_in_use - before, most = (uint64_t)about.st_size + size + rows + SLACK;
        CHECK(took >= size && took <= most, "%s takes no more than the content, the graph and its rows: %ju of %ju",
              formats[i]->name, (uintmax_t)took, (uintmax_t)most);
        mu_graph_free(read);
    }
    mu_graph_free(graph);
}

int main(void)
{
    make_folder();
    test_memory();
    test_conversions();
    test_suffixes();
    test_room();
    test_failing_disk();
    test_links();
    remove_folder();
    return tap_done();
}
