/* variants/kernel_tokens: what makes a kernel another kernel, and what does not. */
#include "tests/tap.h"
#include "variants/kernel_tokens.h"

static uint64_t hash_of(const char *text)
{
    struct mu_hash hash;
    mu_hash_start(&hash);
    mu_tokens_add(&hash, text);
    return mu_hash_end(&hash);
}

static void test_pairs(void)
{
    static const struct {
        const char *what, *left, *right;
        bool same;
    } pairs[] = {
        {"a comment", "int a; /* one */\n", "int a; /* two */\n", true},
        {"a comment of its own line", "int a;\n// here\nint b;\n", "int a;\nint b;\n", true},
        {"a comment in place of a blank", "int/**/a;", "int a;", true},
        {"a comment that goes on", "int a; // here \\\n still here\nint b;", "int a;\nint b;", true},
        {"a comment without an end", "int a; /* and so on", "int a;", true},
        {"blanks and line ends", "int  a\t=\n1 ;\r\n", "int a=1;", true},
        {"a line that is continued", "int a = \\\n 1;", "int a = 1;", true},
        {"the name of a file", "#line 1 \"a.cl\"\nint a;", "#line 7 \"b.cl\"\nint a;", true},
        {"the blanks of a directive", "#  define A   1\n", "#define A 1\n", true},
        {"a continued macro", "#define A \\\n 1\nint a;", "#define A 1\nint a;", true},
        {"a name", "int a;", "int b;", false},
        {"a number", "x = 10;", "x = 11;", false},
        {"a suffix", "x = 10u;", "x = 10;", false},
        {"where a name ends", "int ab;", "int a b;", false},
        {"where an operator ends", "a + ++b;", "a++ + b;", false},
        {"two operators", "a = = b", "a == b", false},
        {"two shifts", "a >> b", "a > > b", false},
        {"an exponent", "x = 1e-5;", "x = 1e - 5;", false},
        {"the end of a directive", "#define A 1\nint a;", "#define A 1 int a;\n", false},
        {"a macro with arguments", "#define A(x) x\n", "#define A (x) x\n", false},
        {"a text", "asm(\"a  b\");", "asm(\"a b\");", false},
        {"what looks like a comment in a text", "s = \"/* a */\";", "s = \"/* b */\";", false},
        {"an escaped quote", "s = \"a\\\"/*\"; int b; /* */", "s = \"a\\\"/*\"; int c; /* */", false},
        {"a branch that is left out", "#if 0\nint a;\n#endif\n", "#if 0\nint b;\n#endif\n", false},
        {"a # that is no directive", "#define S(x) #x\n", "#define S(x) x\n", false},
        {"an option of the compiler in the text", "#ifdef A\n", "#ifndef A\n", false},
        {"nothing", "", "/* nothing */\n\n", true},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        CHECK((hash_of(pairs[i].left) == hash_of(pairs[i].right)) == pairs[i].same, "%s: %s", pairs[i].what,
              pairs[i].same ? "the same kernel" : "another kernel");
}

/* Every app has kernels of its own, and the same ones each time. */
static void test_apps(void)
{
    uint64_t seen[64];
    size_t count = 0;
    bool distinct = true, stable = true;
    for (const struct mu_app *const *app = mu_apps; *app != NULL && count < 64; app++)
        for (unsigned variant = MU_MULTI_KERNEL; variant <= MU_SPECIALISED && count < 64; variant++) {
            const struct mu_build build = {
                .variant = variant, .barrier = MU_BARRIER_COUNTER, .c_standard = "CL3.0", .workgroup = 64};
            struct mu_sources sources;
            struct mu_error err = {0};
            if (mu_sources_collect(*app, &build, NULL, &sources, &err) != MU_OK) continue;
            seen[count] = mu_tokens_hash(&sources);
            stable = stable && mu_tokens_hash(&sources) == seen[count];
            for (size_t i = 0; i < count; i++) distinct = distinct && seen[i] != seen[count];
            count++;
            mu_sources_free(&sources);
        }
    CHECK(count >= 24 && distinct && stable, "%zu programs have as many hashes", count);
}

int main(void)
{
    test_pairs();
    test_apps();
    return tap_done();
}
