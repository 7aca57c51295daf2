#include "variants/kernel_tokens.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Marks in what is hashed: the end of a token, the end of a directive, and an opening bracket that makes a macro take
 * arguments because nothing stands before it. */
#define END_OF_TOKEN     "\1"
#define END_OF_DIRECTIVE "\2"
#define MACRO_BRACKET    "\3"

struct scanner {
    struct mu_hash *hash;
    const char *at;
    bool line_begins; /* nothing but blanks before `at` on its line */
    bool directive;   /* the line is one */
    int words;        /* tokens of the directive so far, its # counted */
    bool defines;
};

static void emit(struct scanner *scanner, const char *text, size_t length)
{
    mu_hash_add(scanner->hash, text, length);
    mu_hash_add(scanner->hash, END_OF_TOKEN, 1);
}

static size_t continued_line(const char *at)
{
    return at[0] == '\\' && at[1] == '\n' ? 2 : 0;
}

static void end_line(struct scanner *scanner)
{
    if (scanner->directive) mu_hash_add(scanner->hash, END_OF_DIRECTIVE, 1);
    scanner->directive = false;
    scanner->line_begins = true;
}

/* Passes over blanks, line ends and comments. */
static void skip_blanks(struct scanner *scanner)
{
    for (;;) {
        const char *at = scanner->at;
        if (*at == '\n') {
            end_line(scanner);
            scanner->at++;
        } else if (isspace((unsigned char)*at)) {
            scanner->at++;
        } else if (continued_line(at) != 0) {
            scanner->at += 2;
        } else if (at[0] == '/' && at[1] == '/') {
            while (*scanner->at != '\0' && *scanner->at != '\n')
                scanner->at += continued_line(scanner->at) != 0 ? 2 : 1;
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            scanner->at = end != NULL ? end + 2 : at + strlen(at);
        } else
            return;
    }
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns the length of a name, or of a number as the preprocessor sees one: "0x1p-3f", "1e+5". */
static size_t word_length(const char *at)
{
    size_t length = 0;
    const bool number = isdigit((unsigned char)at[0]) || (at[0] == '.' && isdigit((unsigned char)at[1]));
    while (
        is_word(at[length]) || (number && at[length] == '.') ||
        (number && length != 0 && (at[length] == '+' || at[length] == '-') && strchr("eEpP", at[length - 1]) != NULL))
        length++;
    return length;
}

static size_t literal_length(const char *at)
{
    size_t length = 1;
    while (at[length] != '\0' && at[length] != '\n' && at[length] != at[0])
        length += at[length] == '\\' && at[length + 1] != '\0' ? 2 : 1;
    return at[length] == at[0] ? length + 1 : length;
}

static size_t mark_length(const char *at)
{
    static const char *const marks[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
                                        "&&",  "||",  "*=",  "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (at[0] == marks[i][0] && strncmp(at, marks[i], strlen(marks[i])) == 0) return strlen(marks[i]);
    return 1;
}

static size_t token_length(const char *at)
{
    const size_t word = word_length(at);
    if (word != 0) return word;
    return *at == '"' || *at == '\'' ? literal_length(at) : mark_length(at);
}

/* Returns true for a #line, which says where the text comes from, not what it is. */
static bool is_line_directive(const char *at)
{
    at++;
    while (*at == ' ' || *at == '\t') at++;
    return strncmp(at, "line", 4) == 0 && !is_word(at[4]);
}

static void note_directive(struct scanner *scanner, const char *at, size_t length)
{
    scanner->words++;
    if (scanner->words == 2) scanner->defines = length == 6 && strncmp(at, "define", 6) == 0;
    if (scanner->words == 3 && scanner->defines && at[length] == '(') mu_hash_add(scanner->hash, MACRO_BRACKET, 1);
}

void mu_tokens_add(struct mu_hash *hash, const char *text)
{
    struct scanner scanner = {.hash = hash, .at = text, .line_begins = true};
    for (skip_blanks(&scanner); *scanner.at != '\0'; skip_blanks(&scanner)) {
        const char *at = scanner.at;
        if (*at == '#' && scanner.line_begins) {
            if (is_line_directive(at)) {
                scanner.at += strcspn(at, "\n");
                continue;
            }
            scanner.directive = true;
            scanner.words = 0;
        }
        const size_t length = token_length(at);
        emit(&scanner, at, length);
        if (scanner.directive) note_directive(&scanner, at, length);
        scanner.line_begins = false;
        scanner.at += length;
    }
    end_line(&scanner);
}

uint64_t mu_tokens_hash(const struct mu_sources *sources)
{
    struct mu_hash hash;
    mu_hash_start(&hash);
    for (size_t i = 0; i < sources->count; i++) mu_tokens_add(&hash, sources->text[i]);
    return mu_hash_end(&hash);
}
