#include "harness/device/host/profile_use.h"

#include "base/user/data_folder.h"
#include "records/results.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int mu_profile_find(const struct mu_device_info *info, struct mu_profile *profile, char note[512], struct mu_error *err)
{
    char path[PATH_MAX], here[MU_PROFILE_TEXT], units[16], profile_units[16], said[16], profile_said[16];
    memset(profile, 0, sizeof *profile);
    note[0] = '\0';
    if (mu_results_path_to_read(info->chip, MU_PROFILE_FILE, path, err) != MU_OK) return err->status;
    const char *root = mu_results_published();
    const bool published = root != NULL && strncmp(path, root, strlen(root)) == 0;
    FILE *file = fopen(path, "r");
    if (file == NULL && errno == ENOENT) return MU_OK;
    if (file == NULL) return mu_fail(err, MU_IO, "%s: cannot open: %s", path, strerror(errno));
    fclose(file);
    if (mu_profile_read(path, profile, err) != MU_OK) return err->status;
    snprintf(units, sizeof units, "%u", info->compute_units);
    snprintf(profile_units, sizeof profile_units, "%u", profile->chip_compute_units);
    snprintf(said, sizeof said, "%u", info->resident);
    snprintf(profile_said, sizeof profile_said, "%u", profile->chip_units);
    const struct {
        const char *what, *here, *there;
    } compared[] = {{"driver", info->driver, profile->chip_driver},
                    {"platform", info->platform_version, profile->chip_platform},
                    {"platform", info->platform, profile->chip_platform_name},
                    {"vendor", info->vendor, profile->chip_vendor},
                    {"device", info->name, profile->chip_device},
                    {"number of compute units", units, profile_units},
                    {"number of --units (0: none)", said, profile_said}};
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

/* Returns whether a profile is there for this device, with the units that it was made for. */
static bool find_with_its_units(const struct mu_device_info *info, struct mu_profile *profile)
{
    char path[PATH_MAX], note[512];
    struct mu_error unreadable = {0};
    struct mu_device_info used = *info;
    if (mu_results_path_to_read(info->chip, MU_PROFILE_FILE, path, &unreadable) != MU_OK || access(path, R_OK) != 0 ||
        mu_profile_read(path, profile, &unreadable) != MU_OK)
        return false;
    used.resident = profile->chip_units;
    return mu_profile_find(&used, profile, note, &unreadable) == MU_OK && profile->format != 0;
}

void mu_profile_take_watchdog(struct mu_device_info *info)
{
    struct mu_profile profile;
    if (info->cpu || !find_with_its_units(info, &profile)) return;
    const double longest_ms = profile.watchdog_longest_ms, ended_ms = profile.watchdog_ended_ms;
    if (longest_ms <= 0 || longest_ms > UINT32_MAX) return;
    if (ended_ms <= 0 && info->watchdog_ms == 0)
        snprintf(info->watchdog, sizeof info->watchdog, "none was met by kernels of up to %.1f s (muster probe)",
                 longest_ms / 1e3);
    if (ended_ms <= 0 || (info->watchdog_ms != 0 && info->watchdog_ms < longest_ms)) return;
    info->watchdog_ms = longest_ms < 1 ? 1 : (uint32_t)longest_ms;
    snprintf(info->watchdog, sizeof info->watchdog, "muster probe: a kernel of %.1f s was ended", ended_ms / 1e3);
}
