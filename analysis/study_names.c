/* Names of inputs for people: a file without its folder, which says more of the machine than of the graph. */
#include "analysis/study_private.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Returns what follows the last slash, or all of the text without one. */
static const char *base_of(const char *input)
{
    const char *slash = strrchr(input, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : input;
}

static int compare_names(const void *left, const void *right)
{
    const struct mu_measurement *a = *(struct mu_measurement *const *)left, *b = *(struct mu_measurement *const *)right;
    const int order = strcmp(base_of(a->input), base_of(b->input));
    return order != 0 ? order : strcmp(a->input, b->input);
}

int mu_study_name_files(struct mu_study *study, struct mu_error *err)
{
    if (study->count == 0) return MU_OK;
    struct mu_measurement **sorted = mu_malloc(study->count, sizeof(struct mu_measurement *), "names of inputs", err);
    if (sorted == NULL) return err->status;
    for (size_t i = 0; i < study->count; i++) sorted[i] = &study->measurements[i];
    qsort(sorted, study->count, sizeof(struct mu_measurement *), compare_names);
    for (size_t first = 0, end; first < study->count; first = end) {
        const char *base = base_of(sorted[first]->input);
        for (end = first + 1; end < study->count && strcmp(base_of(sorted[end]->input), base) == 0;) end++;
        /* In order, so that the first and the last are the same only if all are. */
        if (strcmp(sorted[first]->input, sorted[end - 1]->input) != 0) continue;
        for (size_t i = first; i < end; i++) sorted[i]->shown += base - sorted[first]->input;
    }
    mu_free(sorted);
    return MU_OK;
}
