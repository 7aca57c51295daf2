/* Prints lines that begin with a name, as `muster devices` does. */
#ifndef MU_HARNESS_COMMANDS_TEXT_FIELD_H
#define MU_HARNESS_COMMANDS_TEXT_FIELD_H

/* Layout of fields: blanks before the name, and characters for the name. */
struct mu_field_look {
    int indent, name_width;
};

/* Prints a name and a text to standard output. On a terminal, a long text continues below itself. */
void mu_field(const struct mu_field_look *look, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
