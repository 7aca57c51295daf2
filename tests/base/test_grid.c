/* base/grid: what the four formats print, what is escaped, what is refused. */
#include "base/grid.h"
#include "base/memory.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two rows with everything a cell can be. */
static void fill(struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "sample", "A %s", "sample");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "time_ns", "time", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "ratio", "ratio", 0);
    mu_grid_row(grid);
    mu_grid_text(grid, "a|b,\"%s_%d%%", "c", 5);
    mu_grid_time(grid, 1234567);
    mu_grid_interval(grid, 1200000, 1300000);
    mu_grid_number(grid, 1.23456, 2);
    mu_grid_mark(grid, "*");
    mu_grid_rule(grid);
    mu_grid_text(grid, "±\n\033");
    mu_grid_number(grid, INFINITY, 2);
    mu_grid_note(grid, "100 %% <of> it");
}

static bool prints(enum mu_grid_format format, const char *expected)
{
    struct mu_error err = {0};
    struct mu_grids grids = {.err = &err};
    char *text = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&text, &bytes);
    if (to == NULL) return false;
    fill(&grids);
    const int status = mu_grids_print(&grids, format, to);
    fclose(to);
    const bool same = status == MU_OK && strcmp(text, expected) == 0;
    if (!same) printf("# status %d\n# %s\n", status, text);
    mu_grids_release(&grids);
    free(text);
    return same;
}

static void test_formats(void)
{
    CHECK(prints(MU_GRID_TEXT, "A sample\n\n"
                               "chip                       time  ratio\n"
                               "---------  --------------------  -----\n"
                               "a|b,\"c_5%  1.23 ms [1.20, 1.30]  1.23*\n"
                               "---------  --------------------  -----\n"
                               "±??                           -      -\n\n100 % <of> it\n"),
          "text is aligned by characters, and has no control characters");
    CHECK(prints(MU_GRID_CSV, "chip,time_ns,time_ns_low,time_ns_high,ratio\n"
                              "\"a|b,\"\"c_5%\",1234567,1200000,1300000,1.23456\n"
                              "±??,,,,\n"),
          "CSV quotes, and keeps numbers whole");
    CHECK(prints(MU_GRID_MARKDOWN, "**A sample**\n\n| chip | time | ratio |\n|---|---:|---:|\n"
                                   "| a\\|b,\"c_5% | 1.23 ms [1.20, 1.30] | 1.23\\* |\n"
                                   "| ±?? | - | - |\n\n100 % &lt;of> it\n"),
          "Markdown");
    CHECK(prints(MU_GRID_LATEX, "\\begin{table}\n\\centering\n\\begin{tabular}{lrr}\n\\hline\n"
                                "chip & time & ratio \\\\\n\\hline\n"
                                "a|b,\"c\\_5\\% & 1.23 ms [1.20, 1.30] & 1.23* \\\\\n\\hline\n"
                                "±?? & - & - \\\\\n\\hline\n\\end{tabular}\n"
                                "\\caption{A sample. 100 \\% \\textless{}of\\textgreater{} it}\n"
                                "\\label{tab:sample}\n\\end{table}\n"),
          "LaTeX");
    CHECK(prints(MU_GRID_JSON, "{\"name\":\"sample\",\"title\":\"A sample\",\"rows\":["
                               "{\"chip\":\"a|b,\\\"c_5%\",\"time_ns\":1234567.0,\"time_ns_low\":1200000.0,"
                               "\"time_ns_high\":1300000.0,\"ratio\":1.23456},"
                               "{\"chip\":\"±??\",\"time_ns\":null,\"ratio\":null}],"
                               "\"notes\":[\"100 % <of> it\"]}\n"),
          "JSON");
    CHECK(prints(MU_GRID_CELLS,
                 "{\"title\":\"A sample\",\"columns\":[{\"title\":\"chip\",\"left\":true},"
                 "{\"title\":\"time\",\"left\":false},{\"title\":\"ratio\",\"left\":false}],"
                 "\"rows\":[[\"a|b,\\\"c_5%\",\"1.23 ms [1.20, 1.30]\",\"1.23*\"],[\"±??\",\"-\",\"-\"]],"
                 "\"notes\":[\"100 % <of> it\"]}\n"),
          "cells");
}

static void test_wide(void)
{
    struct mu_error err = {0};
    struct mu_grids grids = {.err = &err};
    struct mu_grid *grid = mu_grids_add(&grids, "wide", "Wide");
    char text[256] = "";
    FILE *to = fmemopen(text, sizeof text, "w");
    mu_grid_column(grid, "a", "a", MU_COLUMN_INTERVAL);
    for (int i = 0; i < 3; i++) {
        static const double lows[] = {0.05, 0.5, 0.5}, highs[] = {2, 11, 2};
        mu_grid_row(grid);
        mu_grid_number(grid, 1, 1);
        mu_grid_interval(grid, lows[i], highs[i]);
    }
    if (to != NULL) {
        mu_grids_print(&grids, MU_GRID_TEXT, to);
        fclose(to);
    }
    CHECK(strstr(text, "    1.0 [wide]\n    1.0 [wide]\n1.0 [0.5, 2.0]\n") != NULL,
          "an interval beyond a factor of ten is wide");
    CHECK(strstr(text, "\n\n[wide]: the interval reaches below a tenth") != NULL, "… which a note explains");
    mu_grids_release(&grids);
}

/* The bounds are what they are, whatever the value is rounded to. */
static void test_bounds(void)
{
    static const struct {
        double ns, low, high;
        const char *shown;
    } times[] = {{1234900, 1225000.1, 1249000, "1.23 ms [1.23, 1.25]"},
                 {12.44e9, 12.36e9, 13.049e9, "12.4 s [12.4, 13.0]"},
                 {999.4, 998.6, 1001.4, "999 ns [999, 1001]"},
                 {1.004, 1, 1.014, "1.00 ns [1.00, 1.01]"}};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        struct mu_error err = {0};
        struct mu_grids grids = {.err = &err};
        struct mu_grid *grid = mu_grids_add(&grids, "bounds", "Bounds");
        char text[256] = "";
        FILE *to = fmemopen(text, sizeof text, "w");
        mu_grid_column(grid, "a", "a", MU_COLUMN_INTERVAL);
        mu_grid_row(grid);
        mu_grid_time(grid, times[i].ns);
        mu_grid_interval(grid, times[i].low, times[i].high);
        if (to != NULL) {
            mu_grids_print(&grids, MU_GRID_TEXT, to);
            fclose(to);
        }
        CHECK(strstr(text, times[i].shown) != NULL, "%s: bounds are rounded once, and from what they are",
              times[i].shown);
        mu_grids_release(&grids);
    }
}

/* A ratio that is not 0 is not shown as 0. */
static void test_tiny(void)
{
    static const struct {
        double value, low, high;
        int decimals;
        const char *shown;
    } numbers[] = {{0.00421, 0.0041, 0.0043, 2, "0.0042 [0.0041, 0.0043]"},
                   {0.0000123, 0.00001, 0.00002, 2, "0.000012 [0.000010, 0.000020]"},
                   {0.000421, 0.0004, 0.0005, 3, "0.00042 [0.00040, 0.00050]"},
                   {0.0099, 0.009, 0.011, 2, "0.01 [0.01, 0.01]"},
                   {1e-300, 1e-300, 1e-300, 2, "0.00 [0.00, 0.00]"},
                   {0.000421, 0.0004, 0.0005, 1, "0.0 [0.0, 0.0]"},
                   {0, 0, 0, 2, "0.00 [0.00, 0.00]"}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct mu_error err = {0};
        struct mu_grids grids = {.err = &err};
        struct mu_grid *grid = mu_grids_add(&grids, "tiny", "Tiny");
        char text[256] = "";
        FILE *to = fmemopen(text, sizeof text, "w");
        mu_grid_column(grid, "a", "a", MU_COLUMN_INTERVAL);
        mu_grid_row(grid);
        mu_grid_number(grid, numbers[i].value, numbers[i].decimals);
        mu_grid_interval(grid, numbers[i].low, numbers[i].high);
        if (to != NULL) {
            mu_grids_print(&grids, MU_GRID_TEXT, to);
            fclose(to);
        }
        CHECK(strstr(text, numbers[i].shown) != NULL, "tiny ratios: %s", numbers[i].shown);
        mu_grids_release(&grids);
    }
}

/* ---- Widths and colours ---- */

/* A chip that is the same in all rows, a key, a minor column and another one. */
static void fill_looks(struct mu_grids *grids)
{
    static const char *const apps[] = {"bfs", "mis"};
    struct mu_grid *grid = mu_grids_add(grids, "looks", "Looks");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "app", "app", MU_COLUMN_LEFT);
    mu_grid_column(grid, "minor", "minor", MU_COLUMN_MINOR);
    mu_grid_column(grid, "ratio", "ratio", 0);
    for (int i = 0; i < 2; i++) {
        mu_grid_row(grid);
        mu_grid_text(grid, "h200");
        mu_grid_text(grid, "%s", apps[i]);
        mu_grid_number(grid, i, 0);
        mu_grid_number(grid, 2 + i, 1);
        mu_grid_tone(grid, i == 0 ? MU_TONE_GOOD : MU_TONE_BAD);
    }
    mu_grid_note(grid, "A note of more than a few words.");
}

static bool looks(size_t width, bool colours, const char *expected)
{
    struct mu_error err = {0};
    struct mu_grids grids = {.err = &err};
    const struct mu_grid_look look = {.width = width, .colours = colours};
    char *text = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&text, &bytes);
    if (to == NULL) return false;
    fill_looks(&grids);
    const int status = mu_grids_show(&grids, &look, to);
    fclose(to);
    const bool same = status == MU_OK && strcmp(text, expected) == 0;
    if (!same) printf("# status %d\n# %s\n", status, text);
    mu_grids_release(&grids);
    free(text);
    return same;
}

static void test_looks(void)
{
    CHECK(looks(40, false,
                "Looks\n\nchip  app  minor  ratio\n----  ---  -----  -----\nh200  bfs      0    2.0\n"
                "h200  mis      1    3.0\n\nA note of more than a few words.\n"),
          "what fits is all there");
    CHECK(looks(20, false,
                "Looks\n\napp  minor  ratio\n---  -----  -----\nbfs      0    2.0\nmis      1    3.0\n\n"
                "A note of more than\na few words.\nLeft out to fit 20\ncolumns: chip\n(h200); --wide shows\nall.\n"),
          "what says the same in all rows goes first, and is told");
    CHECK(looks(12, false,
                "Looks\n\napp  ratio\n---  -----\nbfs    2.0\nmis    3.0\n\nA note of\nmore than a\nfew words.\n"
                "Left out to\nfit 12\ncolumns:\nchip (h200),\nminor;\n--wide shows\nall.\n"),
          "then what is minor");
    CHECK(looks(0, true,
                "\033[1mLooks\n\033[0m\n\033[1mchip\033[0m  \033[1mapp\033[0m  \033[1mminor\033[0m  "
                "\033[1mratio\033[0m\n----  ---  -----  -----\nh200  bfs      0    \033[32m2.0\033[0m\n"
                "h200  mis      1    \033[31m3.0\033[0m\n\nA note of more than a few words.\n"),
          "colours");
}

/* A number stays, whatever the names before it take; and sentences stand below their rows. */
static bool shows_narrow(bool sentence, size_t width, const char *expected)
{
    struct mu_error err = {0};
    struct mu_grids grids = {.err = &err};
    const struct mu_grid_look look = {.width = width};
    struct mu_grid *grid = mu_grids_add(&grids, "narrow", "Narrow");
    char *text = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&text, &bytes);
    if (to == NULL) return false;
    mu_grid_column(grid, "app", "app", MU_COLUMN_LEFT);
    mu_grid_column(grid, "input", "input", MU_COLUMN_LEFT);
    mu_grid_column(grid, "ratio", sentence ? "advice" : "ratio", sentence ? MU_COLUMN_LEFT : 0);
    if (!sentence) mu_grid_column(grid, "other", "other", 0);
    for (int i = 0; i < 2; i++) {
        mu_grid_row(grid);
        mu_grid_text(grid, "%s", i == 0 ? "lonestar/bfs" : "pannotia/mis");
        mu_grid_text(grid, "%s", i == 0 ? "vögel:1000x1000" : "road:9");
        if (sentence)
            mu_grid_text(grid, "%s", i == 0 ? "one process, which tells nothing of others" : "none");
        else
            mu_grid_number(grid, 2 + i, 1);
        if (!sentence) mu_grid_number(grid, 7, 1);
    }
    mu_grids_show(&grids, &look, to);
    fclose(to);
    const bool same = err.status == MU_OK && strcmp(text, expected) == 0;
    if (!same) printf("# %s\n", text);
    mu_grids_release(&grids);
    free(text);
    return same;
}

/* Of three columns of numbers the fullest stays, and of the rows those that say something in it. */
static void test_sparse(void)
{
    static const char expected[] =
        "Sparse\n\napp   full\n----  ----\na        1\n----  ----\nc     none\nmean     2\ne        7\n\n"
        "Left out to\nfit 12\ncolumns:\nempty, half;\n1 row\nwithout a\nfigure in\nthe others;\n"
        "--wide shows\nall.\n";
    static const double values[][3] = {{NAN, 5, 1}, {NAN, 6, NAN}, {4, NAN, 0}, {NAN, NAN, 2}, {7, NAN, 7}};
    static const char *const names[] = {"a", "b", "c", "mean", "e"};
    struct mu_error err = {0};
    struct mu_grids grids = {.err = &err};
    const struct mu_grid_look look = {.width = 12};
    struct mu_grid *grid = mu_grids_add(&grids, "sparse", "Sparse");
    char *text = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&text, &bytes);
    if (to == NULL) return;
    mu_grid_column(grid, "app", "app", MU_COLUMN_LEFT);
    mu_grid_column(grid, "empty", "empty", 0);
    mu_grid_column(grid, "half", "half", 0);
    mu_grid_column(grid, "full", "full", 0);
    for (int row = 0; row < 5; row++) {
        row == 1 ? mu_grid_rule(grid) : mu_grid_row(grid);
        mu_grid_text(grid, "%s", names[row]);
        for (int i = 0; i < 3; i++) {
            if (values[row][i] == 0)
                mu_grid_text(grid, "none");
            else
                mu_grid_number(grid, values[row][i], 0);
        }
    }
    mu_grids_show(&grids, &look, to);
    fclose(to);
    CHECK(err.status == MU_OK && strcmp(text, expected) == 0, "the fullest column stays, with its rows: %s", text);
    mu_grids_release(&grids);
    free(text);
}

static void test_narrow(void)
{
    CHECK(shows_narrow(false, 32,
                       "Narrow\n\napp          input         ratio\n-----------  ------------  -----\n"
                       "lonestar/b…  vögel:1000x…    2.0\npannotia/m…  road:9          3.0\n\n"
                       "Left out to fit 32 columns:\nother; shortened: app, input;\n--wide shows all.\n"),
          "the first number stays, and names are shortened for it");
    CHECK(shows_narrow(false, 20,
                       "Narrow\n\ninput          ratio\n-------------  -----\nvögel:1000x1…    2.0\n"
                       "road:9           3.0\n\n"
                       "Left out to fit 20\ncolumns: app, other;\nshortened: input;\n--wide shows all.\n"),
          "then names go");
    CHECK(shows_narrow(true, 40,
                       "Narrow\n\napp           input\n    advice\n------------  ---------------\n"
                       "lonestar/bfs  vögel:1000x1000\n    one process, which tells nothing of\n    others\n"
                       "pannotia/mis  road:9\n    none\n"),
          "sentences stand below the rows, whole");
    CHECK(shows_narrow(true, 80,
                       "Narrow\n\napp           input            advice\n"
                       "------------  ---------------  ------------------------------------------\n"
                       "lonestar/bfs  vögel:1000x1000  one process, which tells nothing of others\n"
                       "pannotia/mis  road:9           none\n"),
          "or behind them, where there is room");
}

static void test_misuse(void)
{
    struct mu_error err = {0};
    struct mu_grids grids = {.err = &err};
    struct mu_grid *grid = mu_grids_add(&grids, "narrow", "narrow");
    mu_grid_column(grid, "a", "a", 0);
    mu_grid_row(grid);
    mu_grid_number(grid, 1, 0);
    CHECK(err.status == MU_OK && mu_grid_rows(grid) == 1, "a cell for a column");
    mu_grid_number(grid, 2, 0);
    CHECK(err.status == MU_LIMIT && mu_grids_print(&grids, MU_GRID_CSV, stdout) == MU_LIMIT,
          "one cell too many is an error that stays: %s", err.message);
    mu_grid_row(grid);
    CHECK(mu_grid_rows(grid) == 1 && mu_grids_add(&grids, "more", "more") == NULL, "nothing is added after an error");
    mu_grids_release(&grids);
    mu_grid_row(NULL);
    mu_grid_text(NULL, "nothing");
    mu_grid_interval(NULL, 1, 2);
    mu_grid_mark(NULL, "*");
    mu_grid_note(NULL, "nothing");
    CHECK(mu_grid_rows(NULL) == 0, "no grid is no rows");
}

/* Every allocation fails once: an error each time, and nothing is leaked (the sanitizers tell). */
static void test_memory(void)
{
    unsigned long n = 1;
    bool reported = true, done = false;
    for (; n < 200 && !done; n++) {
        struct mu_error err = {0};
        struct mu_grids grids = {.err = &err};
        FILE *to = fopen("/dev/null", "w");
        if (to == NULL) break;
        mu_fail_allocation(n);
        fill(&grids);
        const int status = mu_grids_print(&grids, MU_GRID_TEXT, to);
        mu_fail_allocation(0);
        done = status == MU_OK;
        reported = reported && (done || status == MU_NO_MEMORY);
        mu_grids_release(&grids);
        fclose(to);
    }
    CHECK(reported && done && n > 10, "each of %lu allocations may fail", n - 2);
}

int main(void)
{
    test_formats();
    test_wide();
    test_bounds();
    test_tiny();
    test_looks();
    test_narrow();
    test_sparse();
    test_misuse();
    test_memory();
    return tap_done();
}
