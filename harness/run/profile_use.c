#include "harness/run/profile_use.h"

#include "records/results.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

int mu_profile_find(const struct mu_device_info *info, struct mu_profile *profile, char note[512], struct mu_error *err)
{
    char path[PATH_MAX], here[MU_PROFILE_TEXT];
    memset(profile, 0, sizeof *profile);
    note[0] = '\0';
    if (mu_results_path(info->chip, MU_PROFILE_FILE, path, sizeof path, err) != MU_OK) return err->status;
    FILE *file = fopen(path, "r");
    if (file == NULL && errno == ENOENT) return MU_OK;
    if (file == NULL) return mu_fail(err, MU_IO, "%s: cannot open: %s", path, strerror(errno));
    fclose(file);
    if (mu_profile_read(path, profile, err) != MU_OK) return err->status;
    const struct {
        const char *what, *here, *there;
    } compared[] = {{"driver", info->driver, profile->chip_driver},
                    {"platform", info->platform_version, profile->chip_platform},
                    {"device", info->name, profile->chip_device}};
    for (size_t i = 0; i < sizeof compared / sizeof compared[0]; i++) {
        mu_profile_set_text(here, compared[i].here);
        if (strcmp(here, compared[i].there) == 0) continue;
        if (compared[i].there[0] == '\0')
            snprintf(note, 512, "%.150s is not used: it does not say of which %s it is; probe again", path,
                     compared[i].what);
        else
            snprintf(note, 512, "%.150s is not used: it is of %s '%.120s', this is '%.120s'; probe again", path,
                     compared[i].what, compared[i].there, here);
        memset(profile, 0, sizeof *profile);
        break;
    }
    return MU_OK;
}
