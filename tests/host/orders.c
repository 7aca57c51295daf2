#include "tests/host/orders.h"

#include "tests/host/sites.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TEXT_BYTES 256

/* ---- What the sanitizer calls ---- */

static uint reports;

#ifdef HAVE_TSAN
/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the sanitizer's own names. */
void __tsan_on_report(void *report);
void __tsan_on_report(void *report)
{
    (void)report;
    __atomic_fetch_add(&reports, 1u, __ATOMIC_RELAXED);
}

/* A race is to be reported each time, and judged here and not by the exit code. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return "suppress_equal_stacks=0:suppress_equal_addresses=0:exitcode=0:report_thread_leaks=0";
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */
#endif

uint host_races(void)
{
    return __atomic_load_n(&reports, __ATOMIC_RELAXED);
}

/* ---- The machine: threads, with one order weakened ---- */

/* Changed between launches only, but for the sites, which are collected under the mutex. */
static bool collecting;
static pthread_mutex_t sites_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct site_list sites;
static struct weakening weakening;

static void collect(const struct host_access *access)
{
    pthread_mutex_lock(&sites_mutex);
    site_collect(&sites, access);
    pthread_mutex_unlock(&sites_mutex);
}

bool host_is_weakened(void)
{
    return weakening.site != NULL;
}

uint host_access_plainly(const struct host_access *access)
{
    uint *word = (uint *)access->word;
    if (access->operation == HOST_STORE) return *word = access->operand;
    return *word;
}

uint host_weak_access(const struct host_access *access)
{
    if (collecting && access->order != HOST_RELAXED) collect(access);
    const struct host_access weaker = site_weakened(weakening, access);
    return host_threads.access(&weaker);
}

/* ---- The tests ---- */

__attribute__((format(printf, 3, 4))) static void tell(const struct host_orders_test *test, bool right,
                                                       const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    test->tell(right, text);
}

/* Standard error goes nowhere, or back to where it went before. */
static void hide_reports(bool hidden)
{
    static int saved = -1;
    fflush(stderr);
    if (saved < 0) saved = dup(STDERR_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (saved >= 0 && nowhere >= 0) dup2(hidden ? nowhere : saved, STDERR_FILENO);
    if (nowhere >= 0) close(nowhere);
}

static const char *reason_for(const struct host_orders_test *test, const struct site *site)
{
    for (const struct host_unneeded *row = test->unneeded; row->function != NULL; row++)
        if ((row->of == NULL || strcmp(test->of, row->of) == 0) && strcmp(site->function, row->function) == 0 &&
            site->operation == row->operation && (weakening.lost & row->order) != 0)
            return row->reason;
    return NULL;
}

static void test_without(const struct host_orders_test *test, const struct site *site, enum host_order order)
{
    uint races = 0;
    if ((site->order & order) == 0) return;
    weakening = (struct weakening){site, order};
    const char *const reason = reason_for(test, site);
    const uint tries = reason == NULL ? test->tries : test->few_tries;
    hide_reports(true);
    for (uint try = 0; try < tries && races == 0; try++) races = test->count_races(test->subject);
    hide_reports(false);
    weakening.site = NULL;
    tell(test, (races != 0) == (reason == NULL), "%s: without %s in %s (%s:%d): %s%s%s", test->title,
         order == HOST_ACQUIRE ? "acquire" : "release", site->function, site->file, site->line,
         races != 0 ? "a race" : "no race", reason != NULL ? ", since " : "", reason != NULL ? reason : "");
}

void host_test_orders(const struct host_orders_test *test)
{
    sites.count = 0;
    collecting = true;
    for (uint try = 0; try < test->collecting; try++) test->count_races(test->subject);
    collecting = false;
    tell(test, sites.count > 0 && sites.count < MAX_SITES, "%s: %u kinds of access have an order", test->title,
         sites.count);
    for (uint i = 0; i < sites.count; i++) {
        test_without(test, &sites.sites[i], HOST_ACQUIRE);
        test_without(test, &sites.sites[i], HOST_RELEASE);
    }
}
