#include "harness/commands/chip/page.h"

#include "analysis/pages/page.h"
#include "base/memory.h"
#include "base/sink.h"

#include <stdio.h>
#include <string.h>

/* Template of the page (doc/reports.md); an at sign stands for the chip. */
static const char text[] = "# @\n\n"
                           "Measured by `muster chip add`. Every record names its commit, date and options.\n\n"
                           "<!-- records chip=@ -->\n<!-- end -->\n\n"
                           "## What the global barrier gains, and what portability costs\n\n"
                           "<!-- table headline chip=@ set speedup slowdown tests failed -->\n<!-- end -->\n\n"
                           "<!-- table speedup chip=@ set app input speedup -->\n<!-- end -->\n\n"
                           "<!-- table slowdown chip=@ set app input slowdown -->\n<!-- end -->\n\n"
                           "<!-- table failures chip=@ set app input variant outcome message -->\n<!-- end -->\n\n"
                           "## What synchronisation costs\n\n"
                           "<!-- table launch-cost chip=@ implementation median_ns -->\n<!-- end -->\n\n"
                           "<!-- table rollcall-cost chip=@ workgroup bound rollcall closed_by team median_ns -->\n"
                           "<!-- end -->\n\n"
                           "<!-- table barrier-cost chip=@ workgroup team barrier median_ns -->\n<!-- end -->\n\n"
                           "## What may run at once, and what the scheduler keeps\n\n"
                           "<!-- table occupancy chip=@ local_bytes workgroup bound rollcall mean runs -->\n"
                           "<!-- end -->\n\n"
                           "<!-- table progress chip=@ -->\n<!-- end -->\n\n"
                           "## With what it was measured\n\n"
                           "<!-- table provenance chip=@ set device platform driver version commit first last runs "
                           "samples -->\n<!-- end -->\n";

static int write_text(const char *path, const char *chip, struct mu_error *err)
{
    struct mu_sink *sink = NULL;
    if (mu_sink_open(path, &sink, err) != MU_OK) return err->status;
    for (const char *rest = text; *rest != '\0';) {
        const size_t length = strcspn(rest, "@");
        mu_sink_bytes(sink, rest, length);
        rest += length;
        if (*rest == '@') {
            mu_sink_text(sink, chip);
            rest++;
        }
    }
    return mu_sink_close(sink, err->status, err);
}

int mu_chip_page_write(const char *root, const char *chip, char path[PATH_MAX], struct mu_error *err)
{
    struct mu_filled_tables tables = {0};
    struct mu_page page = {0};
    const int length = snprintf(path, PATH_MAX, "%s/%s/%s", root, chip, MU_CHIP_PAGE);
    if (length < 0 || length >= PATH_MAX) return mu_fail(err, MU_LIMIT, "%s/%s: the path is too long", root, chip);
    if (write_text(path, chip, err) == MU_OK && mu_page_fill(path, root, &tables, &page, err) == MU_OK &&
        mu_page_difference(&page) != 0)
        mu_page_write(&page, err);
    mu_page_release(&page);
    mu_filled_release(&tables);
    return err->status;
}
