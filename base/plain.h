/* Text that comes from outside (files, drivers, the names of files) for people to read. */
#ifndef MU_BASE_PLAIN_H
#define MU_BASE_PLAIN_H

#include <stdio.h>

/* Puts question marks in the place of what could steer a terminal, control characters and those of Unicode's second set
 * of them, of what breaks lines or turns the direction of text, and of bytes that are not UTF-8, such as half of a
 * character at the end of a text that was cut off. The characters of `kept` stay. */
void mu_make_plain(char *text, const char *kept);

/* Prints a line "muster: note: …", made plain. Prints nothing if `to` is NULL. */
void mu_note(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
