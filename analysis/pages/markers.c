#include "analysis/pages/markers.h"

#include "base/memory.h"

#include <string.h>

static const char *const kinds[] = {"table", "cell", "records", "end"};
static const char opening[] = "<!--", closing[] = "-->";

/* Where the search through a page is. */
struct search {
    const char *path, *text;
    size_t bytes, at, line;
    char fence; /* the character of the code block that it is in, or 0 */
    size_t fence_length;
    struct mu_error *err;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool begins_with(const struct search *search, size_t at, const char *word)
{
    const size_t length = strlen(word);
    return search->bytes - at >= length && memcmp(search->text + at, word, length) == 0;
}

/* ---- Code blocks ---- */

/* Returns the length of the fence with which the line at `at` begins, after three blanks at most; 0 for none. */
static size_t fence_at(const struct search *search, size_t at, char *character)
{
    size_t length = 0;
    for (size_t blanks = 0; blanks < 3 && at < search->bytes && search->text[at] == ' '; blanks++) at++;
    *character = '\0';
    if (at < search->bytes) *character = search->text[at];
    if (*character != '`' && *character != '~') return 0;
    while (at + length < search->bytes && search->text[at + length] == *character) length++;
    return length >= 3 ? length : 0;
}

/* Notes whether the line that begins at `at` opens or closes a code block. */
static void look_for_fence(struct search *search, size_t at)
{
    char character;
    const size_t length = fence_at(search, at, &character);
    if (length == 0) return;
    if (search->fence == '\0') {
        search->fence = character;
        search->fence_length = length;
    } else if (search->fence == character && length >= search->fence_length) {
        search->fence = '\0';
    }
}

/* ---- Words ---- */

/* Returns where the word that begins at `at` ends. A quotation that is not closed reaches to the end of the text. */
static size_t end_of_word(const char *text, size_t bytes, size_t at, bool *quoted)
{
    *quoted = false;
    for (; at < bytes && (*quoted || !is_blank(text[at])); at++)
        if (text[at] == '"') *quoted = !*quoted;
    return at;
}

/* Adds the word of so many bytes, without its quotation marks. */
static int add_word(struct mu_marker *marker, const char *text, size_t bytes, struct mu_error *err)
{
    char *word = mu_malloc(bytes + 1, 1, "a word of a marker", err);
    if (word == NULL) return err->status;
    size_t length = 0;
    for (size_t i = 0; i < bytes; i++)
        if (text[i] != '"') word[length++] = text[i];
    word[length] = '\0';
    if (mu_resize((void **)&marker->words, marker->word_count + 1, sizeof *marker->words, "words of a marker", err) !=
        MU_OK) {
        mu_free(word);
        return err->status;
    }
    marker->words[marker->word_count++] = word;
    return MU_OK;
}

/* Takes the words of a comment from the text, which ends where the comment is closed. */
static int take_words(struct search *search, const char *text, size_t bytes, struct mu_marker *marker)
{
    bool quoted = false;
    for (size_t at = 0, end; search->err->status == MU_OK; at = end) {
        while (at < bytes && is_blank(text[at])) at++;
        if (at == bytes) break;
        end = end_of_word(text, bytes, at, &quoted);
        add_word(marker, text + at, end - at, search->err);
    }
    if (quoted)
        mu_fail(search->err, MU_INPUT, "%s:%zu: a quotation in the marker is not closed", search->path, marker->line);
    return search->err->status;
}

/* ---- Comments ---- */

/* Finds the kind of the marker whose comment begins at `at`, and where its words begin. Returns false if it is no
 * marker. */
static bool find_kind(const struct search *search, size_t at, enum mu_marker_kind *kind, size_t *words)
{
    at += strlen(opening);
    while (at < search->bytes && is_blank(search->text[at])) at++;
    for (int i = 0; i <= MU_MARKER_END; i++) {
        const size_t behind = at + strlen(kinds[i]);
        if (!begins_with(search, at, kinds[i]) || behind >= search->bytes) continue;
        if (!is_blank(search->text[behind]) && !begins_with(search, behind, closing)) continue;
        *kind = (enum mu_marker_kind)i;
        *words = behind;
        return true;
    }
    return false;
}

/* Returns true if the line of `at` ends in CR LF. */
static bool ends_in_crlf(const struct search *search, size_t at)
{
    const char *newline = memchr(search->text + at, '\n', search->bytes - at);
    return newline != NULL && newline > search->text && newline[-1] == '\r';
}

static size_t count_lines(const char *text, size_t bytes)
{
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++) count += text[i] == '\n';
    return count;
}

/* Reads the marker whose comment begins where the search is, and goes behind it. False where there is none. */
static bool read_marker(struct search *search, struct mu_marker *marker)
{
    size_t words;
    *marker = (struct mu_marker){.line = search->line};
    if (!begins_with(search, search->at, opening) || !find_kind(search, search->at, &marker->kind, &words))
        return false;
    size_t end = words;
    while (end < search->bytes && !begins_with(search, end, closing)) end++;
    if (end == search->bytes) {
        mu_fail(search->err, MU_INPUT, "%s:%zu: the comment of the marker '%s' is not closed", search->path,
                search->line, kinds[marker->kind]);
        return false;
    }
    marker->start = end + strlen(closing);
    marker->crlf = ends_in_crlf(search, marker->start);
    take_words(search, search->text + words, end - words, marker);
    search->line += count_lines(search->text + search->at, marker->start - search->at);
    search->at = marker->start;
    return true;
}

/* Finds the next marker, or end, of the page. Returns false at the end of the page, or after a failure. */
static bool next_marker(struct search *search, struct mu_marker *marker, size_t *before)
{
    while (search->at < search->bytes && search->err->status == MU_OK) {
        *before = search->at;
        if (search->fence == '\0' && read_marker(search, marker)) return true;
        if (search->text[search->at++] != '\n') continue;
        search->line++;
        look_for_fence(search, search->at);
    }
    *marker = (struct mu_marker){.line = 0};
    return false;
}

static void release_words(struct mu_marker *marker)
{
    for (size_t i = 0; i < marker->word_count; i++) mu_free(marker->words[i]);
    mu_free(marker->words);
}

/* Closes the marker before an end, or adds the one that begins, whose words are the list's from then on. */
static int add_marker(struct search *search, struct mu_markers *markers, struct mu_marker *next, size_t before)
{
    struct mu_marker *last = markers->count > 0 ? &markers->markers[markers->count - 1] : NULL;
    const bool open = last != NULL && last->end == 0, is_end = next->kind == MU_MARKER_END;
    struct mu_error *err = search->err;
    if (open && !is_end)
        mu_fail(err, MU_INPUT, "%s:%zu: the marker '%s' stands inside '%s' of line %zu, which has no '<!-- end -->'",
                search->path, next->line, kinds[next->kind], kinds[last->kind], last->line);
    if (is_end && !open) mu_fail(err, MU_INPUT, "%s:%zu: an end without a marker", search->path, next->line);
    if (is_end && open) last->end = before;
    if (is_end || err->status != MU_OK ||
        mu_resize((void **)&markers->markers, markers->count + 1, sizeof *markers->markers, "markers", err) != MU_OK)
        release_words(next);
    else
        markers->markers[markers->count++] = *next;
    return err->status;
}

int mu_markers_find(const char *path, const char *text, size_t bytes, struct mu_markers *markers, struct mu_error *err)
{
    struct search search = {.path = path, .text = text, .bytes = bytes, .line = 1, .err = err};
    struct mu_marker next;
    size_t before = 0;
    look_for_fence(&search, 0);
    while (next_marker(&search, &next, &before)) add_marker(&search, markers, &next, before);
    if (err->status != MU_OK || markers->count == 0) return err->status;
    const struct mu_marker *last = &markers->markers[markers->count - 1];
    if (last->end == 0)
        mu_fail(err, MU_INPUT, "%s:%zu: the marker '%s' has no '<!-- end -->'", path, last->line, kinds[last->kind]);
    return err->status;
}

void mu_markers_release(struct mu_markers *markers)
{
    for (size_t i = 0; i < markers->count; i++) release_words(&markers->markers[i]);
    mu_free(markers->markers);
    *markers = (struct mu_markers){0};
}
