// as_data.c: directives: sections, symbols, data. The list is as_directives.def.
#include "cc/as_impl.h"

#include "base/bits.h"

typedef bool Directive(As *a, u32 arg, const char *name, u32 len);

static u32 need_symbol(As *a)
{
    as_space(a);
    const char *at = a->p, *name;
    u32 len;
    if (!as_word(a, &name, &len)) {
        as_fail(a, at, "name expected");
        return LK_NO_SYMBOL;
    }
    return as_symbol(a, name, len, at);
}

// Bytes of a section that cannot hold any (.bss) may only be zero.
static bool add_bytes(As *a, const void *bytes, u64 len)
{
    if (!(a->section->flags & LK_BSS)) {
        buf_add(&a->section->data, bytes, len);
        return true;
    }
    for (u64 i = 0; i < len; i++)
        if (((const u8 *)bytes)[i]) return as_fail(a, a->stmt, "data in %s, which has no bytes", a->section->name);
    a->section->bss_bytes += len;
    return true;
}

static void enter(As *a, const char *name, u32 len, u32 more_flags)
{
    a->previous = a->section;
    for (u32 i = 0; i < a->u->sections.len; i++) {
        LkSection *s = a->u->sections.at[i];
        if (strlen(s->name) == len && !memcmp(s->name, name, len)) {
            a->section = s;
            return;
        }
    }
    const char *copy = arena_strndup(&a->u->arena, name, len);
    u32 flags = lk_flags_of_name(copy) | more_flags;
    a->section = lk_section(a->u, copy, flags, flags & LK_EXEC ? 4 : 1);
}

static bool do_named(As *a, u32 arg, const char *name, u32 len)
{
    (void)arg;
    enter(a, name, len, 0);
    return true;
}

static bool do_section(As *a, u32 push, const char *name, u32 len)
{
    as_space(a);
    if (!as_word(a, &name, &len)) return as_fail(a, a->p, "section name expected");
    u32 flags = 0;
    if (as_take(a, ',')) {
        as_space(a);
        if (*a->p == '"')
            for (a->p++; *a->p && *a->p != '"' && *a->p != '\n'; a->p++)
                flags |= *a->p == 'w' ? LK_WRITE : *a->p == 'x' ? LK_EXEC : *a->p == 'R' ? LK_KEEP : 0u;
        while (!as_at_end(a)) a->p++; // %progbits and the like follow from the name
    }
    if (push) vec_push(&a->stack, a->section);
    enter(a, name, len, flags);
    return true;
}

static bool do_pop(As *a, u32 arg, const char *name, u32 len)
{
    (void)arg, (void)name, (void)len;
    if (!a->stack.len) return as_fail(a, a->stmt, ".popsection without .pushsection");
    a->section = a->stack.at[--a->stack.len];
    return true;
}

static bool do_previous(As *a, u32 arg, const char *name, u32 len)
{
    (void)arg, (void)name, (void)len;
    LkSection *s = a->section;
    if (a->previous) a->section = a->previous;
    a->previous = s;
    return true;
}

static bool do_bind(As *a, u32 kind, const char *name, u32 len)
{
    (void)name, (void)len;
    do {
        u32 sym = need_symbol(a);
        if (sym == LK_NO_SYMBOL) return false;
        LkSymbol *y = a->u->symbols.at[sym];
        y->bind_said = true;
        y->is_global = kind != 2;
        y->is_weak = kind == 1;
    } while (as_take(a, ','));
    return true;
}

static bool do_type(As *a, u32 arg, const char *name, u32 len)
{
    (void)arg;
    u32 sym = need_symbol(a);
    if (sym == LK_NO_SYMBOL) return false;
    if (!as_take(a, ',')) return as_fail(a, a->p, "',' expected");
    as_space(a);
    if (*a->p == '%' || *a->p == '@') a->p++;
    const char *at = a->p;
    if (!as_word(a, &name, &len)) return as_fail(a, at, "%%function or %%object expected");
    LkSymbol *y = a->u->symbols.at[sym];
    if (len == 8 && !memcmp(name, "function", 8))
        y->type = LK_FUNC;
    else if (len == 6 && !memcmp(name, "object", 6))
        y->type = LK_OBJECT;
    else if (len != 6 || memcmp(name, "notype", 6))
        return as_fail(a, at, "%%function or %%object expected");
    return true;
}

static bool do_size(As *a, u32 arg, const char *name, u32 len)
{
    (void)arg, (void)name, (void)len;
    u32 sym = need_symbol(a);
    if (sym == LK_NO_SYMBOL) return false;
    if (!as_take(a, ',')) return as_fail(a, a->p, "',' expected");
    i64 bytes;
    if (!as_const(a, &bytes)) return false;
    a->u->symbols.at[sym]->size = (u64)bytes;
    return true;
}

bool as_set(As *a, const char *name, u32 len)
{
    const char *at = a->p;
    AsValue v;
    if (!as_expr(a, &v)) return false;
    if (v.minus != LK_NO_SYMBOL) return as_fail(a, at, "the distance is not known here");
    if (v.symbol == LK_NO_SYMBOL) {
        for (u32 i = 0; i < a->consts.len; i++)
            if (strlen(a->consts.at[i].name) == len && !memcmp(a->consts.at[i].name, name, len)) {
                a->consts.at[i].value = v.value;
                return true;
            }
        vec_push(&a->consts, (struct AsConst){arena_strndup(&a->u->arena, name, len), v.value});
        return true;
    }
    const LkSymbol *y = a->u->symbols.at[v.symbol];
    if (!y->is_defined) return as_fail(a, at, "'%s' is not defined yet", y->name);
    u32 sym = as_symbol(a, name, len, a->stmt);
    return lk_define(a->u, sym, y->section, y->value + (u64)v.value, y->size, y->type, as_pos(a, a->stmt), a->err);
}

static bool do_set(As *a, u32 arg, const char *name, u32 len)
{
    (void)arg;
    as_space(a);
    if (!as_word(a, &name, &len)) return as_fail(a, a->p, "name expected");
    if (!as_take(a, ',')) return as_fail(a, a->p, "',' expected");
    return as_set(a, name, len);
}

static bool add_value(As *a, const char *at, AsValue v, u32 bytes)
{
    u64 zero = 0;
    if (v.symbol == LK_NO_SYMBOL && v.minus == LK_NO_SYMBOL) {
        if (bytes < 8 && (v.value >> (8 * bytes)) && v.value >> (8 * bytes - 1) != -1)
            return as_fail(a, at, "%lld does not fit %u bytes", (long long)v.value, bytes);
        return add_bytes(a, &v.value, bytes);
    }
    if (v.symbol == LK_NO_SYMBOL || bytes < 4) return as_fail(a, at, "an address needs 4 or 8 bytes");
    if (a->section->flags & LK_BSS) return as_fail(a, at, "data in %s, which has no bytes", a->section->name);
    u64 offset = as_here(a);
    add_bytes(a, &zero, bytes);
    bool is_diff = v.minus != LK_NO_SYMBOL;
    LkRelocKind kind = is_diff ? (bytes == 4 ? LK_R_DIFF32 : LK_R_DIFF64) : bytes == 4 ? LK_R_ABS32 : LK_R_ABS64;
    lk_reloc(a->section, offset, kind, v.symbol, v.value, as_place(a));
    a->section->relocs.at[a->section->relocs.len - 1].minus = v.minus;
    return true;
}

static bool do_ints(As *a, u32 bytes, const char *name, u32 len)
{
    (void)name, (void)len;
    do {
        as_space(a);
        const char *at = a->p;
        AsValue v;
        if (!as_expr(a, &v) || !add_value(a, at, v, bytes)) return false;
    } while (as_take(a, ','));
    return true;
}

static bool align_to(As *a, u64 align)
{
    static const u8 nop[4] = {0x1f, 0x20, 0x03, 0xd5};
    if (align > a->section->align) a->section->align = (u32)align;
    while (as_here(a) & (align - 1)) {
        bool code = a->section->flags & LK_EXEC && !(as_here(a) & 3);
        if (!add_bytes(a, code ? nop : (const u8[4]){0}, code ? 4 : 1)) return false;
    }
    return true;
}

static bool do_cap(As *a, u32 arg, const char *name, u32 len)
{
    (void)arg, (void)name, (void)len;
    if (a->abi != CC_PURECAP) return as_fail(a, a->stmt, "capability constants need the purecap ABI");
    if (!align_to(a, 16)) return false;
    do {
        as_space(a);
        const char *at = a->p;
        AsValue v;
        if (!as_expr(a, &v)) return false;
        if (v.minus != LK_NO_SYMBOL) return as_fail(a, at, "SYMBOL+OFFSET expected");
        u64 offset = as_here(a), raw[2] = {v.symbol == LK_NO_SYMBOL ? (u64)v.value : 0, 0};
        if (!add_bytes(a, raw, 16)) return false;
        if (v.symbol != LK_NO_SYMBOL) lk_reloc(a->section, offset, LK_R_CAP, v.symbol, v.value, as_place(a));
    } while (as_take(a, ','));
    return true;
}

static bool parse_string(As *a, Buf *out)
{
    as_space(a);
    const char *at = a->p;
    if (!as_take(a, '"')) return as_fail(a, at, "string expected");
    for (; *a->p != '"'; a->p++) {
        u8 c = (u8)*a->p;
        if (!c || c == '\n') return as_fail(a, at, "unfinished string");
        if (c != '\\') {
            buf_add_int(out, c, 1);
            continue;
        }
        c = (u8)*++a->p;
        if (c >= '0' && c <= '7') {
            u32 v = 0;
            for (u32 i = 0; i < 3 && *a->p >= '0' && *a->p <= '7'; i++) v = v * 8 + (u32)(*a->p++ - '0');
            a->p--;
            buf_add_int(out, v & 255, 1);
            continue;
        }
        const char *from = "ntrbf\\\"'", *to = "\n\t\r\b\f\\\"'", *found = c ? strchr(from, c) : NULL;
        if (!found) return as_fail(a, a->p, "unknown escape");
        buf_add_int(out, (u8)to[found - from], 1);
    }
    a->p++;
    return true;
}

static bool do_string(As *a, u32 with_nul, const char *name, u32 len)
{
    (void)name, (void)len;
    bool ok = true;
    do {
        Buf b = {0};
        ok = parse_string(a, &b) && add_bytes(a, b.at ? b.at : (const u8 *)"", b.len) &&
             (!with_nul || add_bytes(a, "", 1));
        buf_free(&b);
    } while (ok && as_take(a, ','));
    return ok;
}

enum { MAX_SPACE = 1 << 28 };

static bool do_space(As *a, u32 arg, const char *name, u32 len)
{
    (void)arg, (void)name, (void)len;
    const char *at = a->p;
    i64 bytes, fill = 0;
    if (!as_const(a, &bytes)) return false;
    if (as_take(a, ',') && !as_const(a, &fill)) return false;
    if (bytes < 0 || bytes > MAX_SPACE) return as_fail(a, at, "0 to 256 MiB");
    if (a->section->flags & LK_BSS && !fill) {
        a->section->bss_bytes += (u64)bytes;
        return true;
    }
    u8 b = (u8)fill;
    for (i64 i = 0; i < bytes; i++)
        if (!add_bytes(a, &b, 1)) return false;
    return true;
}

static bool do_align(As *a, u32 is_power, const char *name, u32 len)
{
    (void)name, (void)len;
    const char *at = a->p;
    i64 n, fill;
    if (!as_const(a, &n)) return false;
    if (as_take(a, ',') && !as_const(a, &fill)) return false;
    u64 align = !is_power ? (u64)n : n >= 0 && n <= 16 ? 1ULL << n : 0;
    if (!bits_is_pow2(align) || align > 65536) return as_fail(a, at, "alignments are powers of two up to 65536");
    return align_to(a, align);
}

static bool do_skip(As *a, u32 arg, const char *name, u32 len)
{
    (void)arg, (void)name, (void)len;
    while (!as_at_end(a)) a->p++;
    return true;
}

static bool do_code(As *a, u32 arg, const char *name, u32 len)
{
    (void)arg;
    as_space(a);
    const char *at = a->p, *want = a->abi == CC_PURECAP ? "c64" : "a64";
    if (!as_word(a, &name, &len) || len != 3 || memcmp(name, want, 3))
        return as_fail(a, at, "code of this ABI is %s", want);
    return true;
}

bool as_directive(As *a, const char *name, u32 len, const char *at)
{
    static const struct {
        const char *name;
        Directive *run;
        u32 arg;
    } table[] = {
#define DIRECTIVE(name, run, arg, text) {name, run, arg},
#include "cc/as_directives.def"
#undef DIRECTIVE
    };
    for (u32 i = 0; i < ARRAY_LEN(table); i++)
        if (strlen(table[i].name) == len && !memcmp(table[i].name, name, len))
            return table[i].run(a, table[i].arg, name, len);
    if (len > 5 && !memcmp(name, ".cfi_", 5)) return do_skip(a, 0, name, len); // no unwind tables
    return as_fail(a, at, "unknown directive '%.*s'", (int)len, name);
}
