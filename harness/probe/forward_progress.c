/* Experiment progress: the idioms of harness/device/trust/forward_progress.h, and the scheduler models that they speak
 * for. */
#include "harness/device/trust/forward_progress.h"
#include "harness/probe/probe.h"

int mu_probe_forward_progress(struct mu_trial *trial, struct mu_error *err)
{
    struct mu_forward_progress progress;
    enum mu_idiom idiom;
    enum mu_id_order order;
    struct mu_json models = mu_json_object();
    const uint32_t spin_limit = mu_forward_progress_spin_limit(&trial->info, &trial->selftest);
    if (mu_forward_progress_run(&trial->target, &trial->info, spin_limit, &progress, err) == MU_OK) {
        for (int model = 0; model < MU_SCHEDULERS; model++)
            mu_json_set_flag(&models, mu_scheduler_name((enum mu_scheduler)model),
                             mu_forward_progress_consistent(&progress, (enum mu_scheduler)model, &idiom, &order));
        mu_trial_add(trial,
                     json_pack("{s:o, s:o, s:I}", "progress", mu_forward_progress_to_json(&progress), "consistent",
                               mu_json_take(&models, "models", NULL), "tries",
                               (json_int_t)mu_forward_progress_least_tries(&progress)),
                     err);
    }
    mu_json_release(&models);
    return err->status;
}
