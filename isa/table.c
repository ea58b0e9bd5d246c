// table.c: compiles the string patterns of isa/def/*.def into masks and field lists, and finds, decodes and encodes words.
//
// "sf 1 0 11010110 00000 000100 Rn Rd" becomes mask/value for the digits and (id, lo, width) for each field. Finding a row walks
// a small tree: each node tests one run of up to eight bits and branches on its value; a leaf lists the few rows left, in table
// order, to be tried one by one. The tree is built once from the masks (about 0.5 ms) and never changes.
#include "isa/table.h"

#include "base/bits.h"
#include <stdlib.h>

typedef struct Node {
    u8 lo, bits;  // bits > 0: branch on w<lo+bits-1:lo>, child[first + that]; bits = 0: leaf
    u16 n_rows;   // leaf
    u32 first;    // of children, or of rows
} Node;

static Table s_table;
static bool s_is_compiled;
static VEC(Node) s_nodes;
static VEC(u16) s_leaf_rows;

static const struct {
    const char *name;
    u8 width;
} s_fields[] = {
#define FIELD(name, width) {#name, width},
#include "isa/def/fields.def"
#undef FIELD
};

FieldId table_find_field(const char *name, size_t len)
{
    for (u32 i = 0; i < FIELD_COUNT; i++)
        if (strlen(s_fields[i].name) == len && memcmp(s_fields[i].name, name, len) == 0) return i;
    return FIELD_COUNT;
}

u32 table_field_width(FieldId id) { return s_fields[id].width; }

// N:~imms must give an element of at least two bits, whose run of ones does not fill it (Arm ARM, DecodeBitMasks).
static bool is_bitmask(u32 sf, u32 N, u32 imms)
{
    u32 key = N << 6 | (~imms & 0x3f);
    if (key < 2 || (!sf && N)) return false;
    u32 size = 1U << (31 - __builtin_clz(key));
    return (imms & (size - 1)) != size - 1;
}

bool table_guard(u8 guard, u32 word)
{
#define W(hi, lo) ((word >> (lo)) & ((1U << ((hi) - (lo) + 1)) - 1))
    switch ((IsaGuard)guard) {
#define GUARD(name, text, cond) case ISA_GUARD_##name: return (cond);
#include "isa/def/guards.def"
#undef GUARD
    }
#undef W
    return false;
}

static void compile_pattern(Row *r)
{
    u32 at = 32; // bits not yet placed
    const char *p = r->info.pattern;
    while (*p) {
        size_t len = strcspn(p, " ");
        if (*p == '0' || *p == '1') {
            for (size_t i = 0; i < len; i++) {
                CHECK(at > 0, "%s: pattern longer than 32 bits", r->info.name);
                at--;
                r->mask |= 1U << at;
                r->value |= (u32)(p[i] - '0') << at;
            }
        } else {
            FieldId id = table_find_field(p, len);
            CHECK(id < FIELD_COUNT, "%s: unknown field in \"%s\"", r->info.name, p);
            u32 width = s_fields[id].width;
            CHECK(at >= width && r->n_fields < TABLE_MAX_FIELDS, "%s: pattern longer than 32 bits", r->info.name);
            at -= width;
            r->field[r->n_fields++] = (RowField){(u8)id, (u8)at, (u8)width};
        }
        p += len;
        p += strspn(p, " ");
    }
    CHECK(at == 0, "%s: pattern shorter than 32 bits", r->info.name);
}

// From the mnemonic's suffix and the class of the data register in the syntax: "ldrsb {Rt:w32}" is 0, "str {Ct}" is 4.
static u8 compile_scale(const Row *r)
{
    const char *m = r->mnemonic, *t = strstr(r->info.syntax, "t}");
    size_t n = strlen(m);
    if (r->info.flags & ISA_F_CAP) return 4;
    if (strstr(r->info.pattern, "opq")) return SCALE_SIZE_OPQ;
    if (strstr(r->info.pattern, "vsize")) return SCALE_VSIZE;
    if (strstr(r->info.pattern, "size")) return SCALE_SIZE;
    if (m[n - 1] == 'b') return 0;
    if (m[n - 1] == 'h') return 1;
    if (m[n - 1] == 'w') return 2;
    if (m[n - 1] == 'm') return 3; // PRFM
    if (!t) return SCALE_SF;
    switch (t[-1]) {
    case 'B': return 0;
    case 'H': return 1;
    case 'S': case 'W': return 2;
    case 'D': case 'X': return 3;
    case 'Q': case 'C': return 4;
    default: return SCALE_SF;
    }
}

u32 access_log2(const Row *r, const IsaFields *f)
{
    switch (r->scale) {
    case SCALE_SF: return 2 + f->sf;
    case SCALE_SIZE: return f->size;
    case SCALE_SIZE_OPQ: return f->opq ? 4 : f->size;
    case SCALE_VSIZE: return 2 + f->vsize;
    default: return r->scale;
    }
}

u32 isa_access_log2(const IsaInsn *in) { return access_log2(&table_get()->row[in->row], &in->f); }

// Splits rows[0..n) into node `self` of the tree.
static void build_node(u32 self, const u16 *rows, u32 n, u32 used)
{
    u32 lo = 0, bits = 0, best = 0;
    for (u32 width = 8; n > 2 && width >= 1; width--) {
        for (u32 at = 0; at + width <= 32; at++) {
            u32 window = (u32)bits_mask(width) << at, score = 0;
            if (window & used) continue;
            // Rows that leave w bits of the window open go to 2^w children: weigh full coverage most.
            for (u32 i = 0; i < n; i++)
                score += (u32)__builtin_popcount(s_table.row[rows[i]].mask & window) * 8 / width;
            if (score > best + 1) best = score, lo = at, bits = width;
        }
    }
    if (n <= 2 || best < n) {
        s_nodes.at[self] = (Node){.n_rows = (u16)n, .first = s_leaf_rows.len};
        for (u32 i = 0; i < n; i++) vec_push(&s_leaf_rows, rows[i]);
        return;
    }
    u32 first = s_nodes.len;
    s_nodes.at[self] = (Node){.lo = (u8)lo, .bits = (u8)bits, .first = first};
    for (u32 v = 0; v < 1U << bits; v++) vec_push(&s_nodes, (Node){0});
    u16 *sub = xalloc(n * sizeof *sub);
    for (u32 v = 0; v < 1U << bits; v++) {
        u32 m = 0, window = (u32)bits_mask(bits) << lo;
        for (u32 i = 0; i < n; i++) {
            const Row *r = &s_table.row[rows[i]];
            if (((r->value ^ v << lo) & r->mask & window) == 0) sub[m++] = rows[i];
        }
        build_node(first + v, sub, m, used | window);
    }
    free(sub);
}

// Short names of the flags column, for this file only.
enum {
#define X(bit, name, text) name = ISA_F_##name,
    ISA_FLAGS(X)
#undef X
};

static void compile(void)
{
    static const IsaRowInfo info[] = {
        {0},
#define INSN(name, pattern, syntax, cls, plan, guard, flags)                                                 \
    {#name, pattern, syntax, NULL, ISA_CLS_##cls, ISA_PLAN_##plan, ISA_GUARD_##guard, flags},
#include "isa/def/all.def"
#undef INSN
    };
    u16 all[ISA_ROW_COUNT];
    for (u32 i = 1; i < ISA_ROW_COUNT; i++) {
        Row *r = &s_table.row[i];
        r->info = info[i];
        r->guard = info[i].guard;
        size_t n = strcspn(info[i].syntax, " ");
        CHECK(n < sizeof r->mnemonic, "%s: long mnemonic", info[i].name);
        memcpy(r->mnemonic, info[i].syntax, n);
        r->info.mnemonic = r->mnemonic;
        compile_pattern(r);
        r->scale = compile_scale(r);
        all[i - 1] = (u16)i;
    }
    vec_push(&s_nodes, (Node){0});
    build_node(0, all, ISA_ROW_COUNT - 1, 0);
    s_is_compiled = true;
}

const Table *table_get(void)
{
    if (UNLIKELY(!s_is_compiled)) compile();
    return &s_table;
}

const IsaRowInfo *isa_row_info(IsaRow row)
{
    CHECK(row > ISA_NONE && row < ISA_ROW_COUNT, "row %d", (int)row);
    return &table_get()->row[row].info;
}

IsaRow isa_find_row(u32 word, bool c64)
{
    (void)c64; // the state changes what registers mean, not which row it is
    const Table *t = table_get();
    const Node *n = s_nodes.at;
    while (n->bits) n = s_nodes.at + n->first + ((word >> n->lo) & ((1U << n->bits) - 1));
    const u16 *rows = s_leaf_rows.at + n->first;
    for (u32 i = 0; i < n->n_rows; i++) {
        const Row *r = &t->row[rows[i]];
        if ((word & r->mask) == r->value && (r->guard == ISA_GUARD_NONE || table_guard(r->guard, word))) return rows[i];
    }
    return ISA_NONE;
}

bool isa_decode(u32 word, bool c64, IsaInsn *out)
{
    IsaRow row = isa_find_row(word, c64);
    *out = (IsaInsn){.row = (u16)row, .c64 = c64, .word = word};
    if (row == ISA_NONE) return false;
    const Row *r = &s_table.row[row];
    for (u32 i = 0; i < r->n_fields; i++) {
        RowField f = r->field[i];
        *field_ref(&out->f, f.id) = word >> f.lo & ((1U << f.width) - 1);
    }
    return true;
}

u32 table_word(const Row *r, const IsaFields *f)
{
    u32 word = r->value;
    for (u32 i = 0; i < r->n_fields; i++) word |= field_get(f, r->field[i].id) << r->field[i].lo;
    return word;
}

u32 isa_encode(IsaRow row, IsaFields f)
{
    const Row *r = &table_get()->row[row];
    CHECK(row > ISA_NONE && row < ISA_ROW_COUNT, "row %d", (int)row);
    u32 word = r->value, used = 0, all = 0;
    for (u32 i = 0; i < r->n_fields; i++) {
        u32 v = field_get(&f, r->field[i].id);
        CHECK(v >> r->field[i].width == 0, "%s: field %s does not hold %u", r->info.name,
              s_fields[r->field[i].id].name, v);
        word |= v << r->field[i].lo;
        used += v;
    }
    for (u32 i = 0; i < FIELD_COUNT; i++) all += field_get(&f, i);
    CHECK(all == used, "%s: a field is set that the row does not have (%s)", r->info.name, r->info.pattern);
    CHECK(r->guard == ISA_GUARD_NONE || table_guard(r->guard, word), "%s: reserved encoding %08x", r->info.name, word);
    return word;
}
