// fault.c: says what a guest fault means: what was tried, with which authority, which object that authority is for, and how far the
// access lies outside it.
//
//     Guest fault: capability bounds
//       at      0x4001a4 in poke+0x14: strb w1, [c0]
//       line    prog.c:4: *p = 'x';
//       called  by main+0x20, prog.c:9
//       tried   1-byte store to 0x7fffff0011f0
//       with    C0 = 0x7fffff0011f0 [rwRW,0x7fffff0011e0-0x7fffff0011f0]
//       why     1st byte behind the end of an object of 16 bytes on the stack
#include "driver/fault.h"
#include "driver/session.h"
#include "isa/isa.h"
#include <stdio.h>

enum { AUTHORITY_CSP = 31, AUTHORITY_DDC }; // EvFault.reg

static const char *const fault_kinds[] = {
#define X(name, text, code) text,
    EV_FAULTS(X)
#undef X
};

void drv_symbol_text(const Machine *m, u64 addr, char *out, size_t size)
{
    SnapSymbol sym;
    out[0] = 0;
    if (!snap_symbol_at(m, addr, &sym)) return;
    if (addr == sym.start) snprintf(out, size, "%s", sym.name);
    else snprintf(out, size, "%s+0x%llx", sym.name, (unsigned long long)(addr - sym.start));
}

// Names the object that starts at `base`: a global by its symbol, else by where it lies.
static void name_object(const DrvSession *s, u64 base, u64 len, char *out, size_t size)
{
    SnapSymbol sym;
    SnapHeap heap;
    if (snap_symbol_at(s->m, base, &sym) && sym.start == base) {
        snprintf(out, size, "%s (%llu bytes)", sym.name, (unsigned long long)len);
        return;
    }
    for (u32 i = 0; i < snap_heap_count(s->m); i++) {
        if (!snap_heap(s->m, i, false, &heap)) continue;
        if (base < heap.pool || base - heap.pool >= heap.bytes) continue;
        snprintf(out, size, "an object of %llu bytes in heap %s (block %llu)", (unsigned long long)len, heap.name,
                 (unsigned long long)((base - heap.pool) / heap.block_bytes));
        return;
    }
    u64 sp = dbg_get_cap(s->m, DBG_CSP).value;
    bool is_stack = base >= sp - 4096 && base - sp < 8 << 20;
    snprintf(out, size, "an object of %llu bytes%s", (unsigned long long)len, is_stack ? " on the stack" : "");
}

static const char *plural(u64 n) { return n == 1 ? "" : "s"; }

static void say_bounds(const DrvSession *s, const EvFault *f, char *out, size_t size)
{
    CapBounds b = cap_bounds(f->cap);
    char object[128];
    u128 top = (u128)b.top_hi << 64 | b.top_lo;
    u64 last = f->address + (f->size_bytes ? f->size_bytes : 1) - 1;
    if (!b.is_valid) {
        snprintf(out, size, "the bounds of this capability are malformed: nothing is inside");
        return;
    }
    name_object(s, b.base, cap_length_saturated(b), object, sizeof object);
    if (f->address < b.base) {
        u64 n = b.base - f->address;
        snprintf(out, size, "starts %llu byte%s before the beginning of %s", (unsigned long long)n, plural(n), object);
    } else {
        u64 past = (u128)last >= top ? (u64)((u128)last - top) + 1 : 0;
        if (f->address >= top) past = (u64)((u128)f->address - top);
        if (f->address >= top) snprintf(out, size, "%llu byte%s behind the end of %s", (unsigned long long)past, plural(past), object);
        else snprintf(out, size, "its last %llu byte%s lie%s behind the end of %s", (unsigned long long)past, plural(past),
                      past == 1 ? "s" : "", object);
    }
    if ((u128)f->address == top) snprintf(out, size, "the byte right behind the end of %s", object);
}

// A push below the stack: in hybrid nothing is mapped there, in purecap the bounds of CSP end.
static bool is_stack_overflow(const DrvSession *s, const EvFault *f)
{
    u64 sp = dbg_get_cap(s->m, DBG_CSP).value;
    u8 byte;
    bool is_near = f->address - (sp - (1 << 20)) < 2 << 20;
    if (f->kind == EV_FAULT_TRANSLATION) return is_near && dbg_peek(s->m, (f->address | 0xFFFFF) + 1, &byte, 1);
    return f->kind == EV_FAULT_CAP_BOUNDS && is_near && f->address < cap_bounds(f->cap).base && cap_length_saturated(cap_bounds(f->cap)) >= 8 << 20;
}

static void say_reason(const DrvSession *s, const EvFault *f, char *out, size_t size)
{
    const char *what = f->is_fetch ? "execute" : f->is_write ? "store" : "load";
    if (!f->is_fetch && is_stack_overflow(s, f)) {
        snprintf(out, size, "the stack is used up (8 MiB): endless recursion, or very large local arrays");
        return;
    }
    switch (f->kind) {
    case EV_FAULT_CAP_BOUNDS: say_bounds(s, f, out, size); break;
    case EV_FAULT_CAP_TAG:
        if (f->reg == AUTHORITY_DDC) {
            snprintf(out, size, "an X register as base needs DDC, which gives no access in purecap: use a C register");
            break;
        }
        snprintf(out, size, "%s", !f->cap.meta && !f->cap.tag ? f->cap.value ? "an integer, not a capability: it gives no access" : "a null pointer"
                                                           : "the capability's tag is clear: it was overwritten, moved out of its representable range, or never valid");
        break;
    case EV_FAULT_CAP_SEALED: snprintf(out, size, "the capability is sealed: it can be called or unsealed, not used for access"); break;
    case EV_FAULT_CAP_PERM: snprintf(out, size, "the capability has no permission to %s", what); break;
    case EV_FAULT_CAP_PAGE: snprintf(out, size, "this page does not take tagged capabilities"); break;
    case EV_FAULT_TRANSLATION: snprintf(out, size, "%s", f->address < 4096 ? "a null pointer (page 0 is never mapped)" : "nothing is mapped there"); break;
    case EV_FAULT_PERMISSION: snprintf(out, size, "the page does not allow to %s", what); break;
    case EV_FAULT_ALIGNMENT: snprintf(out, size, "the address is not aligned for %u bytes", f->size_bytes); break;
    case EV_FAULT_MTE_TAG: snprintf(out, size, "the pointer's tag differs from the memory's tag"); break;
    case EV_FAULT_UNDEFINED:
        if (isa_find_row(f->insn, dbg_get_c64(s->m)) == ISA_NONE) snprintf(out, size, "0x%08x is no instruction", f->insn);
        else snprintf(out, size, "this register, operation or call is not for user programs (EL0)");
        break;
    case EV_FAULT_PC_ALIGNMENT: snprintf(out, size, "the program counter is not a multiple of 4"); break;
    case EV_FAULT_SP_ALIGNMENT: snprintf(out, size, "the stack pointer is not a multiple of 16"); break;
    case EV_FAULT_SYSTEM: case EV_FAULT_CAP_SYSTEM: case EV_FAULT_SMC_TRAP:
        snprintf(out, size, "this register or operation is not for user programs"); break;
    case EV_FAULT_CAP_ACCESS: snprintf(out, size, "capability instructions are switched off (CPACR_EL1, CPTR_ELx)"); break;
    case EV_FAULT_FP_ACCESS: snprintf(out, size, "floating point is switched off (CPACR_EL1, CPTR_ELx)"); break;
    case EV_FAULT_ILLEGAL: snprintf(out, size, "PSTATE.IL is set: an illegal exception return"); break;
    case EV_FAULT_BREAK: snprintf(out, size, "the program stopped itself (abort, assertion, unreachable code)"); break;
    case EV_FAULT_UNIMPLEMENTED: snprintf(out, size, "this instruction exists, but not in this build of caplab"); break;
    case EV_FAULT_NONE: out[0] = 0; break;
    }
}

// ---- places

static void name_place(const DrvSession *s, u64 pc, FaultPlace *out)
{
    *out = (FaultPlace){.pc = pc};
    drv_symbol_text(s->m, pc, out->symbol, sizeof out->symbol);
    drv_line_at(&s->elf, pc, &out->line);
}

static bool decode_at(const DrvSession *s, u64 pc, IsaInsn *in)
{
    u32 word;
    return dbg_peek(s->m, pc, &word, sizeof word) && isa_decode(word, dbg_get_c64(s->m), in);
}

bool drv_is_call(const DrvSession *s, u64 pc)
{
    IsaInsn in;
    return decode_at(s, pc, &in) && isa_row_info((IsaRow)in.row)->flags & ISA_F_CALL;
}

// X29 = SP + n, or C29 = CSP + n: from here on the frame record has the return address.
static bool makes_frame(const IsaInsn *in)
{
    return (in->row == ISA_ADD_I || in->row == ISA_ADD_C_CIS_C) && in->f.Rd == 29 && in->f.Rn == 31;
}

// The call that led to the function of `pc`. Its return address is in the frame record, or still in the link register if
// neither a frame nor a call came before. False where neither holds, or where no call stands before the address found.
static bool find_caller(const DrvSession *s, u64 pc, u64 *call)
{
    SnapSymbol y;
    IsaInsn in;
    bool has_frame = false, has_call = false;
    if (!snap_symbol_at(s->m, pc, &y) || !y.is_func || !y.size) return false;
    for (u64 at = y.start; at < pc; at += 4) {
        if (!decode_at(s, at, &in)) continue;
        has_frame = has_frame || makes_frame(&in);
        has_call = has_call || drv_is_call(s, at);
    }
    u64 back = dbg_get_cap(s->m, (DbgReg)30).value, record = dbg_get_cap(s->m, (DbgReg)29).value;
    u32 pointer_bytes = s->o.abi == MAC_PURECAP ? 16 : 8;
    if (has_frame && !dbg_peek(s->m, record + pointer_bytes, &back, sizeof back)) return false;
    *call = (back & ~1ULL) - 4;
    return (has_frame || !has_call) && drv_is_call(s, *call);
}

// ---- registers

static const char *const special_registers[] = {"CSP", "DDC", "PCC"};

// Under DDC the access was allowed by DDC, but its address came from an X register.
static void name_registers(const DrvSession *s, const EvFault *f, FaultText *out)
{
    IsaInsn in;
    if (f->reg < 0) return;
    if (f->reg < AUTHORITY_CSP) snprintf(out->authority, sizeof out->authority, "C%d", f->reg);
    else snprintf(out->authority, sizeof out->authority, "%s", special_registers[f->reg - AUTHORITY_CSP]);
    snprintf(out->reg, sizeof out->reg, "%s", out->authority);
    cap_format(f->cap, out->cap, sizeof out->cap);
    if (f->reg != AUTHORITY_DDC || f->is_fetch || !isa_decode(f->insn, dbg_get_c64(s->m), &in)) return;
    if (!strstr(isa_row_info((IsaRow)in.row)->pattern, "Rn")) return;
    out->base = dbg_get_cap(s->m, (DbgReg)in.f.Rn).value;
    if (in.f.Rn == 31) snprintf(out->reg, sizeof out->reg, "SP");
    else snprintf(out->reg, sizeof out->reg, "X%u", in.f.Rn);
}

void drv_fault_text(const DrvSession *s, FaultText *out)
{
    const EvFault *f = mac_fault(s->m);
    *out = (FaultText){.kind = fault_kinds[f->kind]};
    u32 word = f->insn;
    u64 call;
    if (f->is_fetch) snprintf(out->insn, sizeof out->insn, "(instruction fetch)");
    else isa_disassemble(word, dbg_get_c64(s->m), f->pc, out->insn, sizeof out->insn);
    name_place(s, f->pc, &out->at);
    out->has_caller = find_caller(s, f->pc, &call);
    if (out->has_caller) name_place(s, call, &out->caller);
    name_registers(s, f, out);
    bool has_access = f->kind != EV_FAULT_UNDEFINED && f->kind != EV_FAULT_BREAK && f->kind != EV_FAULT_UNIMPLEMENTED &&
                      f->kind != EV_FAULT_SYSTEM;
    if (has_access && f->is_fetch)
        snprintf(out->access, sizeof out->access, "instruction fetch from 0x%llx", (unsigned long long)f->address);
    else if (has_access)
        snprintf(out->access, sizeof out->access, "%u-byte %s 0x%llx", f->size_bytes, f->is_write ? "store to" : "load from",
                 (unsigned long long)f->address);
    say_reason(s, f, out->reason, sizeof out->reason);
}

// The text of a line of the program, without its indentation.
static void add_source_line(const DrvSession *s, const DrvLine *l, Buf *out)
{
    size_t len;
    const char *text = drv_source(s, &len);
    if (!text || s->module || strcmp(l->file, s->path) != 0) return;
    for (u32 n = 1; text && n < l->line; n++) text = (text = strchr(text, '\n')) ? text + 1 : NULL;
    if (!text) return;
    text += strspn(text, " \t");
    buf_printf(out, ": ");
    for (; *text && *text != '\n' && *text != '\r'; text++) buf_add_int(out, (u8)*text < 0x20 || *text == 0x7f ? '?' : (u8)*text, 1);
}

static void add_place(const DrvSession *s, const FaultText *t, Buf *out)
{
    if (t->at.line.file[0]) {
        buf_printf(out, "  line    %s:%u", t->at.line.file, t->at.line.line);
        add_source_line(s, &t->at.line, out);
        buf_printf(out, "\n");
    }
    if (!t->has_caller) return;
    const FaultPlace *c = &t->caller;
    buf_printf(out, "  called  by %s", c->symbol);
    if (!c->symbol[0]) buf_printf(out, "0x%llx", (unsigned long long)c->pc);
    if (c->line.file[0]) buf_printf(out, ", %s:%u", c->line.file, c->line.line);
    buf_printf(out, "\n");
}

void drv_fault_card(DrvSession *s, Buf *out)
{
    FaultText t;
    drv_fault_text(s, &t);
    const EvFault *f = mac_fault(s->m);
    buf_printf(out, "Guest fault: %s\n", t.kind);
    buf_printf(out, "  at      0x%llx%s%s: %s\n", (unsigned long long)f->pc, t.at.symbol[0] ? " in " : "", t.at.symbol,
               t.insn);
    add_place(s, &t, out);
    if (t.access[0]) buf_printf(out, "  tried   %s\n", t.access);
    if (t.reg[0] && strcmp(t.reg, t.authority) != 0)
        buf_printf(out, "  with    %s = 0x%llx, under %s = %s\n", t.reg, (unsigned long long)t.base, t.authority, t.cap);
    else if (t.reg[0]) buf_printf(out, "  with    %s = %s\n", t.reg, t.cap);
    buf_printf(out, "  why     %s\n", t.reason);
    DrvPlace place;
    if (drv_place(s, &place)) buf_printf(out, "  python  %s, line %u\n", place.code->name, place.line);
}
