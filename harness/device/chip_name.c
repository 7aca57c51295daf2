#include "harness/device/chip_name.h"

#include "harness/device/device.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Driver stacks that are not the device vendor's, by a part of the platform's name. The version is what follows
 * `before` in the platform's version. Where `before` is NULL it is the first one in the driver's version. */
static const struct {
    const char *part, *name, *before;
} stacks[] = {
    {"Portable Computing Language", "pocl", "PoCL "},
    {"Oclgrind", "oclgrind", "Oclgrind "},
    {"rusticl", "rusticl", NULL},
    {"Clover", "clover", NULL},
    {"clvk", "clvk", "CLVK "},
};

/* Vendors' own stacks. On a processor they are named all the same, since a processor has many. */
static const struct {
    const char *part, *name;
} vendors[] = {{"NVIDIA", "nvidia"},     {"Intel", "intel"}, {"AMD", "amd"},        {"ARM", "arm"},
               {"QUALCOMM", "qualcomm"}, {"Apple", "apple"}, {"Samsung", "samsung"}};

/* Words that do not distinguish models. */
static const char *const dull_words[] = {"r",         "tm",      "c",        "cpu",  "gpu",
                                         "processor", "pthread", "graphics", "with", "bits"};

/* ---- Models ---- */

/* Returns true if a part of a name in parentheses describes how the driver was built, and not the device. */
static bool tells_driver(const char *part, size_t length)
{
    static const char *const marks[] = {"LLVM", "DRM", "bits", "ACO"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        for (size_t at = 0; at + strlen(marks[i]) <= length; at++)
            if (strncmp(part + at, marks[i], strlen(marks[i])) == 0) return true;
    return length > 0 && isdigit((unsigned char)part[0]); /* a kernel's release */
}

/* Appends the parts in parentheses, which commas divide, that tell the device. */
static void append_parts(const char *from, const char *end, char *model, size_t bytes)
{
    const char *separator = " (";
    bool open = false;
    for (const char *part = from; part < end;) {
        while (part < end && (*part == ' ' || *part == ',')) part++;
        const size_t length = strcspn(part, ",)");
        if (part < end && !tells_driver(part, length)) {
            const size_t used = strlen(model);
            snprintf(model + used, bytes - used, "%s%.*s", separator, (int)length, part);
            separator = ", ";
            open = true;
        }
        part += length;
    }
    const size_t used = strlen(model);
    if (open) snprintf(model + used, bytes - used, ")");
}

void mu_device_model(const char *name, const char *version, const char *board, char *model, size_t bytes)
{
    const char *adreno = strstr(version, "Adreno(TM) ");
    const char *last = strrchr(name, '('), *comma = last != NULL ? strchr(last, ',') : NULL;
    const size_t length = strlen(name);
    if (board[0] != '\0' && strcmp(board, name) != 0)
        snprintf(model, bytes, "%s (%s)", board, name);
    else if (adreno != NULL && strpbrk(name, "0123456789") == NULL)
        snprintf(model, bytes, "%s %s", name, adreno + strlen("Adreno(TM) "));
    else if (comma != NULL && name[length - 1] == ')') {
        snprintf(model, bytes, "%.*s", (int)(last - name), name);
        while (model[0] != '\0' && model[strlen(model) - 1] == ' ') model[strlen(model) - 1] = '\0';
        append_parts(last + 1, name + length - 1, model, bytes);
    } else
        snprintf(model, bytes, "%s", name);
}

/* ---- Short names ---- */

static bool is_dull(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof dull_words / sizeof dull_words[0]; i++)
        if (strlen(dull_words[i]) == length && strncasecmp(word, dull_words[i], length) == 0) return true;
    return false;
}

static bool is_of_word(char byte)
{
    return isalnum((unsigned char)byte) || byte == '.';
}

/* Appends a word in lower case, behind a dash where something stands before it. */
static void append_word(char *chip, size_t bytes, const char *word, size_t length)
{
    size_t used = strlen(chip);
    if (used != 0 && used + 1 < bytes) chip[used++] = '-';
    for (size_t i = 0; i < length && used + 1 < bytes; i++) chip[used++] = (char)tolower((unsigned char)word[i]);
    chip[used] = '\0';
}

/* Appends the telling words of a text; one that is the stack's own name is said already. */
static void append_words(char *chip, size_t bytes, const char *text, const char *stack)
{
    while (*text != '\0') {
        while (*text != '\0' && !is_of_word(*text)) text++;
        size_t length = 0;
        while (is_of_word(text[length])) length++;
        size_t kept = length;
        while (kept > 0 && text[kept - 1] == '.') kept--;
        const bool said = strlen(stack) == kept && strncasecmp(text, stack, kept) == 0;
        if (kept > 0 && !said && !is_dull(text, kept)) append_word(chip, bytes, text, kept);
        text += length;
    }
}

/* Appends the first "major.minor" of a text, or nothing. */
static void append_version(char *chip, size_t bytes, const char *text)
{
    text += strcspn(text, "0123456789");
    const size_t major = strspn(text, "0123456789");
    const size_t minor = text[major] == '.' ? strspn(text + major + 1, "0123456789") : 0;
    if (major != 0) append_word(chip, bytes, text, minor != 0 ? major + 1 + minor : major);
}

/* Appends stack and version where the driver is not the vendor's, or the device a processor. Returns the stack's name,
 * or "". */
static const char *append_stack(const struct mu_device_info *info, char *chip, size_t bytes)
{
    for (size_t i = 0; i < sizeof stacks / sizeof stacks[0]; i++) {
        if (strstr(info->platform, stacks[i].part) == NULL) continue;
        const char *version = stacks[i].before != NULL ? strstr(info->platform_version, stacks[i].before) : NULL;
        append_word(chip, bytes, stacks[i].name, strlen(stacks[i].name));
        append_version(chip, bytes, version != NULL ? version + strlen(stacks[i].before) : info->driver);
        return stacks[i].name;
    }
    for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++) {
        if (strstr(info->platform, vendors[i].part) == NULL) continue;
        if (!info->cpu) return "";
        append_word(chip, bytes, vendors[i].name, strlen(vendors[i].name));
        append_version(chip, bytes, info->driver);
        return vendors[i].name;
    }
    append_words(chip, bytes, info->platform, "");
    return "";
}

void mu_chip_name(const struct mu_device_info *info, char *chip, size_t bytes)
{
    char units[16];
    chip[0] = '\0';
    const char *stack = append_stack(info, chip, bytes);
    const size_t used = strlen(chip);
    append_words(chip, bytes, info->name, stack);
    if (strlen(chip) == used) append_word(chip, bytes, "device", strlen("device"));
    snprintf(units, sizeof units, "%u", info->compute_units);
    append_word(chip, bytes, units, strlen(units));
}
