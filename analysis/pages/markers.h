/* Markers of a Markdown page: comments between which a page is filled in from records (doc/reports.md).
 *
 *     <!-- cell headline chip=h200 speedup -->1.41 [1.39, 1.43]<!-- end -->
 *
 * A marker begins with its kind; words follow, between blanks and line ends, of which a part in double quotes may hold
 * blanks. In a fenced code block markers are text. */
#ifndef MU_ANALYSIS_PAGES_MARKERS_H
#define MU_ANALYSIS_PAGES_MARKERS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum mu_marker_kind { MU_MARKER_TABLE, MU_MARKER_CELL, MU_MARKER_RECORDS, MU_MARKER_END };

struct mu_marker {
    enum mu_marker_kind kind;
    size_t line;       /* where it begins, from 1 */
    size_t start, end; /* the bytes of the page that stand between it and its end */
    bool crlf;         /* its line ends as on Windows */
    char **words;      /* behind the kind */
    size_t word_count;
};

/* In the order of the page. Fill with zeros; release with mu_markers_release, also after a failure. */
struct mu_markers {
    struct mu_marker *markers;
    size_t count;
};

/* Finds the markers of a page. MU_INPUT, naming `path` and the line, for a marker without an end, one inside another,
 * an end without a marker, a comment or quotation that is not closed; MU_NO_MEMORY. */
int mu_markers_find(const char *path, const char *text, size_t bytes, struct mu_markers *markers, struct mu_error *err);

/* Accepts zeros. */
void mu_markers_release(struct mu_markers *markers);

#endif
