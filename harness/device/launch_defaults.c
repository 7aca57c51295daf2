#include "harness/device/launch_defaults.h"

#define CPU_WORKGROUP   256
#define OTHER_WORKGROUP 128
#define CPU_PATIENCE    (1u << 22) /* far above what workers of PoCL need that outnumber the cores */
#define LEAST_PATIENCE  (1u << 18) /* half a millisecond or a whole one */
#define MIN_POLLS       UINT32_C(1024)
#define MAX_POLLS       (UINT32_C(1) << 31)

uint32_t mu_default_workgroup(const struct mu_device_info *info)
{
    uint32_t workgroup = info->cpu ? CPU_WORKGROUP : OTHER_WORKGROUP;
    while (workgroup > info->max_workgroup && workgroup > 1) workgroup /= 2;
    return workgroup;
}

uint32_t mu_default_patience(const struct mu_device_info *info)
{
    return info->cpu ? CPU_PATIENCE : MU_PATIENCE_LEAST;
}

uint32_t mu_least_patience(const struct mu_device_info *info)
{
    return info->cpu ? LEAST_PATIENCE : 1;
}

uint32_t mu_device_units(const struct mu_device_info *info)
{
    return info->resident != 0 ? info->resident : info->compute_units;
}

uint32_t mu_default_expected(const struct mu_device_info *info)
{
    return info->cpu ? mu_device_units(info) : 0;
}

uint32_t mu_default_groups(const struct mu_device_info *info, uint32_t workgroup)
{
    uint32_t per_unit = MU_ITEMS_PER_UNIT / workgroup;
    if (per_unit > MU_GROUPS_PER_UNIT) per_unit = MU_GROUPS_PER_UNIT;
    return mu_device_units(info) * (per_unit > 0 ? per_unit : 1);
}

uint32_t mu_fitting_groups(const struct mu_device_info *info, uint32_t workgroup, uint64_t elements)
{
    const uint32_t most = mu_default_groups(info, workgroup);
    const uint64_t needed = elements / workgroup + (elements % workgroup != 0);
    if (info->cpu || needed >= most) return most;
    return needed > 0 ? (uint32_t)needed : 1;
}

uint32_t mu_default_grid(const struct mu_device_info *info, uint32_t workgroup)
{
    uint32_t per_unit = MU_RESIDENT_ITEMS / workgroup;
    if (per_unit > MU_RESIDENT_GROUPS) per_unit = MU_RESIDENT_GROUPS;
    return mu_device_units(info) * (info->cpu || per_unit == 0 ? 1 : per_unit);
}

struct mu_build mu_default_build(const struct mu_device_info *info, enum mu_atomics atomics, uint32_t workgroup,
                                 uint32_t spin_limit)
{
    return (struct mu_build){.variant = MU_SPECIALISED,
                             .barrier = MU_BARRIER_COUNTER,
                             .native = info->native,
                             .atomics = atomics,
                             .ptx_fences = info->ptx_fences,
                             .c_standard = atomics == MU_ATOMICS_FENCES ? "CL1.2" : info->c_standard,
                             .yield = info->yield < 0 ? MU_YIELD_NONE : (enum mu_yield)info->yield,
                             .yield_polls = MU_YIELD_POLLS_DEFAULT,
                             .workgroup = workgroup,
                             .spin_limit = spin_limit,
                             .chunks = info->cpu};
}

enum mu_load_clock mu_choose_load_clock(const struct mu_device_info *info, enum mu_atomics atomics, enum mu_yield yield)
{
    if (info->cpu && yield != MU_YIELD_NONE) return MU_LOAD_CLOCK_PROCESSOR;
    if (!info->cpu && atomics == MU_ATOMICS_PTX) return MU_LOAD_CLOCK_GLOBALTIMER;
    return info->kernel_clock ? MU_LOAD_CLOCK_KERNEL : MU_LOAD_CLOCK_WORK;
}

uint32_t mu_polls_in(double poll_ns, double seconds)
{
    const double polls = seconds * 1e9 / (poll_ns > 0.1 ? poll_ns : 0.1);
    if (polls < (double)MIN_POLLS) return MIN_POLLS;
    return polls > (double)MAX_POLLS ? MAX_POLLS : (uint32_t)polls;
}

uint32_t mu_polls_about(double poll_ns, double seconds)
{
    const uint32_t polls = mu_polls_in(poll_ns, seconds);
    uint32_t power = MIN_POLLS;
    while (power < MAX_POLLS && (double)power * power * 2 < (double)polls * polls) power *= 2;
    return power;
}
