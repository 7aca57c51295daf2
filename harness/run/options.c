#include "harness/run/options.h"

#include "variants/launch/execution.h"

#define ROW(member, kind, ...)                                                                                         \
    {.name = #member, .type = MU_OPTION_##kind, .offset = offsetof(struct mu_test_options, member), __VA_ARGS__},
const struct mu_option mu_test_options[] = {MU_TEST_OPTIONS(ROW){.name = NULL}};
#undef ROW

bool mu_condition_applies(enum mu_condition condition, uint32_t variant)
{
    return condition != MU_COLD || MU_HAS_ROLL_CALL(variant);
}

bool mu_test_option_applies(const struct mu_option *row, uint32_t variant)
{
    return row->variants == 0 || (row->variants & (1u << variant)) != 0;
}
