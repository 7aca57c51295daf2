#include "harness/commands/campaign_table.h"

#include "analysis/baseline.h"
#include "analysis/headline.h"
#include "analysis/report_tests.h"
#include "analysis/tables/advice.h"
#include "analysis/tables/common.h"
#include "records/results.h"

#include <errno.h>
#include <string.h>

/* Returns true if every variant occurs at most once, all are warm, and portable has another beside it. The summary can
 * show only such times. */
static bool has_ratios(const struct mu_campaign *campaign)
{
    unsigned seen = 0;
    for (uint32_t i = 0; i < campaign->configuration_count; i++) {
        const unsigned bit = 1u << campaign->configurations[i].form->variant;
        if ((seen & bit) != 0 || campaign->configurations[i].form->condition != MU_WARM) return false;
        seen |= bit;
    }
    return (seen & 1u << MU_PORTABLE) != 0 && seen != 1u << MU_PORTABLE;
}

/* Returns true if the campaign has portable cold, which has a table of its own, and no labels. */
static bool has_cold(const struct mu_campaign *campaign)
{
    bool cold = false, labelled = false;
    for (uint32_t i = 0; i < campaign->configuration_count; i++) {
        cold = cold || campaign->configurations[i].form->condition == MU_COLD;
        labelled = labelled || strcmp(campaign->configurations[i].label, campaign->configurations[0].label) != 0;
    }
    return cold && !labelled;
}

/* Returns true if plans run beside a load, whose times are in a table of their own. */
static bool has_load(const struct mu_campaign *campaign)
{
    for (uint32_t i = 0; i < campaign->configuration_count; i++) {
        const struct mu_value *load = &campaign->configurations[i].options[MU_TEST_load];
        if (load->from != MU_FROM_NOBODY && load->number != MU_LOAD_NONE) return true;
    }
    return false;
}

/* `told`: notes on the records' files were printed before. */
static struct mu_table_request make_request(const struct mu_campaign_records *records, bool told)
{
    return (struct mu_table_request){
        .root = mu_results_root(), .sets = records->paths, .set_count = records->count, .told = told};
}

int mu_campaign_table(const struct mu_campaign_records *records, const struct mu_output *output, struct mu_error *err)
{
    struct mu_table_request request = make_request(records, false);
    struct mu_grids grids = {.err = err};
    const struct mu_table *table = mu_table_find(has_load(records->campaign)     ? "load"
                                                 : has_cold(records->campaign)   ? "conditions"
                                                 : has_ratios(records->campaign) ? "summary"
                                                                                 : "times",
                                                 err);
    request.plain_rows = mu_grid_is_for_programs(output->format);
    if (table != NULL && records->count != 0 && table->fill(&request, &grids) == MU_OK) mu_output_print(output, &grids);
    mu_grids_release(&grids);
    return err->status;
}

int mu_campaign_advise(const struct mu_campaign_records *records, FILE *to, struct mu_error *err)
{
    const struct mu_table_request request = make_request(records, true);
    char verdict[MU_ADVICE_BYTES], warnings[MU_ADVICE_BYTES];
    if (records->count == 0 || mu_advice_summarise(&request, verdict, warnings, err) != MU_OK || verdict[0] == '\0')
        return err->status;
    fprintf(to, "%s\n", verdict);
    if (warnings[0] == '\0') return MU_OK;
    fprintf(to, "%s; read them: %s table advice", warnings, program_invocation_name);
    for (size_t i = 0; i < records->count; i++) fprintf(to, " %s", records->paths[i]);
    fputc('\n', to);
    return MU_OK;
}

/* Reads the measurements of the records; the caller releases them, also after a failure. */
static int load(const struct mu_campaign_records *records, bool told, struct mu_table_data *data, struct mu_error *err)
{
    const struct mu_table_request request = make_request(records, told);
    if (mu_table_load(&request, MU_STUDY_MEASURED, data, err) != MU_OK) return err->status;
    mu_study_choose(&data->study);
    return mu_study_take_baselines(&data->study, err);
}

int mu_campaign_headline(const struct mu_campaign_records *records, struct mu_error *err)
{
    struct mu_table_data data;
    struct mu_headline headline;
    char text[512];
    if (records->count == 0 || load(records, false, &data, err) != MU_OK) return err->status;
    for (size_t i = 0; i < data.study.count && err->status == MU_OK;) {
        i = mu_headline_make(&data.study, i, &headline, err);
        printf("%s\n", mu_headline_text(&headline, text, sizeof text));
    }
    mu_table_release(&data);
    return err->status;
}

int mu_campaign_report(const struct mu_campaign_records *records, const char *path, struct mu_error *err)
{
    struct mu_table_data data;
    struct mu_junit junit = {0};
    if (records->count == 0 || load(records, true, &data, err) != MU_OK) return err->status;
    mu_report_tests(&data.study, &junit);
    mu_junit_write(&junit, "muster bench", path, err);
    mu_junit_release(&junit);
    mu_table_release(&data);
    return err->status;
}
