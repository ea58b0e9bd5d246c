// codegen.c: a module to a linkable unit: functions through selection, registers and emission; data as bytes and relocations.
#include "cc/codegen.h"

#include "cc/as.h"
#include "cc/emit.h"
#include "cc/isel.h"

#include <stdlib.h>

// ---- data

static bool is_string(const IrSym *sym) { return sym->is_local && sym->is_const && !strncmp(sym->name, ".str", 4); }

static LkSection *data_section(LkUnit *u, const IrSym *sym)
{
    u32 align = sym->align ? sym->align : 1;
    if (sym->section) {
        u32 flags = lk_flags_of_name(sym->section);
        if (!(flags & (LK_NOTE | LK_EXEC)) && !sym->is_const) flags |= LK_WRITE;
        if (sym->bytes || sym->n_relocs) flags &= ~(u32)LK_BSS;
        return lk_section(u, sym->section, flags | (sym->is_used ? LK_KEEP : 0), align);
    }
    bool has_caps = false;
    for (u32 i = 0; i < sym->n_relocs; i++) has_caps |= sym->relocs[i].is_cap;
    u32 flags = sym->is_const ? (has_caps ? LK_WRITE | LK_RELRO : 0) : LK_WRITE;
    const char *group = !sym->is_const ? ".data" : has_caps ? ".data.rel.ro" : ".rodata";
    if (!sym->bytes && !sym->n_relocs && !sym->is_const) {
        flags |= LK_BSS;
        group = ".bss";
    }
    if (is_string(sym) && !sym->n_relocs) flags |= LK_MERGE;
    if (sym->is_used) flags |= LK_KEEP;
    return lk_section(u, arena_printf(&u->arena, "%s.%s", group, sym->name), flags, align);
}

static bool emit_data(LkUnit *u, IrSym *sym, CcAbi abi, Err *err)
{
    LkSection *s = data_section(u, sym);
    if (s->flags & LK_BSS)
        s->bss_bytes = sym->size;
    else if (sym->bytes)
        buf_add(&s->data, sym->bytes, sym->size);
    else
        buf_add_zeros(&s->data, sym->size);
    for (u32 i = 0; i < sym->n_relocs; i++) {
        const IrReloc *r = &sym->relocs[i];
        u32 target = r->label ? emit_label(u, r->label) : emit_symbol(u, r->sym);
        bool is_cap = r->is_cap && abi == CC_PURECAP && !(s->flags & LK_NOTE);
        lk_reloc(s, r->offset, is_cap ? LK_R_CAP : LK_R_ABS64, target, r->addend, (LkPlace){0});
    }
    u32 index = emit_symbol(u, sym);
    return lk_define(u, index, s, 0, sym->size, LK_OBJECT, sym->pos, err);
}

// ---- functions

// Capability values in hybrid code would need callee-saved registers of 129 bits, which A64 code does not keep.
static bool refuse_capabilities(const IrFn *fn, Err *err)
{
    for (u32 n = 0; n < fn->n_blocks; n++)
        for (const IrInsn *i = fn->blocks[n]->first; i; i = i->next)
            if (i->type == IR_CAP)
                return err_at(err, CAPLAB_EX_DATA, ir_src_pos(fn->module, i->line), NULL,
                              "capabilities in '%s': the hybrid ABI of this compiler has none", fn->sym->name);
    return true;
}

static bool emit_code(const Target *t, IrModule *m, IrSym *sym, LkUnit *u, const CcOptions *opt, Err *err)
{
    if (t->abi == CC_HYBRID && !refuse_capabilities(sym->fn, err)) return false;
    MirFn *fn = isel_function(t, m, sym->fn);
    mir_allocate(fn, &t->mir);
    if (fn->hub && opt->opt_level) mir_duplicate_hub(fn);
    const char *name = sym->section ? sym->section : arena_printf(&u->arena, ".text.%s", sym->name);
    LkSection *s = lk_section(u, name, LK_EXEC | (sym->is_used ? LK_KEEP : 0), 16);
    bool ok = emit_function(t, fn, u, s, opt, err);
    vec_free(&fn->vregs);
    vec_free(&fn->slots);
    if (!ok) return false;
    u32 index = emit_symbol(u, sym);
    return lk_define(u, index, s, 0, s->data.len, LK_FUNC, sym->pos, err);
}

bool codegen_module(IrModule *m, const CcOptions *opt, const char *file, LkUnit *out, Err *err)
{
    const Target *t = m->abi == CC_PURECAP ? target_c64() : target_a64();
    for (u32 i = 0; i < m->syms.len; i++) { // selection may add symbols (memcpy), which are not defined here
        IrSym *sym = m->syms.at[i];
        if (sym->fn && !emit_code(t, m, sym, out, opt, err)) return false;
        if (!sym->fn && !sym->is_fn && sym->is_defined && !emit_data(out, sym, m->abi, err)) return false;
    }
    for (u32 i = 0; i < m->file_asm.len; i++)
        if (!as_text(m->file_asm.at[i], (SrcPos){file, 0, 0}, m->abi, out, NULL, err)) return false;
    return true;
}

bool codegen_dump(IrModule *m, Buf *out)
{
    const Target *t = m->abi == CC_PURECAP ? target_c64() : target_a64();
    for (u32 i = 0; i < m->syms.len; i++) {
        IrSym *sym = m->syms.at[i];
        if (!sym->fn) continue;
        MirFn *fn = isel_function(t, m, sym->fn);
        mir_dump(fn, &t->mir, out);
        mir_allocate(fn, &t->mir);
        buf_printf(out, "; registers:\n");
        mir_dump(fn, &t->mir, out);
        vec_free(&fn->vregs);
        vec_free(&fn->slots);
    }
    return true;
}
