/* The keys of a profile. */
#include "records/profile.h"
#include "records/scheduler_models.h"

const struct mu_choice mu_profile_trusts[] = {
    {"trusted", "several workgroups synchronised, and counted right"},
    {"alone", "right, but never more than one workgroup at a time was seen"},
    {"refused", "results of this device mean nothing"},
    {NULL, NULL},
};

const struct mu_choice mu_profile_variants[] = {
    [MU_PROFILE_ALL_VARIANTS] = {"all", "several workgroups at once, or a team of one, are no surprise"},
    [MU_PROFILE_MULTI_KERNEL_ONLY] = {"multi-kernel only", "workgroups of one launch do not synchronise here"},
    [MU_PROFILE_NO_VARIANT] = {"none", "results of this device mean nothing"},
    {NULL, NULL},
};

const struct mu_choice mu_profile_consistencies[] = {
    [MU_CONSISTENT] = {"consistent", "every test that the model promises to complete did"},
    [MU_INCONSISTENT] = {"inconsistent", "a test that the model promises to complete starved"},
    [MU_NOT_TESTED] = {"not tested", "a team of one completed what the model promises"},
    {NULL, NULL},
};

#define MU_PLACE(member)            offsetof(struct mu_profile, member)
#define MU_TEXT(section, key)       #section, #key, MU_PROFILE_IS_TEXT, MU_PLACE(section##_##key), 0, NULL
#define MU_CHOICE(section, key, of) #section, #key, MU_PROFILE_IS_CHOICE, MU_PLACE(section##_##key), 0, of
#define MU_COUNT(section, key)      #section, #key, MU_PROFILE_IS_COUNT, MU_PLACE(section##_##key), 0, NULL
#define MU_NUMBER(section, key)     #section, #key, MU_PROFILE_IS_NUMBER, MU_PLACE(section##_##key), 0, NULL
#define MU_SIZES(section)           #section, "workgroup", MU_PROFILE_IS_SIZES, MU_PLACE(section), MU_PROFILE_MOST_GROUPS, NULL

#define MU_MODEL "Whether the forward-progress tests are consistent with the scheduler model "

const struct mu_profile_key mu_profile_keys[] = {
    {"profile", "format", MU_PROFILE_IS_COUNT, MU_PLACE(format), 0, NULL, "", "an error",
     "Version of this format; this program reads 1."},

    {MU_TEXT(chip, name), "", "", "The chip's short name, and its folder's."},
    {MU_TEXT(chip, device), "", "the profile is not used", "The device's model; the profile serves no other."},
    {MU_TEXT(chip, vendor), "", "the profile is not used", "The device's vendor; the profile serves no other."},
    {MU_TEXT(chip, platform_name), "", "the profile is not used", "The platform's name; the profile serves no other."},
    {MU_TEXT(chip, platform), "", "the profile is not used", "The platform's version; the profile serves no other."},
    {MU_TEXT(chip, driver), "", "the profile is not used", "The driver's version; the profile serves no other."},
    {MU_COUNT(chip, compute_units), "compute units", "the profile is not used",
     "As the device reports them; the profile serves no other number."},
    {MU_COUNT(chip, units), "compute units", "as the device reports them",
     "Those that --units said when it was probed; the profile serves no other number."},
    {MU_TEXT(chip, probed), "UTC", "", "When the newest of its measurements was made."},
    {MU_TEXT(chip, commit), "", "", "The commits of muster that made them."},

    {MU_CHOICE(selftest, trust, mu_profile_trusts), "", "the self-test's",
     "The self-test's verdict: trusted, alone (right, but one workgroup at a time) or refused: nothing runs."},
    {MU_TEXT(selftest, reason), "", "", "Why."},
    {MU_CHOICE(selftest, variants, mu_profile_variants), "", "all, but multi-kernel only on a simulator",
     "What may run here; other variants are refused. A device that claims to be a CPU and a GPU at once is a "
     "simulator, which runs workgroups one after the other."},
    {MU_NUMBER(selftest, poll_ns), "ns", "", "What one poll of a spin takes."},
    {MU_COUNT(selftest, spin_limit), "polls", "the self-test's", "Polls after which a wait is a deadlock."},

    {MU_CHOICE(rollcall, default, mu_rollcalls), "", "`atomic`",
     "The roll call that portable runs where --rollcall names none."},
    {MU_COUNT(rollcall, patience), "reads", "4194304 on a CPU, else 16",
     "Unchanged reads after which `atomic` closes the poll: patience_found times patience_margin. On a CPU "
     "runs take at least 262144."},
    {MU_COUNT(rollcall, patience_found), "reads", "",
     "The smallest patience tried that found the whole bound in every run, for all four microbenchmarks."},
    {MU_NUMBER(rollcall, patience_margin), "", "", "The factor put on top of it."},
    {MU_COUNT(rollcall, recall_runs), "runs", "", "How many runs of each microbenchmark found the whole bound so."},
    {MU_NUMBER(rollcall, cost_ns), "ns", "",
     "What the default roll call costs at full occupancy, with patience, at the default workgroup size."},
    {MU_NUMBER(rollcall, expected_cost_ns), "ns", "", "The same, once a run knows the size to expect."},

    {MU_SIZES(expected), "workgroups", "compute units of a CPU, else what a few roll calls find",
     "Team size at which a roll call closes at once, by workgroup size: the simple kernel's. An app's kernel may reach "
     "less, which costs patience and nothing else."},

    {MU_SIZES(bound), "workgroups", "", "Occupancy bound of the simple kernel, by workgroup size."},
    {MU_COUNT(bound, local_one_workgroup_one), "workgroups", "",
     "Occupancy bound with the least local memory and one work-item a group."},
    {MU_COUNT(bound, local_one_workgroup_max), "workgroups", "", "… the least local memory, the largest workgroup."},
    {MU_COUNT(bound, local_all_workgroup_one), "workgroups", "", "… all local memory, one work-item a group."},
    {MU_COUNT(bound, local_all_workgroup_max), "workgroups", "", "… all local memory, the largest workgroup."},
    {MU_COUNT(bound, local_all_bytes), "bytes", "", "What \"all local memory\" came to."},
    {MU_COUNT(bound, disagreements), "verdicts", "", "Repeated verdicts of the bound search that disagreed."},

    {MU_COUNT(barrier, tree_from), "workgroups", "a built-in rule",
     "The smallest team for which `--barrier=auto` takes `tree` instead of `counter`; 4294967295 for never."},
    {MU_NUMBER(barrier, cost_ns), "ns", "",
     "What a barrier of the kind `auto` takes costs at full occupancy, at the default workgroup size."},

    {MU_COUNT(yield, polls), "polls", "256", "Polls between two yields of a workgroup that waits, a power of two."},

    {MU_NUMBER(launch, pipelined_ns), "ns", "", "A kernel launch among many, none waited for."},
    {MU_NUMBER(launch, blocking_ns), "ns", "", "A launch and a blocking read of four bytes."},
    {MU_NUMBER(launch, word_ns), "ns", "", "A launch and a read into a pinned word that the host watches."},
    {MU_CHOICE(launch, readback, mu_readbacks), "", "measured in each run",
     "How the host reads flags of multi-kernel, and reports of the other variants."},

    {MU_CHOICE(progress, hsa, mu_profile_consistencies), "", "", MU_MODEL "HSA (lower ids make progress)."},
    {MU_CHOICE(progress, obe, mu_profile_consistencies), "", "",
     MU_MODEL "OBE (occupancy-bound execution: a workgroup that has run goes on running)."},
    {MU_CHOICE(progress, hsa_obe, mu_profile_consistencies), "", "", MU_MODEL "HSA+OBE."},
    {MU_CHOICE(progress, lobe, mu_profile_consistencies), "", "tested in each run",
     MU_MODEL "LOBE (linear OBE); roll call `lobe` is refused where they are not."},
    {MU_COUNT(progress, tries), "runs", "",
     "The fewest runs behind a forward-progress test that completed; one that is slow is not repeated."},

    {MU_NUMBER(watchdog, longest_ms), "ms", "",
     "The longest kernel of `muster probe --watchdog` that the system let end."},
    {MU_NUMBER(watchdog, ended_ms), "ms", "what the system tells, if it does",
     "The shortest that it did not; then waits are bounded by half of the longest."},

    {MU_COUNT(litmus, mutants), "mutants", "",
     "Mutants of the memory tests that `muster conform` tried: accesses without their order, or a part of it."},
    {MU_COUNT(litmus, observed), "mutants", "", "Those of them that had the outcome which order would forbid."},

    {MU_NUMBER(memory, subgroup_combining), "speedup", "",
     "Additions to one word, combined in a subgroup first, over uncombined."},
    {MU_NUMBER(memory, divergence), "speedup", "",
     "Strided accesses with a needless workgroup barrier in the loop, over without."},
    {MU_NUMBER(memory, copy_gb_per_s), "GB/s", "",
     "What a copy of an array that no cache holds reads and writes, together."},

    {MU_NUMBER(predict, rounds), "rounds", "",
     "A run of more rounds than this wins back what the roll call costs, in launches and read-backs not needed."},
    {MU_NUMBER(predict, rounds_per_second), "rounds/s", "",
     "Above this rate a global barrier saves more than 5 % of the time of a multi-kernel run."},
    {MU_NUMBER(predict, crossover_fmas), "multiply-adds", "",
     "From this many multiply-adds of a work-item in a round on, a launch for each round is as good as a barrier, "
     "within "
     "5 %. Nothing is read back, and the team is as large as the chip."},

    {NULL, NULL, MU_PROFILE_IS_TEXT, 0, 0, NULL, NULL, NULL, NULL},
};
