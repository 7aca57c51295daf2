/* harness/device/settings: what muster chooses for a driver, and that the user's own choice stands. */
#include "harness/device/child.h"
#include "harness/device/settings.h"
#include "tests/tap.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OURS  "MUSTER_TEST_OURS"
#define USERS "MUSTER_TEST_USERS"

static void test_adding(void)
{
    struct mu_settings settings = {0}, more = {0};
    char text[64], name[MU_SETTING_BYTES + 1], cut[8];
    setenv(USERS, "", 1);
    unsetenv(OURS);
    CHECK(mu_settings_add(&settings, OURS, "1") && settings.count == 1, "a setting is added");
    CHECK(mu_settings_add(&settings, OURS, "2") && settings.count == 1, "and replaced");
    CHECK(!mu_settings_add(&settings, USERS, "1") && settings.count == 1,
          "what the user has set, even to nothing, stays");
    memset(name, 'x', sizeof name);
    name[MU_SETTING_BYTES] = '\0';
    CHECK(!mu_settings_add(&settings, name, "1") && !mu_settings_add(&settings, "A", name),
          "too long a text is refused");
    CHECK(!mu_settings_add(&settings, "", "1"), "so is a variable without a name");
    mu_settings_text(&settings, text, sizeof text);
    CHECK(strcmp(text, OURS "=2") == 0, "as text: %s", text);
    mu_settings_text(&settings, cut, sizeof cut);
    CHECK(strlen(cut) == sizeof cut - 1, "cut off where there is no room");
    for (int i = 0; i < MU_MAX_SETTINGS; i++) {
        snprintf(text, sizeof text, "MUSTER_TEST_%d", i);
        mu_settings_add(&more, text, "v");
    }
    mu_settings_merge(&settings, &more);
    CHECK(settings.count == MU_MAX_SETTINGS && !mu_settings_add(&settings, "MUSTER_TEST_MORE", "v"),
          "there is room for %d", MU_MAX_SETTINGS);
}

/* Does the environment have that value for the name? */
static bool is_set(const char *name, const char *value)
{
    const char *found = getenv(name);
    return found != NULL && strcmp(found, value) == 0;
}

static void test_applying(void)
{
    struct mu_settings settings = {.count = 2, .list = {{OURS, "ours"}, {USERS, "ours"}}};
    unsetenv(OURS);
    setenv(USERS, "user's", 1);
    mu_settings_apply(NULL);
    CHECK(getenv(OURS) == NULL, "no settings change nothing");
    mu_settings_apply(&settings);
    CHECK(is_set(OURS, "ours"), "a setting arrives in the environment");
    CHECK(is_set(USERS, "user's"), "the user's own stays");
    unsetenv(OURS);
    unsetenv(USERS);
}

static void test_json(void)
{
    struct mu_settings settings = {.count = 2, .list = {{"A", "1"}, {"B", ""}}}, back;
    struct mu_error err = {0};
    json_t *object = mu_settings_to_json(&settings);
    CHECK(mu_settings_from_json(object, &back, &err) == MU_OK && memcmp(&settings, &back, sizeof back) == 0,
          "to JSON and back");
    CHECK(mu_settings_from_json(NULL, &back, &err) == MU_OK && back.count == 0, "nothing stands for no settings");
    static const char *const bad[] = {"[]",
                                      "\"A=1\"",
                                      "{\"A\": 1}",
                                      "{\"A\": null}",
                                      "{\"a\":\"\",\"b\":\"\",\"c\":\"\",\"d\":\"\",\"e\":\"\"}",
                                      "{\"A\": \"0123456789012345678901234567890123456789012345678\"}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct mu_error refused = {0};
        json_t *parsed = json_loads(bad[i], JSON_DECODE_ANY, NULL);
        CHECK(parsed != NULL && mu_settings_from_json(parsed, &back, &refused) == MU_DEVICE, "refused: %s", bad[i]);
        json_decref(parsed);
    }
    json_decref(object);
}

static void test_compilers(void)
{
    char none[128], some[128];
    unsetenv("POCL_WORK_GROUP_METHOD");
    mu_settings_of_compilers(none, sizeof none);
    setenv("POCL_WORK_GROUP_METHOD", "cbs", 1);
    mu_settings_of_compilers(some, sizeof some);
    CHECK(strstr(some, "POCL_WORK_GROUP_METHOD=cbs") != NULL && strcmp(none, some) != 0,
          "caches know what changes the compiler: %s", some);
    unsetenv("POCL_WORK_GROUP_METHOD");
}

/* The child's side of test_child: what its environment says. */
static int serve(void)
{
    dprintf(3, "{\"outcome\": \"ok\", \"ours\": \"%s\", \"users\": \"%s\"}", getenv(OURS), getenv(USERS));
    return 0;
}

static void test_child(void)
{
    const struct mu_settings settings = {.count = 2, .list = {{OURS, "ours"}, {USERS, "ours"}}};
    const struct mu_child_environment environment = {.settings = &settings};
    struct mu_error err = {0};
    json_t *request = json_object(), *response = NULL;
    const char *ours = NULL, *users = NULL;
    unsetenv(OURS);
    setenv(USERS, "user's", 1);
    CHECK(mu_child_call(request, &environment, 20, &response, &err) == MU_OK &&
              json_unpack(response, "{s:s, s:s}", "ours", &ours, "users", &users) == 0,
          "a child process answers");
    CHECK(ours != NULL && strcmp(ours, "ours") == 0, "it has the setting");
    CHECK(users != NULL && strcmp(users, "user's") == 0, "and what the user had set");
    CHECK(getenv(OURS) == NULL, "this process has not");
    json_decref(request);
    json_decref(response);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], MU_CHILD_ARGUMENT) == 0) return serve();
    signal(SIGPIPE, SIG_IGN); /* as the program does: a child need not read its request */
    test_adding();
    test_applying();
    test_json();
    test_compilers();
    test_child();
    return tap_done();
}
