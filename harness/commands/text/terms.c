#include "harness/commands/text/terms.h"

#include "harness/commands/text/field.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The terms. doc/glossary.md has each of them, and more. A row without a meaning is a heading. */
static const struct {
    const char *name, *meaning;
} terms[] = {
    {"What is measured", NULL},
    {"chip", "a device together with its driver, under a short name; it names a folder of results"},
    {"app", "an algorithm on a graph or a mesh, with its checker: pannotia/mis, lonestar/bfs"},
    {"input", "what an app runs on: a file, or a generator with its parameters, such as road:300"},
    {"variant", "how the steps of an app are synchronised: multi-kernel, portable, specialised or cooperative"},
    {"condition",
     "what portable knows: cold, nothing of the chip, and more workgroups are launched than fit; first, the "
     "same in a process's first launch; warm, the size of the team"},
    {"suite", "a table of apps and inputs, which muster bench runs"},
    {"set", "records that belong together: the name of their file"},
    {"sample", "one timed execution; a process takes several"},
    {"session", "one boot of one host on one day"},
    {"advice", "what the samples show of trouble, such as outliers or a busy machine: muster table advice"},
    {"How workgroups synchronise", NULL},
    {"team", "the workgroups that take part in an execution; each has a rank in it"},
    {"occupancy bound", "the largest number of workgroups of one kernel that can be on the device at the same time"},
    {"roll call", "finding out, in the kernel, which workgroups are there at the same time: they become the team"},
    {"patience", "after how many reads that show no newcomer a roll call is closed"},
    {"recall", "the size of the team that a roll call found, divided by the occupancy bound"},
    {"global barrier", "where all workgroups of the team wait for each other: xf, counter, tree or split"},
    {"atomics path", "how kernels access words that workgroups share: c11, ptx or fences (muster list atomics)"},
    {"subgroup", "work-items of a workgroup that the device runs together, such as a warp"},
    {"yield", "what a workgroup that waits does to let others run: nothing, or a system call, on CPUs"},
    {"read-back", "bringing a word from the device to the host between two steps: blocking waits for a transfer, word "
                  "watches a word of pinned memory"},
    {"What is said of a device", NULL},
    {"self-test", "what a device must pass before it is used: atomics, loops, barriers and what they make visible"},
    {"profile", "what muster probe has measured of a chip, which runs then use: mine/<chip>/chip.ini"},
    {"LOBE, OBE, HSA",
     "models of which waiting workgroups go on: HSA, the one with the lowest id that has not ended; OBE, "
     "every one that has taken a step; LOBE, these and every one with a lower id"},
    {"What tables show", NULL},
    {"speedup", "the time of multi-kernel over that of portable: above 1 the global barrier is faster"},
    {"slowdown", "the time of portable over that of specialised: what it costs to know nothing of the chip"},
    {"[low, high]", "an interval at 95 %"},
    {"~", "an interval of a ratio that does not exclude 1, or is of a single process: the difference is not confident"},
    {NULL, NULL},
};

static const struct mu_field_look look = {2, 16};

void mu_terms_print(void)
{
    for (size_t i = 0; terms[i].name != NULL; i++) {
        if (terms[i].meaning == NULL)
            printf("%s%s:\n", i != 0 ? "\n" : "", terms[i].name);
        else
            mu_field(&look, terms[i].name, "%s", terms[i].meaning);
    }
}

bool mu_terms_print_word(const char *word)
{
    bool found = false;
    for (size_t i = 0; terms[i].name != NULL; i++) {
        if (terms[i].meaning == NULL || strstr(terms[i].name, word) == NULL) continue;
        if (!found) printf("Terms:\n");
        mu_field(&look, terms[i].name, "%s", terms[i].meaning);
        found = true;
    }
    return found;
}

void mu_terms_try(struct mu_nearest *nearest)
{
    for (size_t i = 0; terms[i].name != NULL; i++)
        if (terms[i].meaning != NULL) mu_nearest_try(nearest, terms[i].name);
}
