/* muster graph: what an input is, and its conversion to another format. */
#include "base/json.h"
#include "base/memory.h"
#include "base/sink.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/commands/describe.h"
#include "harness/run/options.h"
#include "harness/run/reading_progress.h"
#include "inputs/formats/formats.h"
#include "inputs/generators/generators.h"
#include "inputs/graph/stats.h"
#include "inputs/input.h"

#include <argp.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { DEFAULT_SEED = 1 };

enum option_key { KEY_CONVERT = 256, KEY_FORMAT, KEY_INPUT_FORMAT, KEY_LOSSY, KEY_SEED, KEY_WEIGHTS, KEY_JSON };

struct arguments {
    const char *input, *convert, *format;
    struct mu_value input_format, weights;
    uint64_t seed;
    bool json, lossy;
    struct mu_error err;
};

struct report {
    const struct mu_graph *graph;
    const struct mu_reading *reading;
    struct mu_graph_stats stats;
    uint64_t seed, hash;
    double load_seconds;
};

static const struct argp_option options[] = {
    {"convert", KEY_CONVERT, "FILE", 0,
     "Also write the graph to FILE, or the mesh to FILE.node, FILE.ele and FILE.poly (default: write nothing)", 0},
    {"format", KEY_FORMAT, "NAME", 0, "The format to write (default: by the suffix of FILE)", 0},
    {"input-format", KEY_INPUT_FORMAT, "NAME", 0, "The format of INPUT, see muster list formats (default: by content)",
     0},
    {"weights", KEY_WEIGHTS, "RULE", 0,
     "Which weights the graph gets: auto, file, generated, rounded or scaled:K (default: auto)", 0},
    {"lossy", KEY_LOSSY, NULL, 0, "Write even if weights or isolated vertices are lost (default: an error)", 0},
    {"seed", KEY_SEED, "NUMBER", 0, "Seed of the generators (default: 1)", 0},
    {"json", KEY_JSON, NULL, 0, "Print a JSON object (default: text)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case KEY_CONVERT:
        arguments->convert = text;
        return 0;
    case KEY_FORMAT:
        arguments->format = text;
        return 0;
    case KEY_INPUT_FORMAT:
        mu_option_parse(&mu_test_options[MU_TEST_input_format], text, &arguments->input_format, &arguments->err);
        return 0;
    case KEY_WEIGHTS:
        mu_option_parse(&mu_test_options[MU_TEST_weights], text, &arguments->weights, &arguments->err);
        return 0;
    case KEY_LOSSY:
        arguments->lossy = true;
        return 0;
    case KEY_JSON:
        arguments->json = true;
        return 0;
    case KEY_SEED:
        mu_parse_number("seed", text, 0, INT64_MAX, &arguments->seed, &arguments->err);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->input != NULL) argp_error(state, "one input at a time, not also '%s'", text);
        arguments->input = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which input? A file or a generator");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Puts the tables of generators and formats at the end of the help text. */
static char *help_filter(int key, const char *text, void *input)
{
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC) return (char *)(uintptr_t)text;
    char *help = NULL;
    size_t help_bytes;
    FILE *stream = open_memstream(&help, &help_bytes);
    if (stream == NULL) return NULL;
    fprintf(stream, "Generators; the graphs are undirected:\n");
    for (const struct mu_generator *const *generator = mu_generators; *generator != NULL; generator++)
        fprintf(stream, "  %-16s %s\n", (*generator)->syntax, (*generator)->purpose);
    fprintf(stream, "\nFormats, told by content when read, plain or packed by gzip, xz, bzip2 or zstd; the suffix is "
                    "for writing:\n");
    for (const struct mu_format *const *format = mu_formats; *format != NULL; format++)
        fprintf(stream, "  %-7s %-9s %s\n", (*format)->name, (*format)->write != NULL ? (*format)->suffixes[0] : "",
                (*format)->purpose);
    fprintf(stream,
            "\nMeshes are read from and written to the .node, .ele and .poly files of the program Triangle.\n"
            "\nOne input may take half of the machine's memory; MUSTER_MEMORY_LIMIT, in MiB, sets another limit.\n");
    if (fclose(stream) == 0) return help;
    free(help);
    return NULL;
}

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t class_first(unsigned degree_class)
{
    return degree_class == 0 ? 0 : UINT64_C(1) << (degree_class - 1);
}

static uint64_t class_last(unsigned degree_class)
{
    return degree_class == 0 ? 0 : 2 * (class_first(degree_class) - 1) + 1;
}

static void print_histogram(const struct mu_graph_stats *stats)
{
    for (unsigned i = 0; i < stats->degree_classes; i++) {
        char range[48];
        int length = snprintf(range, sizeof range, "%" PRIu64, class_first(i));
        if (class_last(i) > class_first(i))
            snprintf(range + length, sizeof range - (size_t)length, "-%" PRIu64, class_last(i));
        printf("  degree %-12s %" PRIu64 "\n", range, stats->degree_class[i]);
    }
}

static const char *yes_or_no(bool value)
{
    return value ? "yes" : "no";
}

/* Prints what reading the input has shown: format, time, what was dropped. */
static void print_reading(const struct report *report)
{
    const struct mu_reading *reading = report->reading;
    const struct mu_graph *graph = report->graph;
    mu_describe_name(graph->name);
    printf("format      %s%s%s\n", graph->format, reading->why[0] != '\0' ? ", told by " : "", reading->why);
    if (reading->remark[0] != '\0') printf("note        %s\n", reading->remark);
    if (reading->bytes != 0) printf("skipped     %" PRIu64 " lines of comments or blanks\n", reading->skipped);
}

static void print_weights(const struct mu_graph *graph, const struct mu_graph_stats *stats)
{
    if (graph->weight != NULL)
        printf("weights     %" PRIu32 " to %" PRIu32 ", %s\n", stats->weight_min, stats->weight_max,
               graph->weights_from);
    else if (graph->weights_refused)
        printf("weights     none: %s; apps that use weights need --weights\n", graph->weights_from);
    else
        printf("weights     none; for apps that use them %s\n", graph->weights_from);
}

static void print_text(const struct report *report)
{
    const struct mu_graph *graph = report->graph;
    const struct mu_graph_stats *stats = &report->stats;
    print_reading(report);
    printf("vertices    %" PRIu32 "\n", graph->vertices);
    printf("edges       %" PRIu64 " arcs\n", graph->edges);
    printf("undirected  %s\n", yes_or_no(graph->undirected));
    printf("symmetric   %s\n", yes_or_no(stats->symmetric));
    print_weights(graph, stats);
    printf("degree      min %" PRIu64 ", median %g, mean %.2f, max %" PRIu64 "\n", stats->degree_min,
           stats->degree_median, stats->degree_mean, stats->degree_max);
    print_histogram(stats);
    printf("isolated    %" PRIu64 "\n", stats->isolated);
    printf("loops       %" PRIu64 "\n", stats->loops);
    printf("parallel    %" PRIu64 "\n", stats->parallel);
    printf("components  %" PRIu64 ", the largest of %" PRIu64 " vertices\n", stats->components,
           stats->largest_component);
    printf("hash        %016" PRIx64 "\n", report->hash);
    printf("load        %.3f s", report->load_seconds);
    if (report->reading->bytes != 0 && report->load_seconds > 0)
        printf(", %.0f MB/s", 1e-6 * (double)report->reading->bytes / report->load_seconds);
    printf("\n");
}

static json_t *json_histogram(const struct mu_graph_stats *stats)
{
    struct mu_json classes = mu_json_array();
    for (unsigned i = 0; i < stats->degree_classes; i++)
        mu_json_append(&classes, json_pack("{s:I, s:I, s:I}", "from", (json_int_t)class_first(i), "to",
                                           (json_int_t)class_last(i), "vertices", (json_int_t)stats->degree_class[i]));
    return mu_json_take(&classes, "a histogram", NULL);
}

static json_t *json_report(const struct report *report)
{
    const struct mu_graph *graph = report->graph;
    const struct mu_graph_stats *stats = &report->stats;
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, report->hash);
    json_t *weights = graph->weight == NULL ? json_null()
                                            : json_pack("{s:I, s:I}", "min", (json_int_t)stats->weight_min, "max",
                                                        (json_int_t)stats->weight_max);
    json_t *degree =
        json_pack("{s:I, s:f, s:f, s:I, s:o}", "min", (json_int_t)stats->degree_min, "median", stats->degree_median,
                  "mean", stats->degree_mean, "max", (json_int_t)stats->degree_max, "histogram", json_histogram(stats));
    json_t *components = json_pack("{s:I, s:I}", "count", (json_int_t)stats->components, "largest",
                                   (json_int_t)stats->largest_component);
    const struct mu_reading *reading = report->reading;
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:s, s:I, s:I, s:I, s:b, s:b, s:o, s:o, s:I, s:I, s:I, s:o, s:s, s:f}",
                     "name", graph->name, "format", graph->format, "format_why", reading->why, "note", reading->remark,
                     "skipped_lines", (json_int_t)reading->skipped, "weights_from", graph->weights_from, "seed",
                     (json_int_t)report->seed, "vertices", (json_int_t)graph->vertices, "edges",
                     (json_int_t)graph->edges, "undirected", graph->undirected, "symmetric", stats->symmetric,
                     "weights", weights, "degree", degree, "isolated", (json_int_t)stats->isolated, "loops",
                     (json_int_t)stats->loops, "parallel", (json_int_t)stats->parallel, "components", components,
                     "hash", hash, "load_s", report->load_seconds);
}

static const struct mu_format *output_format(const struct arguments *arguments, struct mu_error *err)
{
    char names[256];
    mu_format_list(names, sizeof names);
    const struct mu_format *format =
        arguments->format != NULL ? mu_format_find(arguments->format) : mu_format_of_path(arguments->convert);
    if (format == NULL && arguments->format != NULL)
        mu_fail(err, MU_USAGE, "no format '%s'; there are %s", arguments->format, names);
    else if (format == NULL)
        mu_fail(err, MU_USAGE, "the suffix of '%s' stands for no format; say --format= and one of %s",
                arguments->convert, names);
    if (format == NULL || format->write != NULL) return format;
    mu_fail(err, MU_USAGE, "the format %s is only read", format->name);
    return NULL;
}

static int describe(const struct arguments *arguments, const struct mu_reading *reading, const struct mu_graph *graph,
                    double load_seconds, struct mu_error *err)
{
    struct report report = {.graph = graph, .reading = reading, .seed = arguments->seed, .load_seconds = load_seconds};
    int status = mu_graph_stats(graph, &report.stats, err);
    if (status != MU_OK) return status;
    report.hash = mu_graph_hash(graph);
    if (arguments->json)
        status = mu_print_json(json_report(&report), 9, err);
    else
        print_text(&report);
    if (status == MU_OK && mu_finish_output(err) != MU_OK) status = err->status;
    return status;
}

static int load_and_describe(const struct arguments *arguments, struct mu_graph **graph, struct mu_error *err)
{
    const double start = now_seconds();
    struct mu_reading reading = {.seed = arguments->seed, .weights = arguments->weights.real};
    if (arguments->input_format.from == MU_FROM_OPTION && arguments->input_format.number != MU_FORMAT_AUTO)
        reading.format = mu_formats[arguments->input_format.number];
    reading.progress = mu_show_reading;
    int status = mu_graph_load_as(arguments->input, &reading, graph, err);
    mu_show_reading(0, 0);
    return status == MU_OK ? describe(arguments, &reading, *graph, now_seconds() - start, err) : status;
}

static int load_and_describe_mesh(const struct arguments *arguments, struct mu_mesh **mesh, struct mu_error *err)
{
    const double start = now_seconds();
    int status = mu_mesh_load(arguments->input, arguments->seed, mesh, err);
    if (status != MU_OK) return status;
    return mu_describe_mesh(*mesh, arguments->seed, now_seconds() - start, arguments->json, err);
}

static int check_usage(const struct arguments *arguments, bool is_mesh, const struct mu_format **format,
                       struct mu_error *err)
{
    if (is_mesh && (arguments->input_format.from != MU_FROM_NOBODY || arguments->weights.from != MU_FROM_NOBODY))
        return mu_fail(err, MU_USAGE, "--input-format and --weights are for graphs, and '%s' is a mesh",
                       arguments->input);
    if (is_mesh && (arguments->format != NULL || arguments->lossy))
        return mu_fail(err, MU_USAGE, "--format and --lossy are for graphs, and '%s' is a mesh", arguments->input);
    if (arguments->json && !mu_json_can_hold(arguments->input))
        return mu_fail(err, MU_USAGE, "%s: the name is not UTF-8, and JSON can hold no other", arguments->input);
    if (arguments->format != NULL && arguments->convert == NULL)
        return mu_fail(err, MU_USAGE, "--format is for --convert");
    if (!is_mesh && arguments->convert != NULL && (*format = output_format(arguments, err)) == NULL) return MU_USAGE;
    return MU_OK;
}

/* Checks that the conversion can be written, before an input is read that may be large. */
static int check_output(const struct arguments *arguments, bool is_mesh, struct mu_error *err)
{
    if (arguments->convert == NULL) return MU_OK;
    char *path = mu_format(err, "%s%s", arguments->convert, is_mesh ? ".node" : "");
    if (path != NULL) mu_sink_check(path, err);
    mu_free(path);
    return err->status;
}

/* Runs the command. Before the conversion begins, nothing on the disk is changed, and a signal ends the program at
 * once. From then on the caller's handlers only note it, so that no temporary file is left behind. */
static int run(const struct arguments *arguments, struct mu_error *err)
{
    const struct sigaction at_once = {.sa_handler = SIG_DFL};
    const bool is_mesh = mu_mesh_is_named(arguments->input);
    struct sigaction on_interrupt, on_terminate;
    const struct mu_format *format = NULL;
    struct mu_graph *graph = NULL;
    struct mu_mesh *mesh = NULL;
    int status = check_usage(arguments, is_mesh, &format, err);
    if (status == MU_OK) status = mu_input_check(arguments->input, MU_OF_EITHER, err);
    if (status == MU_OK) status = check_output(arguments, is_mesh, err);
    if (status != MU_OK) return status;
    sigaction(SIGINT, &at_once, &on_interrupt);
    sigaction(SIGTERM, &at_once, &on_terminate);
    status = is_mesh ? load_and_describe_mesh(arguments, &mesh, err) : load_and_describe(arguments, &graph, err);
    sigaction(SIGINT, &on_interrupt, NULL);
    sigaction(SIGTERM, &on_terminate, NULL);
    if (status == MU_OK && format != NULL)
        status = mu_format_write(format, graph, arguments->convert, arguments->lossy, err);
    if (status == MU_OK && is_mesh && arguments->convert != NULL) status = mu_mesh_write(mesh, arguments->convert, err);
    mu_graph_free(graph);
    mu_mesh_free(mesh);
    return status;
}

int mu_cmd_graph(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "INPUT",
        .doc =
            "Describes a graph or a mesh: a file, or a generator with its parameters. With --convert, also writes it "
            "to a file.\v ",
        .help_filter = help_filter,
    };
    struct arguments arguments = {.seed = DEFAULT_SEED};
    mu_arguments_parse(&argp, argc, argv, &arguments, &arguments.err);
    if (arguments.err.status == MU_OK) run(&arguments, &arguments.err);
    return mu_report(&arguments.err);
}
