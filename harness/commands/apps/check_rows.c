/* The configurations of muster check-app, and its inputs. */
#include "harness/commands/apps/check.h"

#define MORE MU_WORKERS_MORE

/* Each variant comes first once, where mistakes show most often: several workgroups that are small compared with the
 * input. Then follow perturbations, teams of every size, layouts, other barriers and other seeds. Small workgroups are
 * compiled fastest. */
const struct mu_check_row mu_check_rows[] = {
    {MU_MULTI_KERNEL, 0, "workgroup=16"},
    {MU_SPECIALISED, 2, "team=2 workgroup=16"},
    {MU_PORTABLE, 4, "workgroup=16"},
    {MU_COOPERATIVE, 4, "workgroup=16 stress=1"},
    {MU_SPECIALISED, 4, "team=3 workgroup=16 perturb=1 layout=1"},
    {MU_MULTI_KERNEL, 0, "grid=fixed team=3 workgroup=16 layout=2"},
    {MU_PORTABLE, 1, "workgroup=1"},
    {MU_SPECIALISED, MORE, "workgroup=1"},
    {MU_PORTABLE, 3, "workgroup=16 perturb=2 layout=3"},
    {MU_COOPERATIVE, 4, "workgroup=1 stress=2 layout=4"},
    {MU_MULTI_KERNEL, 0, "workgroup=1 layout=5"},
    {MU_PORTABLE, 0, ""},
    {MU_MULTI_KERNEL, 0, ""},
    {MU_PORTABLE, 4, "workgroup=16 barrier=tree perturb=3 seed=2"},
    {MU_SPECIALISED, 2, "team=2 workgroup=16 barrier=xf perturb=4 seed=3"},
    {MU_COOPERATIVE, 4, "workgroup=16 stress=3 perturb=5 seed=2"},
    {MU_SPECIALISED, MORE, "workgroup=16 perturb=6 seed=4 layout=6"},
    {MU_PORTABLE, MORE, "workgroup=16 perturb=7 seed=5"},
    {MU_COOPERATIVE, MORE, "workgroup=16 stress=4 seed=3 layout=7"},
    {MU_SPECIALISED, 1, "team=1"},
    {MU_COOPERATIVE, 0, "stress=5"},
    {MU_MULTI_KERNEL, 0, "grid=fixed team=1 workgroup=1 seed=6"},
};
const size_t mu_check_row_count = sizeof mu_check_rows / sizeof mu_check_rows[0];

const char *const *mu_check_inputs(enum mu_kind kind)
{
    static const char *const graphs[] = {"rmat:8", "grid2d:1x1", "road:12", "traps:150", "uniform:7:1", NULL};
    static const char *const meshes[] = {"mesh:300", "meshgrid:4x3", "mesh:40", NULL};
    return kind == MU_KIND_MESH ? meshes : graphs;
}
