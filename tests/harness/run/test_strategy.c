/* harness/run/strategy: what --strategy decides, what it leaves alone, and what is refused. */
#include "base/json.h"
#include "base/memory.h"
#include "harness/run/resolve.h"
#include "harness/run/strategy.h"
#include "records/optimisations/stored.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A program of the study, as far as the command line knows it. */
static const struct mu_choice switches[] = {{"off", ""}, {"on", ""}, {NULL, NULL}};
static const struct mu_choice grains[] = {{"off", ""}, {"1", ""}, {"8", ""}, {NULL, NULL}};
static const struct mu_option rows[] = {
    {.name = "batch", .type = MU_OPTION_uint, .min = 1, .max = 16, .otherwise = "4"},
    {.name = "sg", .type = MU_OPTION_uint, .choices = switches, .otherwise = "off"},
    {.name = "fg", .type = MU_OPTION_uint, .choices = grains, .otherwise = "off"},
    {.name = NULL}};
enum { BATCH, SG, FG };
static const struct mu_app program = {.suite = "irgl", .name = "tri", .options = rows};
static const struct mu_app other = {.suite = "lonestar", .name = "tri", .options = rows};

static json_t *kept(void)
{
    return json_pack("{s:s,s:{s:s},s:{s:s},s:{s:{s:s}},s:{s:{s:s},s:{s:s}}}", "chip", "c", "global", "enabled", "sg",
                     "chip_wide", "enabled", "sz256, oitergb, fg8, wg", "app", "irgl/tri", "enabled", "none", "input",
                     "road:300", "enabled", "fg1", "karate", "enabled", "fg1, fg8");
}

static int ask(const json_t *strategies, struct mu_asked *asked, enum mu_strategy_kind way, struct mu_error *err)
{
    *err = (struct mu_error){0};
    mu_ask(asked, MU_TEST_strategy, way, MU_FROM_OPTION);
    return mu_strategy_ask(strategies, asked, err);
}

static bool is(const struct mu_value *value, uint64_t number, enum mu_origin from)
{
    return value->number == number && value->from == from;
}

static void test_ways(const json_t *strategies)
{
    struct mu_error err;
    struct mu_asked asked = {.app = &program};
    const struct mu_value *variant = &asked.options[MU_TEST_variant], *size = &asked.options[MU_TEST_workgroup];
    CHECK(ask(strategies, &asked, MU_TAKE_CHIP, &err) == MU_OK && is(variant, MU_PORTABLE, MU_FROM_STRATEGY) &&
              is(size, 256, MU_FROM_STRATEGY),
          "chip: oitergb is the variant, sz256 the workgroup size");
    CHECK(is(&asked.app_values[FG], 2, MU_FROM_STRATEGY) && is(&asked.app_values[SG], 0, MU_FROM_STRATEGY),
          "fg8 is on and sg off; wg, which the program lacks, is left out");
    CHECK(asked.app_values[BATCH].from == MU_FROM_NOBODY, "what is no optimisation stays open");
    asked = (struct mu_asked){.app = &program};
    CHECK(ask(strategies, &asked, MU_TAKE_GLOBAL, &err) == MU_OK && is(variant, MU_MULTI_KERNEL, MU_FROM_STRATEGY) &&
              is(size, 128, MU_FROM_STRATEGY) && is(&asked.app_values[SG], 1, MU_FROM_STRATEGY),
          "global: sg, and the host's loop");
    asked = (struct mu_asked){.app = &program};
    CHECK(ask(strategies, &asked, MU_TAKE_INPUT, &err) == MU_OK && is(&asked.app_values[FG], 1, MU_FROM_STRATEGY),
          "input: fg1 on the default input");
    asked = (struct mu_asked){.app = &program};
    mu_ask(&asked, MU_TEST_workgroup, 64, MU_FROM_OPTION);
    mu_ask(&asked, MU_TEST_variant, MU_SPECIALISED, MU_FROM_OPTION);
    asked.app_values[FG] = (struct mu_value){.from = MU_FROM_OPTION, .number = 1};
    CHECK(ask(strategies, &asked, MU_TAKE_CHIP, &err) == MU_OK && is(size, 64, MU_FROM_OPTION) &&
              is(variant, MU_SPECIALISED, MU_FROM_OPTION) && is(&asked.app_values[FG], 1, MU_FROM_OPTION),
          "what an option says stays");
    asked = (struct mu_asked){.app = &program};
    CHECK(ask(strategies, &asked, MU_TAKE_NONE, &err) == MU_OK && variant->from == MU_FROM_NOBODY, "none asks nothing");
}

static void test_refusals(const json_t *strategies)
{
    struct mu_error err;
    struct mu_asked asked = {.app = &other};
    CHECK(ask(strategies, &asked, MU_TAKE_CHIP, &err) == MU_USAGE && strstr(err.message, "lonestar/tri") != NULL,
          "another suite is refused: %s", err.message);
    asked = (struct mu_asked){.app = &program, .input = "rmat:4"};
    CHECK(ask(strategies, &asked, MU_TAKE_INPUT, &err) == MU_USAGE && strstr(err.message, "rmat:4") != NULL,
          "so is an input that the study does not have: %s", err.message);
    asked.input = "karate";
    CHECK(ask(strategies, &asked, MU_TAKE_INPUT, &err) == MU_INPUT, "and what is no configuration: %s", err.message);
    CHECK(ask(NULL, &asked, MU_TAKE_APP, &err) == MU_USAGE, "and no strategies at all: %s", err.message);
}

/* The record names the strategy as who decided. */
static void test_resolved(const json_t *strategies)
{
    struct mu_device_info device = {.max_workgroup = 1024, .compute_units = 2, .available = {true, true, true}};
    struct mu_facts facts = {.info = &device, .selftest.trust = MU_TRUSTED, .strategies = strategies};
    struct mu_asked asked = {.app = &program};
    struct mu_error err = {0};
    struct mu_test test;
    bool untested;
    mu_ask(&asked, MU_TEST_strategy, MU_TAKE_CHIP, MU_FROM_OPTION);
    snprintf(device.c_standard, sizeof device.c_standard, "CL2.0");
    CHECK(mu_resolve_by(&asked, &facts, &test, &untested, &err) == MU_OK && test.workgroup == 256 &&
              test.variant == MU_PORTABLE && test.from[MU_TEST_variant] == MU_FROM_STRATEGY &&
              test.app_values[FG].number == 2,
          "a test is resolved by its strategy %s", err.message);
    struct mu_json described = mu_json_object();
    mu_test_describe(&test, &described);
    const json_t *from = json_object_get(described.value, "configuration_from");
    CHECK(mu_json_is(from, "fg", "strategy") && mu_json_is(from, "workgroup", "strategy") &&
              mu_json_is(json_object_get(described.value, "configuration"), "strategy", "chip"),
          "… and its record says so");
    mu_json_release(&described);
    asked.options[MU_TEST_strategy] = (struct mu_value){0};
    CHECK(mu_resolve_by(&asked, &facts, &test, &untested, &err) == MU_OK && test.workgroup != 256 &&
              test.app_values[FG].from == MU_FROM_DEFAULT,
          "without one it is not");
}

/* The file, in a folder of results of its own. */
static void test_file(const json_t *strategies)
{
    char folder[] = "/tmp/muster-strategy-XXXXXX", path[128];
    struct mu_error err = {0};
    struct mu_asked asked = {.app = &program};
    json_t *read = NULL;
    if (!CHECK(mkdtemp(folder) != NULL && setenv("MUSTER_RESULTS", folder, 1) == 0, "a folder")) return;
    mu_ask(&asked, MU_TEST_strategy, MU_TAKE_CHIP, MU_FROM_OPTION);
    CHECK(mu_strategy_facts(&asked, "c", &read, &err) == MU_USAGE && strstr(err.message, "muster advise") != NULL,
          "without a file the user hears what to do: %s", err.message);
    err = (struct mu_error){0};
    CHECK(mu_strategies_write("c", strategies, &err) == MU_OK && mu_strategy_facts(&asked, "c", &read, &err) == MU_OK &&
              json_equal(read, strategies),
          "what is written is read %s", err.message);
    json_decref(read);
    snprintf(path, sizeof path, "%s/c/%s", folder, MU_STRATEGIES_FILE);
    FILE *file = fopen(path, "w");
    if (file != NULL) fputs("[1, {", file);
    if (file != NULL) fclose(file);
    CHECK(mu_strategy_facts(&asked, "c", &read, &err) == MU_INPUT && read == NULL && strstr(err.message, path) != NULL,
          "a broken file is named: %s", err.message);
    err = (struct mu_error){0};
    mu_ask(&asked, MU_TEST_strategy, MU_TAKE_NONE, MU_FROM_OPTION);
    CHECK(mu_strategy_facts(&asked, "c", &read, &err) == MU_OK && read == NULL, "none does not look at it");
    unlink(path);
    path[strlen(path) - sizeof MU_STRATEGIES_FILE] = '\0';
    rmdir(path);
    CHECK(rmdir(folder) == 0, "nothing else is left");
}

int main(void)
{
    json_t *strategies = kept();
    test_ways(strategies);
    test_refusals(strategies);
    test_resolved(strategies);
    test_file(strategies);
    json_decref(strategies);
    return tap_done();
}
