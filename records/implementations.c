#include "records/implementations.h"

#include <stddef.h>

const struct mu_choice mu_variants[] = {
    {"multi-kernel", "the host launches a kernel for each step"},
    {"portable", "one kernel; a roll call finds the team; a global barrier after each step"},
    {"specialised", "one kernel, launched with as many workgroups as fit at once; no roll call"},
    {"cooperative", "as portable, but the team can shrink and grow at each barrier"},
    {NULL, NULL},
};

const struct mu_choice mu_conditions[] = {
    {"warm", "after a warm-up; portable knows the team's size, and launches as many workgroups"},
    {"cold", "portable: after a warm-up, but nothing is known of the size, and more workgroups are launched than fit"},
    {"first", "the first launch of a process, which takes no other sample; nothing is known of the size"},
    {NULL, NULL},
};

const struct mu_choice mu_rollcalls[] = {
    {"atomic", "no mutex: one fetch-and-add a group; rank 0 closes the poll"},
    {"ticket", "OOPSLA 2016, figure 3: polling and closing phase under a ticket lock"},
    {"spin", "the same under a spin lock, which is not fair"},
    {"ticket-destruct", "as ticket; the workgroup that closes the poll destroys the mutex"},
    {"lobe", "native ids: every group up to the highest that polled; needs LOBE fairness"},
    {NULL, NULL},
};

const struct mu_choice mu_barriers[] = {
    {"auto", "counter for small teams, tree for large ones"},
    {"counter", "one word: everybody adds, its top bit flips"},
    {"tree", "for large teams: ranks gather at leaves, rank 0 gathers the leaves"},
    {"xf", "Xiao and Feng, as in OOPSLA 2016, section 4: a flag for each group"},
    {"split", "as counter, in halves: a plan may have work between arriving and waiting"},
    {"native", "the runtime's own, where it has one; a wait in it has no bound but the deadline"},
    {NULL, NULL},
};

const struct mu_choice mu_resizings[] = {
    {"query", "all that are wanted leave at one barrier"},
    {"plain", "one leaves at a barrier, that of the highest rank"},
    {NULL, NULL},
};

const struct mu_choice mu_loads[] = {
    {"none", "nothing else"},
    {"light", "every 70 ms a task of 3 ms"},
    {"medium", "every 40 ms a task of 3 ms"},
    {"heavy", "every 40 ms a task of 10 ms"},
    {"brief", "every 2 ms a task of 0.2 ms, for tests"},
    {"idle", "no task: the kernel of the others, to compare them with"},
    {NULL, NULL},
};

const struct mu_choice mu_atomics_paths[] = {
    {"c11", "atomics of OpenCL C 2.0 and 3.0 at device scope"},
    {"ptx", "Nvidia: acquire and release instructions, inline"},
    {"fences", "OpenCL C 1.x: fences around read-modify-writes"},
    {NULL, NULL},
};

const struct mu_choice mu_subgroup_paths[] = {
    {"none", "every work-item is a subgroup of its own"},
    {"ptx", "Nvidia: warps, by its instructions, inline"},
    {"c30", "subgroups of OpenCL C 3.0"},
    {"khronos", "extension cl_khr_subgroups"},
    {NULL, NULL},
};

const struct mu_choice mu_yields[] = {
    {"none", "a workgroup that waits polls without a pause"},
    {"syscall", "CPUs: the system call sched_yield now and then, inline"},
    {NULL, NULL},
};

const struct mu_choice mu_c_standards[] = {
    {"CL1.2", "OpenCL C 1.2"},
    {"CL2.0", "OpenCL C 2.0"},
    {"CL3.0", "OpenCL C 3.0"},
    {NULL, NULL},
};

const struct mu_choice mu_placements[] = {
    {"none", "the system moves the threads of a CPU's driver as it likes"},
    {"cores", "each of them gets an idle core of its own, or the idle cores together"},
    {NULL, NULL},
};

const struct mu_choice mu_id_kinds[] = {
    {"auto", "native where that is possible"},
    {"native", "the numbers that the device gives to workgroups; a team that is not 0 to size - 1 ends the run"},
    {"remapped", "numbers in the order in which workgroups arrive, also for specialised, by one atomic addition"},
    {NULL, NULL},
};

const struct mu_choice mu_step_grids[] = {
    {"elements", "a work-item for each element of the step"},
    {"fixed", "as many workgroups in every step, which stride over its elements and keep lists of their own"},
    {NULL, NULL},
};

const struct mu_choice mu_readbacks[] = {
    {"blocking", "a blocking read"},
    {"word", "a read into pinned memory, whose word the host watches"},
    {NULL, NULL},
};
