/* For tests/variants/library.sh: sizes, offsets and values of muster/team.h, as programs have compiled them in. They
 * are held against tests/variants/library/abi.txt, which is of a 64-bit target. */
#define CL_TARGET_OPENCL_VERSION 120
#include <muster/team.h>

#include <stddef.h>
#include <stdio.h>

#define SIZE(type)           printf("size %s %zu\n", #type, sizeof(struct type))
#define MEMBER(type, member) printf("member %s.%s %zu\n", #type, #member, offsetof(struct type, member))
#define VALUE(name)          printf("value %s %d\n", #name, (int)(name))

int main(void)
{
    SIZE(mu_team_error);
    MEMBER(mu_team_error, status);
    MEMBER(mu_team_error, message);
    SIZE(mu_team_settings);
    MEMBER(mu_team_settings, workgroup);
    MEMBER(mu_team_settings, groups);
    MEMBER(mu_team_settings, expected);
    MEMBER(mu_team_settings, patience);
    MEMBER(mu_team_settings, spin_limit);
    MEMBER(mu_team_settings, specialised);
    MEMBER(mu_team_settings, yield);
    MEMBER(mu_team_settings, large);
    MEMBER(mu_team_settings, native);
    SIZE(mu_team_report);
    MEMBER(mu_team_report, team);
    MEMBER(mu_team_report, barriers);
    MEMBER(mu_team_report, host_ns);
    MEMBER(mu_team_report, expected);
    VALUE(MU_TEAM_OK);
    VALUE(MU_TEAM_WRONG);
    VALUE(MU_TEAM_USAGE);
    VALUE(MU_TEAM_NO_MEMORY);
    VALUE(MU_TEAM_DEVICE);
    VALUE(MU_TEAM_BUILD);
    VALUE(MU_TEAM_DEADLOCK);
    VALUE(MU_TEAM_CRASH);
    return 0;
}
