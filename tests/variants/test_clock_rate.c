/* The rate of a clock whose ticks are of unknown length (variants/launch/load.h), from the times of launches that each
 * row makes up: on a quiet machine, and on a busy one that holds launches up. */
#include "variants/launch/load.h"

#include "tests/tap.h"

#define LENGTHS 30

/* A launch of this many ticks at least, doubled, takes so long in place of its time. */
struct held_up {
    uint64_t ticks;
    double once_ns, twice_ns;
};

static const struct machine {
    const char *title;
    double rate, start_ns; /* ticks a nanosecond; what a launch takes beside its ticks */
    struct held_up held_up[2];
    double more; /* all launches are longer by this factor */
} machines[] = {
    {"a quiet machine", 2.4, 5e4, {{0, 0, 0}}, 1},
    {"a slow clock", 0.001, 5e4, {{0, 0, 0}}, 1},
    {"launches that begin slowly", 2.4, 2e7, {{0, 0, 0}}, 1},
    {"a short launch held up, and a long one", 2.4, 5e4, {{1024, 1e6, 3e6}, {16384, 2e7, 6e7}}, 1},
    {"a long launch held up twice as long", 2.4, 5e4, {{2048, 4e7, 8e7}}, 1},
    {"a machine that shares its processors", 2.4, 5e4, {{4096, 1e6, 3e6}}, 1.4},
};

/* Returns the rate found, and in *longest_ns the longest launch. */
static double find(const struct machine *machine, double *longest_ns)
{
    struct mu_clock_rate found = {0};
    uint64_t ticks = 1024;
    for (int i = 0; i < LENGTHS; i++, ticks *= 2) {
        double once = (machine->start_ns + (double)ticks / machine->rate) * machine->more;
        double twice = (machine->start_ns + 2 * (double)ticks / machine->rate) * machine->more;
        for (size_t j = 0; j < 2; j++)
            if (machine->held_up[j].ticks == ticks) {
                once = machine->held_up[j].once_ns;
                twice = machine->held_up[j].twice_ns;
            }
        *longest_ns = twice;
        if (mu_clock_rate_add(&found, ticks, (uint64_t)once, (uint64_t)twice)) break;
    }
    return found.best;
}

int main(void)
{
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        const struct machine *machine = &machines[i];
        double longest_ns = 0;
        const double rate = find(machine, &longest_ns);
        CHECK(rate >= machine->rate * 0.6 && rate <= machine->rate * 1.3 && longest_ns <= 1.2e9,
              "%s: %g of %g ticks a nanosecond, after launches of at most %g ms", machine->title, rate, machine->rate,
              longest_ns / 1e6);
    }
    struct mu_clock_rate none = {0};
    bool settled = false;
    for (uint64_t ticks = 1024; ticks < UINT64_C(1) << 40; ticks *= 2)
        settled = settled || mu_clock_rate_add(&none, ticks, 60000000, 60000000);
    CHECK(!settled && none.best == 0, "a clock that stands still has none");
    return tap_done();
}
