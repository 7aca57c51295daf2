#include "harness/commands/text/field.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Texts are not broken on a terminal narrower than NARROWEST; LONGEST bounds the bytes of a text. */
enum { NARROWEST = 40, LONGEST = 2048 };

/* Returns the number of characters of UTF-8 in some bytes. */
static size_t width_of(const char *text, size_t bytes)
{
    size_t characters = 0;
    for (size_t i = 0; i < bytes; i++) characters += (text[i] & 0xc0) != 0x80;
    return characters;
}

static size_t terminal_width(void)
{
    struct winsize size = {0};
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < NARROWEST) return 0;
    return size.ws_col;
}

void mu_field(const struct mu_field_look *look, const char *name, const char *format, ...)
{
    char text[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t begin = (size_t)look->indent + (size_t)look->name_width + 1, width = terminal_width();
    size_t used = begin;
    printf("%*s%-*s ", look->indent, "", look->name_width, name);
    for (const char *at = text; *at != '\0';) {
        size_t blanks = strspn(at, " ");
        const size_t word = strcspn(at + blanks, " ");
        if (at != text && width != 0 && used + width_of(at, blanks + word) > width) {
            printf("\n%*s", (int)begin, "");
            used = begin;
            at += blanks;
            blanks = 0;
        }
        printf("%.*s", (int)(blanks + word), at);
        used += width_of(at, blanks + word);
        at += blanks + word;
    }
    putchar('\n');
}
