// test_lines.c: source lines of instructions: what cc and the assembler write, read back by ourselves and by binutils; what gcc
// writes in each version of DWARF; and damaged tables, which may name nothing but must not be believed.
#include "driver/lines.h"
#include "driver/guest.h"
#include "driver/session.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char inlined[] = "static inline int deep(int *p)\n{\n    return p[1];\n}\n";
static const char source[] = "#include \"deep.h\"\n"           // 1
                             "int g[4];\n"                       // 2
                             "__attribute__((noinline))\n"       // 3
                             "int leaf(int *p)\n"                // 4
                             "{\n"                               // 5
                             "    asm volatile(\"nop\\n nop\");\n" // 6
                             "    int a = deep(p);\n"            // 7
                             "\n\n\n\n\n\n\n\n\n\n\n\n"           // more than a special opcode can advance
                             "    p[0] = 7;\n"                   // 20
                             "    return a;\n"                   // 21
                             "}\n"                               // 22
                             "int main(void) { return leaf(g); }\n"; // 23

typedef struct Built {
    char dir[32], path[64], header[64];
    Buf elf;
} Built;

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    cr_assert(f != NULL);
    fputs(text, f);
    fclose(f);
}

static void write_sources(Built *b)
{
    *b = (Built){.dir = "/tmp/caplab-lines-XXXXXX"};
    cr_assert(mkdtemp(b->dir) != NULL);
    snprintf(b->path, sizeof b->path, "%s/prog.c", b->dir);
    snprintf(b->header, sizeof b->header, "%s/deep.h", b->dir);
    write_text(b->path, source);
    write_text(b->header, inlined);
}

static void built_free(Built *b)
{
    remove(b->path);
    remove(b->header);
    rmdir(b->dir);
    buf_free(&b->elf);
}

static void build(Built *b, MacAbi abi)
{
    DrvOptions o;
    Err err = {0};
    write_sources(b);
    drv_options_init(&o);
    o.abi = abi;
    CcSource s = {b->path, source};
    cr_assert(drv_build_c(&o, &s, 1, &b->elf, &err), "%s", err.text);
}

// The lines of leaf's instructions, as "file:line".
static u64 find_leaf(const Built *b, u64 *size)
{
    Machine *m = mac_new(&(MacConfig){0});
    Err err = {0};
    SnapSymbol y;
    cr_assert(mac_load(m, b->elf.at, b->elf.len, "prog", &(MacArgs){(const char *const[]){"prog", NULL}, NULL}, &err), "%s", err.text);
    cr_assert(snap_symbol_named(m, "leaf", &y));
    mac_free(m);
    *size = y.size;
    return y.start;
}

static bool names(const Built *b, u64 start, u64 size, const char *file, u32 line)
{
    DrvLine l;
    for (u64 at = start; at < start + size; at += 4)
        if (drv_line_at(&b->elf, at, &l) && l.line == line && !strcmp(l.file, file)) return true;
    return false;
}

Test(lines, of_caplabs_own_compiler)
{
    for (int abi = 0; abi < 2; abi++) {
        Built b;
        build(&b, (MacAbi)abi);
        u64 size, leaf = find_leaf(&b, &size);
        DrvLine l;
        cr_expect(names(&b, leaf, size, b.header, 3)); // inlined code keeps its own file and line
        cr_expect(names(&b, leaf, size, b.path, 6));   // asm()
        cr_expect(names(&b, leaf, size, b.path, 20));
        cr_expect(names(&b, leaf, size, b.path, 21));
        cr_expect(drv_line_at(&b.elf, 0x1000, &l) == false); // not code
        cr_expect(drv_line_at(&b.elf, ~0ULL, &l) == false);
        built_free(&b);
    }
}

typedef struct Rows {
    const Built *b;
    u32 n, wrong;
} Rows;

static void compare_row(void *ctx, u64 start, u64 end, const DrvLine *line)
{
    Rows *r = ctx;
    DrvLine l;
    r->n++;
    for (u64 at = start; at < end; at += 4)
        r->wrong += !drv_line_at(&r->b->elf, at, &l) || l.line != line->line || strcmp(l.file, line->file) != 0;
}

// All rows at once, row by row, and a session's ranges of the program's own lines say the same.
Test(lines, all_rows, .timeout = 120)
{
    for (int abi = 0; abi < 2; abi++) {
        Built b;
        build(&b, (MacAbi)abi);
        Rows rows = {&b, 0, 0};
        drv_each_line(&b.elf, compare_row, &rows);
        cr_expect(gt(u32, rows.n, 20));
        cr_expect(eq(u32, rows.wrong, 0));

        DrvOptions o;
        Err err = {0};
        drv_options_init(&o);
        o.abi = (MacAbi)abi;
        DrvSession *s = drv_open(&o, b.path, NULL, &err);
        cr_assert(s != NULL, "%s", err.text);
        u64 size, leaf = find_leaf(&b, &size);
        u32 line, nearest, starts = 0;
        bool is_start;
        for (u64 at = leaf & ~1ULL; at < (leaf & ~1ULL) + size; at += 4) {
            DrvLine l;
            bool has = drv_line_at(&b.elf, at, &l) && !strcmp(l.file, b.path);
            cr_expect(eq(int, drv_source_line(s, at, &line, &is_start), has));
            if (!has) continue;
            cr_expect(eq(u32, line, l.line));
            starts += is_start;
        }
        cr_expect(ge(u32, starts, 3)); // 6, 20, 21
        cr_expect(drv_line_address(s, 20, &nearest) != 0);
        cr_expect(eq(u64, drv_line_address(s, 12, &nearest), 0)); // an empty line
        cr_expect(eq(u32, nearest, 6)); // line 7 is a call, inlined: its code is of the header
        cr_expect(drv_source_line(s, drv_line_address(s, 20, &nearest), &line, &is_start) && line == 20 && is_start);
        cr_expect(not(drv_source_line(s, 0, &line, &is_start)));
        drv_close(s);
        built_free(&b);
    }
}

// Another reader agrees on every instruction of leaf.
Test(lines, as_addr2line_reads_them)
{
    Built b;
    build(&b, MAC_PURECAP);
    u64 size, leaf = find_leaf(&b, &size);
    char elf[64], *command, text[512];
    snprintf(elf, sizeof elf, "%s/elf", b.dir);
    FILE *f = fopen(elf, "wb");
    fwrite(b.elf.at, 1, b.elf.len, f);
    fclose(f);
    u32 n = 0;
    for (u64 at = leaf; at < leaf + size; at += 4) {
        DrvLine l;
        char ours[512];
        command = xasprintf("aarch64-linux-gnu-addr2line -e %s 0x%llx", elf, (unsigned long long)at);
        f = popen(command, "r");
        cr_assert(f && fgets(text, sizeof text, f), "%s", command);
        pclose(f);
        free(command);
        cr_assert(drv_line_at(&b.elf, at, &l));
        snprintf(ours, sizeof ours, "%s:%u\n", l.file, l.line);
        cr_expect(eq(str, text, ours), "0x%llx", (unsigned long long)at);
        n++;
    }
    cr_expect(n > 5);
    remove(elf);
    built_free(&b);
}

Test(lines, of_gcc_in_every_version)
{
    static const char *const versions[] = {"-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-gdwarf-5", "-gdwarf-5 -gdwarf64"};
    for (u32 v = 0; v < ARRAY_LEN(versions); v++) {
        Built b;
        write_sources(&b);
        char *command = xasprintf("cd %s && aarch64-linux-gnu-gcc -O0 -static -nostartfiles -Wl,-emain %s -o elf prog.c", b.dir, versions[v]);
        cr_assert(system(command) == 0, "%s", command);
        free(command);
        char elf[64];
        snprintf(elf, sizeof elf, "%s/elf", b.dir);
        size_t len;
        u8 *bytes = base_read_file(elf, &len);
        cr_assert(bytes != NULL);
        buf_add(&b.elf, bytes, len);
        free(bytes);
        remove(elf);
        u64 size, leaf = find_leaf(&b, &size);
        cr_expect(names(&b, leaf, size, "prog.c", 20), "%s", versions[v]);
        cr_expect(names(&b, leaf, size, "prog.c", 21), "%s", versions[v]);
        cr_expect(names(&b, leaf, size, "prog.c", 23) == false, "%s", versions[v]);
        built_free(&b);
    }
}

Test(lines, of_damaged_files, .timeout = 120)
{
    Built b;
    build(&b, MAC_HYBRID);
    u64 size, leaf = find_leaf(&b, &size);
    DrvLine l;
    Buf copy = {0};
    u64 seed = 1;
    for (u32 i = 0; i < 2000; i++) {
        copy.len = 0;
        buf_add(&copy, b.elf.at, b.elf.len);
        for (u32 k = 0; k < 8; k++) {
            seed = seed * 6364136223846793005 + 1442695040888963407;
            u64 half = b.elf.len / 2, at = half + (seed >> 33) % (b.elf.len - half); // behind the code
            copy.at[at] = (u8)(seed >> 24);
        }
        if (i % 4 == 0) copy.len = (seed >> 33) % b.elf.len;
        if (drv_line_at(&copy, leaf + size / 2 / 4 * 4, &l)) cr_expect(memchr(l.file, 0, sizeof l.file) != NULL);
    }
    buf_free(&copy);
    built_free(&b);
}
