#include "variants/launch/plan_step.h"

#include "variants/variant.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool continues_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind "STEP(", "STEP2(" or "STEP_SPLIT(" if that is what `text` begins with, else NULL. */
static const char *behind_call(const char *text)
{
    static const char *const words[] = {"STEP", "STEP2", "STEP_SPLIT"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t length = strlen(words[i]);
        if (strncmp(text, words[i], length) != 0 || continues_name(text[length])) continue;
        text += length + strspn(text + length, " \t");
        return *text == '(' ? text + 1 : NULL;
    }
    return NULL;
}

bool mu_step_of_line(const char *plan, uint32_t line, char *name, size_t room)
{
    const char *found = NULL;
    uint32_t at = 1;
    for (const char *text = plan; *text != '\0' && at <= line; text++) {
        const char *argument = text == plan || !continues_name(text[-1]) ? behind_call(text) : NULL;
        if (argument != NULL) found = argument;
        if (*text == '\n') at++;
    }
    if (found == NULL) return false;
    found += strspn(found, " \t\n");
    size_t length = 0;
    while (continues_name(found[length])) length++;
    if (length == 0 || length >= room) return false;
    memcpy(name, found, length);
    name[length] = '\0';
    return true;
}

void mu_plan_place(const void *source, uint32_t line, char *text, size_t bytes)
{
    const struct mu_plan_source *from = source;
    struct mu_sources plan = {0};
    struct mu_error ignored = {0};
    char step[64];
    /* The text that a compiler gets begins with a line that tells the file's name. */
    if (mu_sources_add(&plan, from->path, from->kernel_dir, &ignored) == MU_OK &&
        mu_step_of_line(plan.text[0], line + 1, step, sizeof step))
        snprintf(text, bytes, " behind step %s (%s:%u)", step, from->path, line);
    else
        snprintf(text, bytes, " (%s:%u)", from->path, line);
    mu_sources_free(&plan);
}
