/* The file that says of a campaign that it has not come to its end: "<set>.jsonl.unfinished", beside the records. The
 * page of `muster report` reads it. */
#include "harness/campaign/campaign.h"

#include "base/memory.h"
#include "base/sink.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *path_of(const struct mu_campaign *campaign, struct mu_error *err)
{
    return mu_format(err, "%s.unfinished", campaign->runs.path);
}

int mu_campaign_mark(struct mu_campaign *campaign, struct mu_error *err)
{
    struct mu_sink *sink = NULL;
    const struct mu_progress *progress = &campaign->engine.progress;
    char *path = path_of(campaign, err);
    json_t *mark = json_pack("{s:s, s:s, s:I, s:I}", "chip", campaign->info->chip, "set", campaign->set, "done",
                             (json_int_t)progress->done, "planned", (json_int_t)progress->planned);
    char *text = mark != NULL ? json_dumps(mark, JSON_COMPACT) : NULL;
    if (text == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory: a campaign's mark");
    if (err->status == MU_OK && mu_sink_open(path, &sink, err) == MU_OK) {
        mu_sink_text(sink, text);
        mu_sink_text(sink, "\n");
    }
    if (mu_sink_close(sink, err->status, err) == MU_OK) campaign->marked = true;
    json_decref(mark);
    mu_free(path);
    free(text);
    return err->status;
}

int mu_campaign_unmark(struct mu_campaign *campaign, struct mu_error *err)
{
    char *path = path_of(campaign, err);
    if (path != NULL && unlink(path) != 0 && errno != ENOENT)
        mu_fail(err, MU_IO, "%s: cannot remove the file: %s", path, strerror(errno));
    mu_free(path);
    return err->status;
}
