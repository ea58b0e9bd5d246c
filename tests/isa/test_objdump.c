// Instruction text against the GNU disassembler itself, where it is installed (words without it are in test_text.c): 200 random words of every row
// that is not Morello's.
#include "isa/table.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <unistd.h>

enum { PER_ROW = 200, MAX_WORDS = PER_ROW * ISA_ROW_COUNT };

static u64 s_seed = 11;
static u32 random_u32(void)
{
    s_seed ^= s_seed << 13, s_seed ^= s_seed >> 7, s_seed ^= s_seed << 17;
    return (u32)(s_seed >> 16);
}

static u32 draw(u32 *words)
{
    const Table *t = table_get();
    u32 n = 0;
    for (u32 row = 1; row < ISA_ROW_COUNT; row++) {
        const Row *r = &t->row[row];
        if (r->info.flags & ISA_F_MORELLO || !strcmp(r->info.name, "UDF")) continue;
        for (u32 i = 0; i < PER_ROW; i++) {
            u32 w;
            do w = (random_u32() & ~r->mask) | r->value;
            while (!table_guard(r->guard, w));
            if (isa_find_row(w, false) == row) words[n++] = w;
        }
    }
    return n;
}

// "   1c:\t0e020020 \ttbl\tv0.8b, {v1.16b}, v2.8b  // comment" → "tbl v0.8b, {v1.16b}, v2.8b"; NULL: another line.
static char *text_of(char *line)
{
    char *p = strchr(line, '\t');
    if (!p || !(p = strchr(p + 1, '\t'))) return NULL;
    char *text = p + 1, *comment = strstr(text, "//"), *label = strstr(text, " <");
    if (comment) *comment = 0;
    if (label) *label = 0;
    for (char *c = text; *c; c++)
        if (*c == '\t') *c = ' ';
    for (size_t n = strlen(text); n > 0 && strchr(" \n", text[n - 1]);) text[--n] = 0;
    return text;
}

// Names that one side has and the other does not: system registers and operations (S3_… here or there), hints, barriers.
static bool is_about_names(const char *ours)
{
    static const char *const mnemonics[] = {"mrs ", "msr ", "sys ", "sysl ", "hint ", "tlbi ", "at ", "dc ", "ic "};
    for (u32 i = 0; i < ARRAY_LEN(mnemonics); i++)
        if (!strncmp(ours, mnemonics[i], strlen(mnemonics[i]))) return true;
    return false;
}

Test(isa_objdump, random_words)
{
    if (system("aarch64-linux-gnu-objdump --version >/dev/null 2>&1")) cr_skip_test("no aarch64-linux-gnu-objdump");
    u32 *words = xalloc(MAX_WORDS * sizeof *words), n = draw(words);
    char path[] = "/tmp/caplab_objdump_XXXXXX";
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, words, n * 4) == (ssize_t)n * 4);
    close(fd);
    char *command = xasprintf("aarch64-linux-gnu-objdump -D -z -b binary -m aarch64 %s", path);
    FILE *f = popen(command, "r");
    char line[256], ours[160];
    u32 at = 0, undefined = 0, other = 0;
    while (fgets(line, sizeof line, f)) {
        char *theirs = text_of(line);
        if (!theirs) continue;
        cr_assert(at < n);
        isa_disassemble(words[at], false, 4 * at, ours, sizeof ours);
        // Base and loaded registers the same: unpredictable, and undefined to objdump.
        if (strstr(theirs, "undefined") && !strncmp(ours, "ldpsw ", 6)) undefined++;
        else if (is_about_names(ours)) other++;
        else cr_expect(eq(str, ours, theirs), "%08x", words[at]);
        at++;
    }
    pclose(f);
    unlink(path);
    cr_expect(eq(u32, at, n));
    fprintf(stderr, "%u words, %u undefined, %u names\n", n, undefined, other);
    free(command);
    free(words);
}
