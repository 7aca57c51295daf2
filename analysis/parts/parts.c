#include "analysis/parts/parts.h"

#include "base/memory.h"

#include <string.h>

/* Returns the part with these texts, made if there is none; NULL with MU_NO_MEMORY. */
static struct mu_part *find(struct mu_parts *parts, const char *const texts[MU_PART_TEXTS], struct mu_error *err)
{
    struct mu_part *part;
    for (size_t i = parts->count; i-- > 0;) { /* records of one part follow each other */
        part = &parts->parts[i];
        if (memcmp((const void *)part->texts, (const void *)texts, sizeof part->texts) == 0) return part;
    }
    if (mu_resize((void **)&parts->parts, parts->count + 1, sizeof *parts->parts, "parts of a study", err) != MU_OK)
        return NULL;
    part = &parts->parts[parts->count++];
    *part = (struct mu_part){0};
    memcpy((void *)part->texts, (const void *)texts, sizeof part->texts);
    return part;
}

int mu_parts_make(struct mu_study_draft *draft, mu_part_texts texts_of, struct mu_parts *parts, struct mu_error *err)
{
    for (size_t i = 0; i < draft->count; i++) {
        const char *texts[MU_PART_TEXTS] = {0};
        if (draft->places[i].record_count == 0) continue;
        texts_of(&draft->places[i], texts);
        struct mu_part *part = find(parts, texts, err);
        if (part == NULL || mu_study_draft_move(&part->draft, &draft->places[i], err) != MU_OK) return err->status;
    }
    for (size_t i = 0; i < parts->count; i++) {
        if (mu_study_finish(&parts->parts[i].draft, NULL, &parts->parts[i].study, err) != MU_OK) return err->status;
        mu_study_choose(&parts->parts[i].study);
    }
    return MU_OK;
}

void mu_parts_release(struct mu_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        mu_study_draft_release(&parts->parts[i].draft);
        mu_study_release(&parts->parts[i].study);
    }
    mu_free(parts->parts);
    *parts = (struct mu_parts){0};
}
