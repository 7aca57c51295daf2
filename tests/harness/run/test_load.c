/* How many products make a load's task (harness/run/load.h), on a chip that is made up: as many as take the time of the
 * thesis's table 5.3, also where other programs make the first times longer. */
#include "harness/run/load.h"
#include "harness/run/options.h"
#include "tests/tap.h"

#include "variants/launch/team_launch.h"

/* A chip: what a launch takes beside its products, and each of them; the first so many launches take longer. */
struct chip {
    uint64_t launch_ns, product_ns, factor;
    unsigned slow, launches;
};

static int serve(void *context, const struct mu_load *load, uint64_t *ns, uint32_t *team, struct mu_error *err)
{
    struct chip *chip = context;
    *ns = chip->launch_ns + load->repeats * chip->product_ns;
    if (chip->launches++ < chip->slow) *ns *= chip->factor;
    *team = 5;
    return err->status;
}

static void test_kind(const char *name, struct chip chip, enum mu_load_kind kind, double wanted_ns)
{
    struct mu_team_launch team = {.target = NULL};
    const struct mu_load_server server = {serve, &chip, true, &team};
    struct mu_load load;
    struct mu_error err = {0};
    struct mu_json part = mu_json_object();
    const int status = mu_load_find(&server, kind, MU_LOAD_QUARTER, &load, &part, &err);
    const double takes_ns = (double)(chip.launch_ns + load.repeats * chip.product_ns);
    const double told_ns = json_number_value(json_object_get(part.value, "alone_ns"));
    CHECK(status == MU_OK && takes_ns > 0.85 * wanted_ns && takes_ns < 1.15 * wanted_ns,
          "%s: %u products take %.3g ns, wanted are %.3g", name, load.repeats, takes_ns, wanted_ns);
    CHECK(told_ns == takes_ns, "… and so the record says: %.3g", told_ns);
    CHECK(load.groups == 1, "… on a quarter of four workgroups");
    mu_json_release(&part);
}

int main(void)
{
    const struct chip quiet = {30000, 70000, 1, 0, 0}, busy = {30000, 70000, 40, 4, 0};
    test_kind("light", quiet, MU_LOAD_LIGHT, 3e6);
    test_kind("medium", quiet, MU_LOAD_MEDIUM, 3e6);
    test_kind("heavy", quiet, MU_LOAD_HEAVY, 1e7);
    test_kind("medium, at first on a busy machine", busy, MU_LOAD_MEDIUM, 3e6);
    test_kind("heavy, at first on a busy machine", busy, MU_LOAD_HEAVY, 1e7);
    return tap_done();
}
