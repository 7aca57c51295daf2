#include "harness/run/profile_use.h"

#include "base/user/data_folder.h"
#include "records/results.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the user has no profile of the chip, and has not said where results are: makes the path that of the published
 * one, where there is one. */
static bool find_published(const char *chip, char path[PATH_MAX])
{
    char there[PATH_MAX];
    const char *named = getenv("MUSTER_RESULTS"), *data = mu_data_folder();
    if ((named != NULL && named[0] != '\0') || data == NULL || access(path, F_OK) == 0) return false;
    const int length = snprintf(there, sizeof there, "%s/results/%s/%s", data, chip, MU_PROFILE_FILE);
    if (length < 0 || (size_t)length >= sizeof there || access(there, R_OK) != 0) return false;
    memcpy(path, there, (size_t)length + 1);
    return true;
}

int mu_profile_find(const struct mu_device_info *info, struct mu_profile *profile, char note[512], struct mu_error *err)
{
    char path[PATH_MAX], here[MU_PROFILE_TEXT];
    memset(profile, 0, sizeof *profile);
    note[0] = '\0';
    if (mu_results_path(info->chip, MU_PROFILE_FILE, path, sizeof path, err) != MU_OK) return err->status;
    const bool published = find_published(info->chip, path);
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
        if (published) note[0] = '\0'; /* nobody has probed this chip, and that is not worth a word */
        memset(profile, 0, sizeof *profile);
        break;
    }
    return MU_OK;
}
