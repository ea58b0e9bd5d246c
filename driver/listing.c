// listing.c: a program as text: the machine code of its functions, or its bytecode.
#include "driver/listing.h"
#include "driver/fault.h"
#include "driver/session.h"
#include "isa/isa.h"

static void list_range(const Machine *m, u64 start, u64 end, bool c64, Buf *out)
{
    for (u64 pc = start; pc < end; pc += 4) {
        u32 word;
        char text[96];
        if (!dbg_peek(m, pc, &word, sizeof word)) return;
        isa_disassemble(word, c64, pc, text, sizeof text);
        buf_printf(out, "  %8llx:  %08x  %s\n", (unsigned long long)pc, word, text);
    }
}

static bool list_functions(const Machine *m, const char *only, Buf *out)
{
    bool found = false;
    for (u32 i = 0; i < snap_symbol_count(m); i++) {
        SnapSymbol y;
        snap_symbol(m, i, &y);
        if (!y.is_func || (only && strcmp(only, y.name) != 0)) continue;
        u64 end = y.start + y.size;
        if (!y.size) { // assembler labels: up to the next symbol
            SnapSymbol next = {0};
            for (u32 k = i + 1; k < snap_symbol_count(m) && next.start <= y.start; k++) snap_symbol(m, k, &next);
            end = next.start > y.start ? next.start : y.start + 4096;
        }
        buf_printf(out, "%s%s (%s, %llu bytes):\n", found ? "\n" : "", y.name, y.is_c64 ? "C64" : "A64", (unsigned long long)y.size);
        list_range(m, y.start, end, y.is_c64, out);
        found = true;
    }
    return found;
}

static bool has_python_function(const PyModule *m, const char *name)
{
    for (u32 i = 0; i < py_module_code_count(m); i++)
        if (!strcmp(py_module_code(m, i)->name, name)) return true;
    return false;
}

static bool no_function(const DrvSession *s, const char *path, const char *function, Err *err)
{
    if (!s->module) return err_set(err, CAPLAB_EX_USAGE, "%s has no function '%s'", path, function);
    err_set(err, CAPLAB_EX_USAGE, "the Python machine has no function '%s'", function);
    if (has_python_function(s->module, function))
        err_hint(err, "it is a Python function of %s: caplab py --dis %s lists its bytecode", path, path);
    return false;
}

bool drv_list(const DrvOptions *o, const char *path, const char *function, Buf *out, Err *err)
{
    DrvSession *s = drv_open(o, path, NULL, err);
    if (!s) return false;
    bool ok = true;
    if (s->module && !function) {
        ok = py_disassemble(s->mpy.at, s->mpy.len, out, err);
    } else if (!list_functions(s->m, function, out)) {
        if (function) {
            ok = no_function(s, path, function, err);
        } else { // stripped: from the entry to the end of its pages
            u64 pc = dbg_get_cap(s->m, DBG_PCC).value;
            list_range(s->m, pc, ~0ULL - 4, dbg_get_c64(s->m), out);
        }
    }
    drv_close(s);
    return ok;
}

bool drv_explain_address(const DrvOptions *o, const char *path, u64 addr, Buf *out, Err *err)
{
    DrvSession *s = drv_open(o, path, NULL, err);
    if (!s) return false;
    char symbol[96];
    SnapGranule g;
    SnapSymbol y;
    drv_symbol_text(s->m, addr, symbol, sizeof symbol);
    snap_memory(s->m, addr & ~15ULL, 1, &g);
    buf_printf(out, "address 0x%llx\n", (unsigned long long)addr);
    buf_printf(out, "  symbol    %s\n", symbol[0] ? symbol : "none");
    u64 sp = dbg_get_cap(s->m, DBG_CSP).value;
    if (!g.is_mapped) buf_printf(out, "  memory    not mapped at program start\n");
    else buf_printf(out, "  memory    mapped%s\n", addr >= sp - (8 << 20) && addr < sp + (1 << 20) ? ", on the stack" : "");
    if (g.is_mapped) {
        buf_printf(out, "  granule  ");
        for (u32 i = 0; i < 16; i++) buf_printf(out, " %02x", g.bytes[i]);
        buf_printf(out, "  capability tag %d\n", g.tag);
    }
    u32 word;
    if (snap_symbol_at(s->m, addr, &y) && y.is_func && addr % 4 == 0 && dbg_peek(s->m, addr, &word, sizeof word)) {
        char text[96];
        isa_disassemble(word, y.is_c64, addr, text, sizeof text);
        buf_printf(out, "  code      %s (%s)\n", text, y.is_c64 ? "C64" : "A64");
    }
    drv_close(s);
    return true;
}
