/* Lines with a name in front, as of `muster devices`. */
#ifndef MU_HARNESS_COMMANDS_TEXT_FIELD_H
#define MU_HARNESS_COMMANDS_TEXT_FIELD_H

/* Where the texts of fields stand: so many blanks, then the name in so many characters. */
struct mu_field_look {
    int indent, name_width;
};

/* Prints a name and a text to standard output. On a terminal, a text that is too long goes on below itself. */
void mu_field(const struct mu_field_look *look, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
