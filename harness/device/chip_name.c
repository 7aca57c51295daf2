#include "harness/device/chip_name.h"

#include "harness/device/device.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Platforms whose name does not say what people call them. */
static const struct {
    const char *part, *name;
} platforms[] = {
    {"Portable Computing Language", "pocl"},
    {"Oclgrind", "oclgrind"},
    {"rusticl", "rusticl"},
    {"Clover", "clover"},
    {"Intel", "intel"},
    {"AMD", "amd"},
};

/* Words of device names that tell nothing. */
static const char *const dull_words[] = {"nvidia",   "amd",         "intel", "geforce", "tesla",     "quadro", "radeon",
                                         "graphics", "pthread",     "cpu",   "core",    "processor", "gen",    "with",
                                         "the",      "corporation", "r",     "tm",      "xeon",      "device"};

static bool is_dull(const char *word)
{
    for (size_t i = 0; i < sizeof dull_words / sizeof dull_words[0]; i++)
        if (strcasecmp(word, dull_words[i]) == 0) return true;
    return false;
}

/* The next run of letters and digits at *text, lower case, into word; false at the end. */
static bool next_word(const char **text, char *word, size_t bytes)
{
    size_t length = 0;
    while (**text != '\0' && !isalnum((unsigned char)**text)) ++*text;
    for (; isalnum((unsigned char)**text); ++*text)
        if (length + 1 < bytes) word[length++] = (char)tolower((unsigned char)**text);
    word[length] = '\0';
    return length != 0;
}

/* The next word from text on that tells something; false when none does. */
static bool next_telling_word(const char *text, char *word, size_t bytes)
{
    while (next_word(&text, word, bytes))
        if (!is_dull(word)) return true;
    return false;
}

/* Whether the name has the word, which is then put into `word`. */
static bool has_word(const char *name, const char *wanted, char *word, size_t bytes)
{
    while (next_word(&name, word, bytes))
        if (strcmp(word, wanted) == 0) return true;
    return false;
}

/* The first word that tells something. PoCL puts the compiler's target before the processor's name, between dashes, so
 * there the last blank-separated part is read; where that tells nothing, as "Xeon(R) Processor" does not, the target
 * does, and where there is no target, the family is more than nothing. */
static void telling_word(const char *name, bool last_part, char *word, size_t bytes)
{
    const char *text = name;
    if (last_part && strrchr(name, '-') != NULL) text = strrchr(name, '-');
    if (last_part && strchr(text, ' ') != NULL) text = strchr(text, ' ');
    if (next_telling_word(text, word, bytes) || next_telling_word(name, word, bytes)) return;
    if (last_part && (has_word(name, "xeon", word, bytes) || has_word(name, "core", word, bytes))) return;
    text = name;
    next_word(&text, word, bytes);
}

static const char *platform_name(const char *platform)
{
    for (size_t i = 0; i < sizeof platforms / sizeof platforms[0]; i++)
        if (strstr(platform, platforms[i].part) != NULL) return platforms[i].name;
    return "cpu";
}

/* PoCL's major version after 3, with which its CPU driver was written anew; else 0. A machine that has an old and a new
 * one has two chips. */
static unsigned new_pocl(const char *version)
{
    const char *found = strstr(version, "PoCL ");
    const unsigned long major = found != NULL ? strtoul(found + strlen("PoCL "), NULL, 10) : 0;
    return major > 3 && major < 1000 ? (unsigned)major : 0;
}

void mu_chip_name(const struct mu_device_info *info, char *chip, size_t bytes)
{
    char word[32] = "", pocl[16];
    const char *platform = platform_name(info->platform);
    const unsigned major = strcmp(platform, "pocl") == 0 ? new_pocl(info->platform_version) : 0;
    if (major != 0) snprintf(pocl, sizeof pocl, "pocl%u", major);
    if (major != 0) platform = pocl;
    telling_word(info->name, info->cpu, word, sizeof word);
    if (word[0] == '\0') snprintf(word, sizeof word, "chip");
    if (!info->cpu && strcmp(platform, "oclgrind") != 0 && strcmp(platform, "rusticl") != 0)
        snprintf(chip, bytes, "%s", word);
    else if (strcmp(platform, word) == 0)
        snprintf(chip, bytes, "%s-%u", platform, info->compute_units);
    else
        snprintf(chip, bytes, "%s-%s-%u", platform, word, info->compute_units);
}
