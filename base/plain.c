#include "base/plain.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* What the first byte of a character says: how many follow it, and the least and the greatest second byte (Unicode 15,
 * table 3-7). */
static const struct {
    unsigned char from, to;
    size_t more;
    unsigned char least, greatest;
} leads[] = {{0xc2, 0xdf, 1, 0x80, 0xbf}, {0xe0, 0xe0, 2, 0xa0, 0xbf}, {0xe1, 0xec, 2, 0x80, 0xbf},
             {0xed, 0xed, 2, 0x80, 0x9f}, {0xee, 0xef, 2, 0x80, 0xbf}, {0xf0, 0xf0, 3, 0x90, 0xbf},
             {0xf1, 0xf3, 3, 0x80, 0xbf}, {0xf4, 0xf4, 3, 0x80, 0x8f}};

/* Returns the bytes of the character at that place; 0 for none. A zero byte ends none. */
static size_t character_bytes(const unsigned char *at)
{
    if (at[0] < 0x80) return 1;
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++) {
        if (at[0] < leads[i].from || at[0] > leads[i].to) continue;
        if (at[1] < leads[i].least || at[1] > leads[i].greatest) return 0;
        for (size_t k = 2; k <= leads[i].more; k++)
            if ((at[k] & 0xc0) != 0x80) return 0;
        return 1 + leads[i].more;
    }
    return 0;
}

/* Characters that break lines or turn the direction of what follows: U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069
 * and U+061C. */
static bool steers_lines(const unsigned char *at)
{
    if (at[0] == 0xd8) return at[1] == 0x9c;
    if (at[0] != 0xe2) return false;
    if (at[1] == 0x80) return at[2] == 0x8e || at[2] == 0x8f || (at[2] >= 0xa8 && at[2] <= 0xae);
    return at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9;
}

static bool is_control(const unsigned char *at)
{
    return at[0] < ' ' || at[0] == 0x7f || (at[0] == 0xc2 && at[1] < 0xa0) || steers_lines(at);
}

void mu_make_plain(char *text, const char *kept)
{
    for (unsigned char *at = (unsigned char *)text; *at != '\0';) {
        const size_t bytes = character_bytes(at);
        const bool steers = bytes != 0 && is_control(at) && strchr(kept, *at) == NULL;
        if (bytes == 0 || steers) memset(at, '?', bytes == 0 ? 1 : bytes);
        at += bytes == 0 ? 1 : bytes;
    }
}

void mu_note(FILE *to, const char *format, ...)
{
    char text[2 * PATH_MAX + 512]; /* two paths and what is said of them */
    va_list arguments;
    if (to == NULL) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mu_make_plain(text, "");
    fprintf(to, "muster: note: %s\n", text);
}
