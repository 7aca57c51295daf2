/* harness/probe/bound_search: the search finds every bound, counts what disagrees, and stops where it is told. */
#include "harness/probe/bound_search.h"

#include "tests/tap.h"

/* A device with a bound that the test knows; every `unsteady`-th try lies. */
struct device {
    uint32_t bound, unsteady, tries, most;
    int fails_at;
};

static int attempt(void *context, uint32_t groups, bool *completed, struct mu_error *err)
{
    struct device *device = context;
    device->tries++;
    if (groups > device->most) device->most = groups;
    if (device->fails_at != 0 && (int)device->tries == device->fails_at)
        return mu_fail(err, MU_DEVICE, "the device has gone");
    *completed = groups <= device->bound;
    if (device->unsteady != 0 && device->tries % device->unsteady == 0) *completed = !*completed;
    return MU_OK;
}

static int find(struct device *device, uint32_t limit, uint32_t repeats, struct mu_bound *bound, struct mu_error *err)
{
    const struct mu_bound_search search = {attempt, device, limit, repeats};
    return mu_bound_find(&search, bound, err);
}

static void test_every_bound(void)
{
    bool right = true, small = true, frugal = true;
    for (uint32_t truth = 1; truth <= 5000; truth = truth < 70 ? truth + 1 : truth + 61) {
        struct device device = {.bound = truth};
        struct mu_error err = {0};
        struct mu_bound bound = {0};
        right = right && find(&device, 65536, 3, &bound, &err) == MU_OK && bound.bound == truth && !bound.open &&
                bound.disagreements == 0;
        small = small && device.most <= 2 * truth;
        frugal = frugal && device.tries <= 2 * 2 * 14 && device.tries == 2 * bound.verdict_count;
    }
    CHECK(right, "bounds from 1 to 5000 are found");
    CHECK(small, "no try has more than twice the bound");
    CHECK(frugal, "tries grow with the logarithm, and two that agree are enough of three");
}

static void test_edges(void)
{
    struct mu_error err = {0};
    struct mu_bound bound = {0};
    struct device none = {.bound = 0}, all = {.bound = UINT32_MAX}, exact = {.bound = 100};
    CHECK(find(&none, 1000, 3, &bound, &err) == MU_OK && bound.bound == 0 && !bound.open, "not even one group");
    CHECK(find(&all, 1000, 3, &bound, &err) == MU_OK && bound.bound == 1000 && bound.open && all.most == 1000,
          "no bound up to the limit");
    CHECK(find(&exact, 100, 1, &bound, &err) == MU_OK && bound.bound == 100 && bound.open,
          "a bound at the limit is open");
    CHECK(find(&exact, 101, 1, &bound, &err) == MU_OK && bound.bound == 100 && !bound.open, "a bound below it is not");
}

static void test_disagreement(void)
{
    struct mu_error err = {0};
    struct mu_bound bound = {0};
    struct device device = {.bound = 264, .unsteady = 7};
    CHECK(find(&device, 65536, 3, &bound, &err) == MU_OK && bound.bound == 264, "the majority of tries holds");
    CHECK(bound.disagreements > 0 && bound.disagreements < bound.verdict_count, "verdicts that disagreed are counted");
    uint32_t counted = 0;
    for (uint32_t i = 0; i < bound.verdict_count; i++)
        counted += bound.verdicts[i].completed % bound.verdicts[i].tries != 0 && bound.verdicts[i].tries == 3;
    CHECK(counted == bound.disagreements, "and told one by one");
}

static void test_failure(void)
{
    struct mu_error err = {0};
    struct mu_bound bound = {0};
    struct device device = {.bound = 264, .fails_at = 9};
    CHECK(find(&device, 65536, 3, &bound, &err) == MU_DEVICE && device.tries == 9, "an error ends the search");
}

int main(void)
{
    test_every_bound();
    test_edges();
    test_disagreement();
    test_failure();
    return tap_done();
}
