/* Options: one row says all there is to say of one, and its command line, help, request, record, key, columns and
 * sweeps follow from that row.
 *
 * A table of rows is an X-macro, so that a row makes a member of a struct, its index and its description:
 *
 *     #define MY_OPTIONS(X)                                                                  \
 *         X(room, uint, .argument = "TRIANGLES", .min = 1, .max = UINT32_MAX,                \
 *           .words = {{"auto", 0}}, .otherwise = "auto", .help = "Room at the start")
 *     struct my_values { MY_OPTIONS(MU_OPTION_MEMBER) };
 *     enum { MY_OPTIONS(MU_OPTION_INDEX) MY_OPTION_COUNT };
 *     static const struct mu_option rows[] = { MY_OPTIONS(MU_OPTION_ROW) {.name = NULL} };
 *
 * where the last two macros are the table's own, of one line each. */
#ifndef MU_BASE_OPTION_H
#define MU_BASE_OPTION_H

#include "base/choice.h"
#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The types of values: a name in a row, and the type of the member that the row makes. */
typedef uint32_t mu_option_uint;
typedef uint64_t mu_option_ulong;
typedef double mu_option_real;
typedef bool mu_option_flag; /* an option without an argument, which turns it over */
enum mu_option_type { MU_OPTION_uint, MU_OPTION_ulong, MU_OPTION_real, MU_OPTION_flag };

/* A word that stands for a value, such as `auto`. */
struct mu_word {
    const char *name;
    uint32_t value;
};
#define MU_MAX_WORDS 4

/* Properties of a row, ORed. */
enum {
    MU_OPTION_BUILD = 1,       /* a constant of the program that is compiled, not a value of the run */
    MU_OPTION_VERTEX = 2,      /* the number of a vertex; its word `auto` is the first that has an arc */
    MU_OPTION_POWER = 4,       /* a power of two */
    MU_OPTION_INPUT = 8,       /* says what the input is or which part of it is used: what is compared shares it */
    MU_OPTION_EFFORT = 16,     /* says how long is measured, not what: it makes no other test */
    MU_OPTION_FOUND = 32,      /* what nobody names each process finds for itself: that makes no other test */
    MU_OPTION_FIELD = 64,      /* a member of the record, too, beside its configuration */
    MU_OPTION_ONE = 128,       /* of a single run only: campaigns have rules of their own */
    MU_OPTION_HIDDEN = 256,    /* no option of a command: set by other options or by rules */
    MU_OPTION_SCHEDULE = 1024, /* with BUILD: says how steps are put together; no preparation and no plan sees it */
    MU_OPTION_RARE = 512       /* makes another test only if it differs from its default, and only then keys name it */
};

struct mu_option {
    const char *name; /* in records; with '-' for '_' it is the option's */
    enum mu_option_type type;
    size_t offset;        /* of the member */
    const char *option;   /* the name on the command line, where it is another */
    const char *argument; /* as the help shows it */
    const char *help;     /* without range and default, which follow from the rest */
    unsigned is;
    uint64_t min, max;               /* numbers: both belong to the range */
    double most;                     /* real numbers: greater than 0, at most this */
    const struct mu_choice *choices; /* a value is the index of one of these */
    struct mu_word words[MU_MAX_WORDS];
    const char *prefix;    /* what a number has before it, such as "scaled:" */
    const char *unit;      /* of real numbers, for people */
    const char *otherwise; /* the default, as one would type it; NULL: found elsewhere, which `usual` describes */
    const char *usual;     /* how the help describes the default; NULL: as it stands in `otherwise` */
    unsigned variants;     /* variants that take it, a bit each; 0: all */
    int group;             /* of the help */
};

/* Who decided a value. */
#define MU_ORIGIN_TABLE(X)                                                                                             \
    X(NOBODY, "")                                                                                                      \
    X(OPTION, "option")                                                                                                \
    X(DEFAULT, "default")                                                                                              \
    X(PROFILE, "profile")                                                                                              \
    X(TUNING, "tuning")                                                                                                \
    X(STRATEGY, "strategy")                                                                                            \
    X(DEVICE, "device")                                                                                                \
    X(INPUT, "input")                                                                                                  \
    X(ROLL_CALL, "roll call")
#define MU_ORIGIN_ENUM(name, text) MU_FROM_##name,
enum mu_origin { MU_ORIGIN_TABLE(MU_ORIGIN_ENUM) MU_ORIGINS };
#undef MU_ORIGIN_ENUM
extern const char *const mu_origin_names[];

/* One value of any type: real numbers in `real`, all others in `number`. */
struct mu_value {
    enum mu_origin from;
    uint64_t number;
    double real;
};

#define MU_OPTION_MEMBER(member, kind, ...) mu_option_##kind member;

/* Count the rows before the one without a name, and find the index of the row of that name, or -1. */
size_t mu_option_count(const struct mu_option *rows);
int mu_option_find(const struct mu_option *rows, const char *name);

/* Writes an option's name as it is typed: "min-angle" for min_angle. */
void mu_option_spell(const struct mu_option *row, char *text, size_t bytes);

/* Reads a text into *value, which is then from MU_FROM_OPTION. A flag takes "true" and "false", or NULL, which turns
 * its default over. MU_USAGE naming the option and what it takes. */
int mu_option_parse(const struct mu_option *row, const char *text, struct mu_value *value, struct mu_error *err);

/* Returns the default, from MU_FROM_DEFAULT; from MU_FROM_NOBODY if the row has none. */
struct mu_value mu_option_default(const struct mu_option *row);

/* The value as one would type it: a word, a choice or a number. */
#define MU_VALUE_TEXT 40
void mu_option_format(const struct mu_option *row, const struct mu_value *value, char text[MU_VALUE_TEXT]);
bool mu_option_same(const struct mu_option *row, const struct mu_value *a, const struct mu_value *b);

/* Convert a value to JSON and back: words and choices are texts, flags are truths. NULL when memory runs out. Reading
 * refuses what the option does not take: MU_USAGE. */
json_t *mu_option_to_json(const struct mu_option *row, const struct mu_value *value);
int mu_option_from_json(const struct mu_option *row, const json_t *json, struct mu_value *value, struct mu_error *err);

/* Read and set the member of a struct that is made of the rows. */
struct mu_value mu_option_get(const struct mu_option *row, const void *values);
void mu_option_put(const struct mu_option *row, const struct mu_value *value, void *values);

/* Writes what the option takes, and its default, for the help: "default: 4", "1 to 16; default: 4". */
void mu_option_describe(const struct mu_option *row, char *text, size_t bytes);

#endif
