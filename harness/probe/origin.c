/* When and by whom the measurements of a profile were made. */
#include "base/date.h"
#include "harness/device/commit.h"
#include "harness/probe/probe.h"

#include <stdio.h>
#include <string.h>

/* Whether a list, with commas, names the commit. */
static bool names_commit(const char *list, const char *commit)
{
    const size_t length = strlen(commit);
    for (const char *at = list; (at = strstr(at, commit)) != NULL; at++)
        if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ',')) return true;
    return false;
}

void mu_probe_tell_origin(const json_t *measurements, struct mu_profile *profile)
{
    char now[MU_DATE_TEXT], commits[MU_PROFILE_TEXT] = "";
    const char *newest = "";
    size_t i, used = 0;
    json_t *measurement;
    mu_date_now(now);
    json_array_foreach ((json_t *)measurements, i, measurement) {
        const char *commit = mu_json_text(measurement, "commit"), *date = mu_json_text(measurement, "date");
        if (strcmp(date, newest) > 0) newest = date;
        if (commit[0] == '\0' || names_commit(commits, commit) || used + strlen(commit) + 3 > sizeof commits) continue;
        used += (size_t)snprintf(commits + used, sizeof commits - used, "%s%s", used > 0 ? ", " : "", commit);
    }
    mu_profile_set_text(profile->chip_probed, newest[0] != '\0' ? newest : now);
    mu_profile_set_text(profile->chip_commit, used > 0 ? commits : mu_commit);
}
