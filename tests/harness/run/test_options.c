/* Options: every row of every table makes sense; a row that is added to an app is on the command line and in help,
 * request, record, key and CSV without another line anywhere; conditions decide what else a test has. */
#include "tests/harness/run/fake_app.h"

#include "harness/device/launch_defaults.h"
#include "harness/run/option_line.h"
#include "tests/tap.h"

#include <ctype.h>

/* ---- Rows ---- */

static bool is_name(const char *name)
{
    for (const char *c = name; *c != '\0'; c++)
        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '_') return false;
    return name[0] != '\0';
}

/* The value as text and as JSON is read as the same value. */
static bool comes_back(const struct mu_option *row, const struct mu_value *value)
{
    char text[MU_VALUE_TEXT];
    struct mu_value read, parsed;
    struct mu_error err = {0};
    mu_option_format(row, value, text);
    json_t *json = mu_option_to_json(row, value);
    const bool same = mu_option_parse(row, text, &parsed, &err) == MU_OK && mu_option_same(row, value, &parsed) &&
                      mu_option_from_json(row, json, &read, &err) == MU_OK && mu_option_same(row, value, &read);
    json_decref(json);
    return same;
}

static bool refuses(const struct mu_option *row, const char *text)
{
    struct mu_value value;
    struct mu_error err = {0};
    return mu_option_parse(row, text, &value, &err) == MU_USAGE && err.message[0] != '\0';
}

/* The ends of the range and the words come back; what is beyond is refused. */
static bool has_range(const struct mu_option *row)
{
    char beyond[32];
    bool right = true;
    for (size_t i = 0; i < MU_MAX_WORDS && row->words[i].name != NULL; i++)
        right =
            right && comes_back(row, &(struct mu_value){.number = row->words[i].value, .real = row->words[i].value});
    for (uint64_t i = 0; row->choices != NULL && row->choices[i].name != NULL; i++)
        right = right && comes_back(row, &(struct mu_value){.number = i});
    if (row->choices != NULL || row->type == MU_OPTION_flag) return right && refuses(row, "nonsense");
    if (row->type == MU_OPTION_real)
        return right && comes_back(row, &(struct mu_value){.real = row->most}) && refuses(row, "-1");
    snprintf(beyond, sizeof beyond, "%llu", (unsigned long long)row->max + 1);
    return right && refuses(row, beyond) && (row->min == 0 || refuses(row, "0")) && row->max >= row->min &&
           comes_back(row, &(struct mu_value){.number = row->min});
}

static void test_row(const struct mu_option *row, const char *table)
{
    const struct mu_value value = mu_option_default(row);
    const bool plain = row->type == MU_OPTION_uint && row->choices == NULL;
    CHECK(is_name(row->name) && row->help[0] != '\0' &&
              (row->argument != NULL) != (row->type == MU_OPTION_flag || (row->is & MU_OPTION_HIDDEN) != 0),
          "%s %s: a name and a help", table, row->name);
    CHECK(row->otherwise == NULL ? row->usual != NULL : value.from == MU_FROM_DEFAULT && comes_back(row, &value),
          "%s %s: a default", table, row->name);
    CHECK((row->is & MU_OPTION_BUILD) == 0 || (plain && row->words[0].name == NULL && row->max <= INT32_MAX),
          "%s %s: a constant of the build is a plain number", table, row->name);
    CHECK(has_range(row), "%s %s: what it takes and what it refuses", table, row->name);
}

static void test_rows(void)
{
    bool distinct = true;
    for (const struct mu_option *row = mu_test_options; row->name != NULL; row++) {
        test_row(row, "framework");
        for (const struct mu_option *other = mu_test_options; other < row; other++)
            distinct = distinct && strcmp(row->name, other->name) != 0;
    }
    for (const struct mu_option *row = fake.options; row->name != NULL; row++) test_row(row, "app");
    CHECK(distinct && mu_option_count(mu_test_options) == MU_TEST_OPTION_COUNT, "the framework's options have names");
    CHECK(mu_option_default(&mu_test_options[MU_TEST_yield_polls]).number == MU_YIELD_POLLS_DEFAULT,
          "the polls between two yields are those of the self-test");
}

/* ---- A row that is added ---- */

static void test_help(struct mu_option_line *line)
{
    char *help = NULL;
    size_t bytes = 0;
    char name[] = "muster run";
    FILE *to = open_memstream(&help, &bytes);
    argp_help(&line->argp, to, ARGP_HELP_LONG, name);
    fclose(to);
    CHECK(strstr(help, "--damping-share=SHARE") != NULL && strstr(help, "test/fake: What stays: auto or a") != NULL &&
              strstr(help, "--lane-width=LANES") != NULL && strstr(help, "1 to 64") != NULL,
          "the options are in the help");
    free(help);
}

static void test_line(struct mu_option_line *line, struct mu_asked *asked)
{
    char name[] = "muster run", share[] = "--damping-share=0.25", width[] = "--lane-width=16";
    char *arguments[] = {name, share, width, NULL};
    struct mu_error err = {0};
    CHECK(argp_parse(&line->argp, 3, arguments, 0, NULL, line) == 0 && line->given_count == 2 &&
              mu_option_line_ask(line, asked, &err) == MU_OK && asked->app_values[0].real == 0.25 &&
              asked->app_values[1].number == 16,
          "they are on the command line %s", err.message);
    line->given[1].text = "65";
    CHECK(mu_option_line_ask(line, asked, &err) == MU_USAGE &&
              strcmp(err.message, "--lane-width=65: not a whole number from 1 to 64") == 0,
          "with their range: %s", err.message);
}

static void test_request(const struct mu_test *test)
{
    struct mu_test read;
    struct mu_error err = {0};
    json_t *request = mu_test_request(test);
    const bool back = mu_test_read(request, &read, &err) == MU_OK && read.app == &fake &&
                      memcmp(&read.options, &test->options, sizeof read.options) == 0 &&
                      memcmp(read.from, test->from, sizeof read.from) == 0;
    CHECK(back && read.app_values[0].real == 0.25 && read.app_values[1].number == 16 &&
              read.app_values[1].from == MU_FROM_OPTION,
          "they travel to the child, and back %s", err.message);
    json_object_del(json_object_get(request, "values"), "lane_width");
    CHECK(mu_test_read(request, &read, &err) == MU_USAGE, "a request without one is refused: %s", err.message);
    json_decref(request);
}

/* The record, and what `muster results` makes of it. */
static void test_record(const struct mu_test *test)
{
    const struct mu_error ok = {0};
    struct mu_error err = {0};
    char path[PATH_MAX], command[PATH_MAX * 2], head[4096] = "", line[4096] = "";
    struct mu_json built = mu_test_record(test, &device, NULL, &ok);
    json_t *record = mu_json_take(&built, "a record", &err);
    const json_t *configuration = json_object_get(record, "configuration");
    CHECK(mu_json_real(configuration, "damping_share") == 0.25 && mu_json_number(configuration, "lane_width") == 16 &&
              mu_json_is(json_object_get(record, "configuration_from"), "lane_width", "option") &&
              mu_json_is(json_object_get(record, "configuration_from"), "samples", "default"),
          "they are in the record, with who decided them");
    CHECK(strlen(mu_json_text(record, "configuration_hash")) == 16 && strlen(mu_json_text(record, "kernel_hash")) == 16,
          "which has the hashes of configuration and kernels");
    snprintf(path, sizeof path, "%s/record.jsonl", folder);
    json_dump_file(record, path, JSON_COMPACT);
    json_decref(record);
    const char *muster = getenv("MUSTER");
    snprintf(command, sizeof command, "'%s' results --format=csv '%s'", muster != NULL ? muster : "./muster", path);
    FILE *pipe = popen(command, "r");
    const bool read = pipe != NULL && fgets(head, sizeof head, pipe) != NULL && fgets(line, sizeof line, pipe) != NULL;
    if (pipe != NULL) pclose(pipe);
    CHECK(read && strstr(head, ",damping_share,lane_width,") != NULL && strstr(line, ",0.25,16,") != NULL,
          "they are columns of CSV");
}

static void test_build(const struct mu_test *test)
{
    const struct mu_build build = {
        .variant = MU_MULTI_KERNEL, .c_standard = "CL3.0", .workgroup = 64, .values = test->app_values};
    struct mu_sources sources;
    struct mu_error err = {0};
    const bool collected = mu_sources_collect(&fake, &build, folder, &sources, &err) == MU_OK;
    CHECK(collected && strstr(sources.options, " -DAPP_LANE_WIDTH=16") != NULL &&
              strstr(sources.options, "DAMPING") == NULL,
          "a constant of the build is an option of the compiler: %s%s", sources.options, err.message);
    mu_sources_free(&sources);
}

static void test_instance(const struct mu_test *test)
{
    const uint64_t row_start[] = {0, 0};
    char name[] = "a vertex";
    const struct mu_graph graph = {.name = name, .vertices = 1, .row_start = (uint64_t *)row_start};
    struct mu_instance *instance = NULL;
    struct mu_error err = {0};
    struct mu_app_setup setup = {0};
    memcpy(setup.values, test->app_values, sizeof setup.values);
    CHECK(mu_instance_new(&fake, &graph, &setup, &instance, &err) == MU_OK && mu_instance_scalar(instance, 1) == 0.25 &&
              mu_instance_value(instance, "lane_width").number == 16,
          "the app finds them, and has a scalar that is no whole number");
    mu_instance_free(instance);
    instance = NULL;
    memset(&setup, 0, sizeof setup);
    CHECK(mu_instance_new(&fake, &graph, &setup, &instance, &err) == MU_OK &&
              mu_instance_value(instance, "damping_share").real == 0.5 &&
              mu_instance_value(instance, "damping_share").from == MU_FROM_INPUT,
          "what the app decides in place of auto is known");
    mu_instance_free(instance);
}

static void test_added(void)
{
    static struct mu_option_line line;
    struct mu_asked asked = ask_nothing();
    struct mu_test test;
    mu_option_line_make(&line, false);
    test_help(&line);
    test_line(&line, &asked);
    CHECK(resolve(&asked, &test) == MU_OK, "they are resolved");
    test_request(&test);
    test_record(&test);
    test_build(&test);
    test_instance(&test);
}

/* ---- Conditions ---- */

static int resolve_on(const struct mu_device_info *info, uint32_t patience, unsigned variant,
                      enum mu_condition condition, uint64_t expected, struct mu_test *test, struct mu_error *err)
{
    struct mu_facts facts = {.info = info, .selftest = {.trust = MU_TRUSTED, .yield = MU_YIELD_SYSCALL}};
    struct mu_asked asked = ask_nothing();
    bool untested;
    facts.profile.rollcall_patience = patience;
    facts.profile.barrier_tree_from = 88;
    facts.profile.selftest_spin_limit = 99;
    for (int size = 0; size < MU_PROFILE_SIZES; size++) facts.profile.expected[size] = 66;
    mu_ask(&asked, MU_TEST_variant, variant, MU_FROM_OPTION);
    mu_ask(&asked, MU_TEST_condition, condition, MU_FROM_OPTION);
    mu_ask(&asked, MU_TEST_samples, 10, MU_FROM_OPTION);
    if (expected != 0) mu_ask(&asked, MU_TEST_expected, expected, MU_FROM_OPTION);
    *err = (struct mu_error){0};
    return mu_resolve_by(&asked, &facts, test, &untested, err);
}

static int resolve_with(unsigned variant, enum mu_condition condition, uint64_t expected, struct mu_test *test,
                        struct mu_error *err)
{
    return resolve_on(&device, 77, variant, condition, expected, test, err);
}

/* A processor's threads may wake up late, whatever another machine's profile says. */
/* Small inputs: as many workgroups as have an element for each work-item; a CPU has no more than its units anyway. */
static void test_fitting_groups(void)
{
    struct mu_device_info info = {.compute_units = 100, .max_workgroup = 1024};
    const uint32_t most = mu_default_groups(&info, 256);
    CHECK(mu_fitting_groups(&info, 256, 0) == 1 && mu_fitting_groups(&info, 256, 256) == 1 &&
              mu_fitting_groups(&info, 256, 257) == 2 && mu_fitting_groups(&info, 1, 7) == 7,
          "no workgroup without an element");
    CHECK(mu_fitting_groups(&info, 256, 256 * (uint64_t)most) == most &&
              mu_fitting_groups(&info, 256, UINT64_C(1) << 40) == most,
          "large inputs: no more than are launched where nothing is known of the input");
    info.cpu = true;
    CHECK(mu_fitting_groups(&info, 256, 1) == mu_default_groups(&info, 256), "a CPU launches as many as ever");
}

static void test_patience(void)
{
    struct mu_test test;
    struct mu_error err;
    struct mu_device_info processor = device;
    processor.cpu = true;
    const uint32_t least = mu_least_patience(&processor);
    CHECK(least > 77 && resolve_on(&processor, 77, MU_PORTABLE, MU_WARM, 0, &test, &err) == MU_OK &&
              test.patience == least && test.from[MU_TEST_patience] == MU_FROM_PROFILE,
          "a profile's short patience is raised to %u", least);
    CHECK(resolve_on(&processor, least + 5, MU_PORTABLE, MU_WARM, 0, &test, &err) == MU_OK &&
              test.patience == least + 5,
          "a long one is taken");
    CHECK(resolve_on(&processor, 0, MU_PORTABLE, MU_WARM, 0, &test, &err) == MU_OK &&
              test.patience == mu_default_patience(&processor) && test.from[MU_TEST_patience] == MU_FROM_DEVICE,
          "where there is none it is the device's");
}

/* Cold knows nothing of the chip, but how long a deadlock is; the first launch of a process is its only sample. */
static void test_conditions(void)
{
    struct mu_test test;
    struct mu_error err;
    CHECK(resolve_with(MU_PORTABLE, MU_WARM, 0, &test, &err) == MU_OK && test.expected == 66 && test.patience == 77 &&
              test.tree_from == 88 && test.spin_limit == 99 && test.samples == 10,
          "warm: the profile tells the size, patience and threshold");
    CHECK(resolve_with(MU_PORTABLE, MU_COLD, 0, &test, &err) == MU_OK && test.expected == MU_AUTO &&
              test.patience == 77 && test.tree_from != 88 && test.spin_limit == 99 && test.samples == 10,
          "cold: it tells how long to wait, and nothing of the size");
    CHECK(resolve_with(MU_PORTABLE, MU_FIRST, 0, &test, &err) == MU_OK && test.expected == MU_AUTO &&
              test.samples == 1 && test.warmup == 0 && test.min_samples == 0,
          "first: one sample, nothing before it, nothing known");
    for (unsigned variant = MU_MULTI_KERNEL; variant < MU_SPECIALISED; variant++)
        CHECK(resolve_with(variant, MU_FIRST, 0, &test, &err) == MU_OK && test.samples == 1, "%s can be first %s",
              mu_variants[variant].name, err.message);
    CHECK(resolve_with(MU_SPECIALISED, MU_FIRST, 0, &test, &err) == MU_USAGE, "refused: %s", err.message);
    CHECK(resolve_with(MU_MULTI_KERNEL, MU_COLD, 0, &test, &err) == MU_USAGE, "refused: %s", err.message);
    CHECK(resolve_with(MU_SPECIALISED, MU_COLD, 0, &test, &err) == MU_USAGE, "refused: %s", err.message);
    CHECK(resolve_with(MU_PORTABLE, MU_COLD, 4, &test, &err) == MU_USAGE, "refused: %s", err.message);
    CHECK(resolve_with(MU_PORTABLE, MU_WARM, 4, &test, &err) == MU_OK && test.expected == 4, "warm takes --expected");
}

int main(void)
{
    if (!make_folder()) return 99;
    test_rows();
    test_added();
    test_conditions();
    test_patience();
    test_fitting_groups();
    remove_folder();
    return tap_done();
}
