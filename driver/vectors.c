// vectors.c: runs golden vectors (tests/data/vectors/FORMAT.md): sets a machine to the state before, steps, and compares everything
// with the state after. One idea: two states are kept, `before` and `after`; a record changes both until the line "=", only
// `after` from then on; whatever is in neither must be as the format's initial state says.
#include "base/bits.h"
#include "driver/driver.h"
#include "driver/files.h"
#include "isa/isa.h"
#include <stdio.h>
#include <stdlib.h>

enum { MAX_WORDS = 8, MAX_GRANULES = 512, PAGE = 4096, SHOWN_PER_ID = 2, MAX_IDS = 4096 };
enum { SYS_FPCR, SYS_FPSR, SYS_CPACR, SYS_CCTLR, SYS_SCTLR, N_SYS };
static const u64 MAX_META = 0xFFFFC00000010005; // of the almighty capability

typedef struct Granule {
    u64 addr, lo, hi;
    bool tag;
} Granule;

typedef struct State {
    Cap cap[DBG_REG_COUNT]; // CSP and DDC by the names of their banks
    u64 v[32][2];
    u64 sys[N_SYS];
    u8 nzcv;
    bool c64;
    Granule *granules; // of the case, ascending order not needed
    u32 n_granules;
} State;

// The format's names; those without a level are of the level the case starts at.
static const char *const sys_names[N_SYS] = {"FPCR", "FPSR", "CPACR", "CCTLR", "SCTLR"};
static const char *const cap_names[DBG_REG_COUNT] = {
    [DBG_PCC] = "PCC", [DBG_RSP] = "RSP", [DBG_RDDC] = "RDDC", [DBG_CTPIDR] = "CTPIDR", [DBG_CID] = "CID",
    [DBG_CSP_EL0] = "CSP_EL0", [DBG_CSP_EL1] = "CSP_EL1", [DBG_CSP_EL2] = "CSP_EL2", [DBG_CSP_EL3] = "CSP_EL3",
    [DBG_DDC_EL0] = "DDC_EL0", [DBG_DDC_EL1] = "DDC_EL1", [DBG_DDC_EL2] = "DDC_EL2", [DBG_DDC_EL3] = "DDC_EL3",
    [DBG_CELR_EL1] = "CELR_EL1", [DBG_CELR_EL2] = "CELR_EL2", [DBG_CELR_EL3] = "CELR_EL3"};

typedef struct IdCount {
    char id[96];
    u64 failed;
} IdCount;

typedef struct Case {
    u32 num, line;
    char id[96];
    u32 el, steps, n_words;
    u64 start;
    u32 word[MAX_WORDS];
    bool has_exception, has_feature, in_result, pcc_listed;
    u32 el_after;
    u64 esr, far, spsr; // of the exception
    Cap elr;
    bool has_far;
    State before, after;
} Case;

typedef struct Run {
    const char *file;
    Machine *m;
    Case c;
    Granule granules[2][MAX_GRANULES];
    IdCount *ids;
    u32 n_ids;
    DrvVectors *sum;
    Buf *failures;
} Run;

static Cap almighty(u64 value) { return (Cap){.value = value, .meta = MAX_META, .tag = true}; }

static void reset_case(Run *r)
{
    Case *c = &r->c;
    *c = (Case){0};
    State *s = &c->before;
    for (u64 n = 0; n < 31; n++) s->cap[n] = (Cap){0xA5000000000000A5 | n << 8, 0xC5000000000000C5 | n << 8, false};
    for (u64 n = 0; n < 32; n++) {
        s->v[n][0] = 0x9600000000000096 | n << 8;
        s->v[n][1] = 0xB600000000000069 | n << 8;
    }
    s->cap[DBG_RDDC] = almighty(0);
    s->cap[DBG_RSP] = almighty(0x7E000);
    for (u32 el = 0; el < 4; el++) s->cap[DBG_CSP_EL0 + el] = almighty(0x70000), s->cap[DBG_DDC_EL0 + el] = almighty(0);
    s->sys[SYS_CPACR] = 0x3C0000;
    c->after = *s;
    c->before.granules = r->granules[0];
    c->after.granules = r->granules[1];
}

static Granule *granule_at(State *s, u64 addr)
{
    for (u32 i = 0; i < s->n_granules; i++)
        if (s->granules[i].addr == addr) return &s->granules[i];
    if (s->n_granules == MAX_GRANULES) return NULL;
    s->granules[s->n_granules] = (Granule){.addr = addr};
    return &s->granules[s->n_granules++];
}

static bool put_granule(Run *r, Granule g)
{
    for (u32 k = r->c.in_result; k < 2; k++) {
        Granule *at = granule_at(k ? &r->c.after : &r->c.before, g.addr);
        if (!at) return false;
        *at = g;
    }
    return true;
}

static bool put_word(Run *r, u64 addr, u32 word)
{
    Case *c = &r->c;
    if (c->n_words == MAX_WORDS) return false;
    if (!c->n_words) c->start = addr;
    c->word[c->n_words++] = word;
    Granule *g = granule_at(&c->before, addr & ~15ULL);
    if (!g) return false;
    u64 *half = addr & 8 ? &g->hi : &g->lo;
    u32 low = addr & 4 ? 32 : 0;
    *half = bits_set(*half, low + 31, low, word);
    return put_granule(r, *g);
}

static void put_cap(Run *r, u32 n, Cap v)
{
    if (n >= DBG_REG_COUNT) return;
    if (n == DBG_PCC) r->c.pcc_listed = true;
    r->c.after.cap[n] = v;
    if (!r->c.in_result) r->c.before.cap[n] = v;
}

static bool put_named_cap(Run *r, const char *name, Cap v)
{
    char full[32];
    const Case *c = &r->c;
    bool is_bank = !strcmp(name, "CSP") || !strcmp(name, "DDC");
    if (!strcmp(name, "ELR")) { // of the level that a later line tells
        r->c.elr = v;
        return true;
    }
    snprintf(full, sizeof full, is_bank ? "%s_EL%u" : "%s", name, c->el);
    for (u32 n = DBG_PCC; n < DBG_REG_COUNT; n++)
        if (cap_names[n] && !strcmp(cap_names[n], full)) {
            put_cap(r, n, v);
            return true;
        }
    return false;
}

static void put_sys(Run *r, const char *name, u64 v)
{
    for (u32 k = 0; k < N_SYS; k++)
        if (!strcmp(sys_names[k], name)) {
            r->c.after.sys[k] = v;
            if (!r->c.in_result) r->c.before.sys[k] = v;
            return;
        }
    r->c.has_feature = true;
}

// One line of a case other than "." and "=". False = not a record of the format.
static bool read_record(Run *r, const char *l)
{
    Case *c = &r->c;
    unsigned long long a = 0, lo = 0, hi = 0;
    unsigned n = 0, tag = 0, w = 0;
    char s[100];
    int k = 0;
    switch (l[0]) {
    case 'T': return sscanf(l, "T %u %95s", &c->num, c->id) == 2;
    case 'M':
        if (sscanf(l, "M %u %u %x %u", &c->el, &tag, &n, &c->steps) != 4 || n > 15 || c->steps > 16 || c->el > 3) return false;
        c->el_after = c->el;
        c->before.cap[DBG_CSP_EL0 + c->el] = c->after.cap[DBG_CSP_EL0 + c->el] = almighty(0x7F000);
        c->before.sys[SYS_SCTLR] = c->after.sys[SYS_SCTLR] = c->el == 3 ? 0x3085103D : 0x34D5D99D;
        c->before.nzcv = c->after.nzcv = (u8)n;
        c->before.c64 = c->after.c64 = tag != 0;
        return true;
    case 'W':
        if (sscanf(l, "W %llx%n", &a, &k) != 1 || a % 4) return false;
        for (l += k; sscanf(l, " %x%n", &w, &k) == 1; l += k, a += 4)
            if (!put_word(r, a, w)) return false;
        return true;
    case 'X':
        if (sscanf(l, "X %u %llx", &n, &lo) != 2 || n > 30) return false;
        put_cap(r, n, (Cap){.value = lo});
        return true;
    case 'C':
        if (sscanf(l, "C %u %u %llx %llx", &n, &tag, &hi, &lo) != 4 || n > 30) return false;
        put_cap(r, n, (Cap){lo, hi, tag != 0});
        return true;
    case 'V':
        if (sscanf(l, "V %u %llx %llx", &n, &hi, &lo) != 3 || n > 31) return false;
        for (u32 i = c->in_result; i < 2; i++) {
            State *st = i ? &c->after : &c->before;
            st->v[n][0] = lo;
            st->v[n][1] = hi;
        }
        return true;
    case 'K':
        return sscanf(l, "K %15s %u %llx %llx", s, &tag, &hi, &lo) == 4 && put_named_cap(r, s, (Cap){lo, hi, tag != 0});
    case 'S':
        if (sscanf(l, "S %15s %llx", s, &lo) != 2) return false;
        put_sys(r, s, lo);
        return true;
    case 'G':
        return sscanf(l, "G %llx %u %llx %llx", &a, &tag, &hi, &lo) == 4 && !(a % 16) &&
               put_granule(r, (Granule){a, lo, hi, tag != 0});
    case 'A': return c->has_feature = true;
    case 'F':
        if (sscanf(l, "F %x", &n) != 1) return false;
        c->after.nzcv = (u8)n;
        return true;
    case 'J':
        if (sscanf(l, "J %u", &n) != 1) return false;
        c->after.c64 = n != 0;
        return true;
    case 'E':
        if (sscanf(l, "E %u %llx %31s %llx", &c->el_after, &a, s, &lo) != 4 || c->el_after > 3) return false;
        c->has_exception = true;
        c->esr = a, c->spsr = lo;
        c->has_far = s[0] != '-';
        c->far = strtoull(s, NULL, 16);
        return true;
    case 'L': return sscanf(l, "L %u", &c->el_after) == 1 && c->el_after <= 3;
    default: return false;
    }
}

static void set_sys(Machine *m, const char *name, u32 el, u64 v)
{
    char full[32];
    snprintf(full, sizeof full, "%s_EL%u", name, el);
    CHECK(dbg_set_sys(m, full, v), "no register %s", full);
}

// A bare machine in the format's initial state, then what the case lists.
static void set_controls(Run *r)
{
    Machine *m = r->m;
    const Case *c = &r->c;
    dbg_reset_bare(m);
    dbg_set_flat_memory(m, true);
    set_sys(m, "CPTR", 3, 1 << 9); // EC: capabilities on
    set_sys(m, "SCTLR", 1, 0x34D5D99D);
    set_sys(m, "SCTLR", 3, 0x3085103D);
    set_sys(m, "MAIR", 1, 0xFF);
    set_sys(m, "SCTLR", c->el < 2 ? 1 : c->el, c->before.sys[SYS_SCTLR]);
    set_sys(m, "CCTLR", c->el, c->before.sys[SYS_CCTLR]);
    set_sys(m, "CPACR", 1, c->before.sys[SYS_CPACR]);
    dbg_set_sys(m, "FPCR", c->before.sys[SYS_FPCR]);
    dbg_set_sys(m, "FPSR", c->before.sys[SYS_FPSR]);
    dbg_set_level(m, c->el, c->el != 0);
}

static bool has_caps(const Case *c)
{
    u64 cen = c->before.sys[SYS_CPACR] >> 18 & 3;
    return c->el > 1 || cen == 3 || (cen == 1 && c->el == 1);
}

// False = a granule where none can be.
static bool set_machine(Run *r)
{
    Case *c = &r->c;
    Machine *m = r->m;
    set_controls(r);
    for (u32 i = 0; i < c->before.n_granules; i++) {
        const Granule *g = &c->before.granules[i];
        if (!dbg_poke_cap(m, g->addr, (Cap){g->lo, g->hi, g->tag})) return false;
    }
    if (!c->before.cap[DBG_PCC].meta && !c->before.cap[DBG_PCC].tag) {
        c->before.cap[DBG_PCC] = almighty(c->start);
        if (!c->pcc_listed) c->after.cap[DBG_PCC] = almighty(c->start);
    }
    dbg_set_cap(m, DBG_PCC, c->before.cap[DBG_PCC]);
    for (u32 n = 0; n < DBG_REG_COUNT; n++)
        if (n < 31 || (n != DBG_PCC && cap_names[n])) dbg_set_cap(m, (DbgReg)n, c->before.cap[n]);
    for (u32 n = 0; n < 32; n++) dbg_set_v(m, n, c->before.v[n]);
    dbg_set_nzcv(m, c->before.nzcv);
    dbg_set_c64(m, c->before.c64 && has_caps(c)); // an exception return to where they are off enters A64
    return true;
}

static bool same_cap(Cap a, Cap b) { return a.value == b.value && a.meta == b.meta && a.tag == b.tag; }

static void say_cap(Buf *why, const char *name, Cap got, Cap want)
{
    buf_printf(why, "    %s is %d:%016llx:%016llx, expected %d:%016llx:%016llx\n", name, got.tag, (unsigned long long)got.meta,
               (unsigned long long)got.value, want.tag, (unsigned long long)want.meta, (unsigned long long)want.value);
}

static void compare_sys(const Run *r, const char *name, u64 want, Buf *why)
{
    u64 v;
    CHECK(dbg_get_sys(r->m, name, &v), "no register %s", name);
    if (v != want) buf_printf(why, "    %s is %llx, expected %llx\n", name, (unsigned long long)v, (unsigned long long)want);
}

static void compare_registers(const Run *r, Buf *why)
{
    const State *want = &r->c.after;
    for (u32 n = 0; n < DBG_REG_COUNT; n++) {
        Cap got = dbg_get_cap(r->m, (DbgReg)n);
        char name[8];
        snprintf(name, sizeof name, "C%u", n);
        if ((n >= 31 && !cap_names[n]) || (n == DBG_PCC && r->c.has_exception)) continue;
        if (!same_cap(got, want->cap[n])) say_cap(why, n < 31 ? name : cap_names[n], got, want->cap[n]);
    }
    for (u32 n = 0; n < 32; n++) {
        u64 v[2];
        dbg_get_v(r->m, n, v);
        if (v[0] != want->v[n][0] || v[1] != want->v[n][1])
            buf_printf(why, "    V%u is %016llx:%016llx, expected %016llx:%016llx\n", n, (unsigned long long)v[1],
                       (unsigned long long)v[0], (unsigned long long)want->v[n][1], (unsigned long long)want->v[n][0]);
    }
    u8 nzcv = r->c.has_exception ? (u8)(r->c.spsr >> 28) : want->nzcv; // ERET changes it, and is not the last step
    if (dbg_get_nzcv(r->m) != nzcv) buf_printf(why, "    NZCV is %x, expected %x\n", dbg_get_nzcv(r->m), nzcv);
    // After an exception the state is the vector's: A64, as no case sets CCTLR.C64E of the target.
    if (dbg_get_c64(r->m) != (want->c64 && !r->c.has_exception)) buf_printf(why, "    C64 is %d, expected %d\n", dbg_get_c64(r->m), want->c64);
    // A change of the others is seen by the MRS behind it; the format does not list it.
    compare_sys(r, "FPCR", want->sys[SYS_FPCR], why);
    compare_sys(r, "FPSR", want->sys[SYS_FPSR], why);
}

static void compare_level(const Run *r, Buf *why)
{
    const Case *c = &r->c;
    u32 el = dbg_get_level(r->m);
    if (el != c->el_after) buf_printf(why, "    the level is EL%u, expected EL%u\n", el, c->el_after);
    if (!c->has_exception || el != c->el_after) return;
    char name[16];
    snprintf(name, sizeof name, "ESR_EL%u", el);
    compare_sys(r, name, c->esr, why);
    snprintf(name, sizeof name, "SPSR_EL%u", el);
    compare_sys(r, name, c->spsr, why);
    snprintf(name, sizeof name, "FAR_EL%u", el);
    if (c->has_far) compare_sys(r, name, c->far, why);
}

static void compare_granule(const Machine *m, u64 addr, Cap want, Buf *why)
{
    Cap got;
    if (!dbg_peek_cap(m, addr, &got)) got = (Cap){0};
    if (same_cap(got, want)) return;
    char name[32];
    snprintf(name, sizeof name, "memory %llx", (unsigned long long)addr);
    say_cap(why, name, got, want);
}

// Listed granules have their value; all others of the touched pages are zero and untagged.
static void compare_memory(Run *r, Buf *why)
{
    State *want = &r->c.after;
    for (u32 i = 0; i < want->n_granules; i++) {
        const Granule *g = &want->granules[i];
        compare_granule(r->m, g->addr, (Cap){g->lo, g->hi, g->tag}, why);
    }
    for (u64 page = 0, from = 0; dbg_next_page(r->m, from, &page); from = page + PAGE) {
        for (u64 a = page; a < page + PAGE; a += 16) {
            bool listed = false;
            for (u32 i = 0; i < want->n_granules && !listed; i++) listed = want->granules[i].addr == a;
            if (!listed) compare_granule(r->m, a, (Cap){0}, why);
        }
        if (page + PAGE == 0) break;
    }
}

static void report_failure(Run *r, const char *why)
{
    Case *c = &r->c;
    r->sum->failed++;
    u32 i = 0;
    while (i < r->n_ids && strcmp(r->ids[i].id, c->id) != 0) i++;
    if (i == r->n_ids) {
        if (r->n_ids == MAX_IDS) return;
        memcpy(r->ids[r->n_ids++].id, c->id, sizeof c->id);
    }
    if (r->ids[i].failed++ >= SHOWN_PER_ID) return;
    char text[96];
    isa_disassemble(c->word[0], c->before.c64, c->start, text, sizeof text);
    buf_printf(r->failures, "%s:%u: case %u %s: %s\n%s", r->file, c->line, c->num, c->id, text, why);
}

// True if an instruction of the case has no row in this build.
static bool lacks_row(const Case *c)
{
    for (u32 i = 0; i < c->n_words; i++)
        if (isa_find_row(c->word[i], c->before.c64) == ISA_NONE && isa_find_row(c->word[i], !c->before.c64) == ISA_NONE)
            return true;
    return isa_find_row(c->word[0], c->before.c64) == ISA_NONE;
}

static bool skip_case(Run *r)
{
    const Case *c = &r->c;
    DrvVectors *s = r->sum;
    u64 *reason = c->has_feature || !strncmp(c->id, "mte_", 4) || !strncmp(c->id, "CHK_", 4) ? &s->skip_feature
                  : lacks_row(c)                                                           ? &s->skip_no_row
                                                                                           : NULL;
    if (!reason) return false;
    ++*reason;
    s->skipped++;
    return true;
}

static bool skipped(Run *r, u64 *reason)
{
    ++*reason;
    r->sum->skipped++;
    return false;
}

// Runs and compares: what differs goes to `why`. False = skipped after all.
static bool try_case(Run *r, Buf *why)
{
    Case *c = &r->c;
    if (!set_machine(r)) return skipped(r, &r->sum->skip_feature);
    for (u32 i = 0; i < c->steps; i++) {
        if (dbg_step(r->m) == EV_STOP_BUDGET) continue; // an exception that is taken is a step, too
        const EvFault *f = mac_fault(r->m);
        if (f->kind == EV_FAULT_UNIMPLEMENTED) return skipped(r, &r->sum->skip_no_row);
        buf_printf(why, "    step %u: unexpected fault of kind %d at pc %llx, address %llx\n", i + 1, f->kind,
                   (unsigned long long)f->pc, (unsigned long long)f->address);
        return true;
    }
    if (!c->pcc_listed || same_cap(c->after.cap[DBG_PCC], c->before.cap[DBG_PCC]))
        c->after.cap[DBG_PCC].value = c->start + 4 * (u64)c->steps;
    Cap got;
    for (u32 n = DBG_CELR_EL1; n <= DBG_CELR_EL3; n++) got = dbg_get_cap(r->m, (DbgReg)n), c->after.cap[n] = got; // changes are not listed
    if (c->has_exception) c->after.cap[DBG_CELR_EL1 + c->el_after - 1] = c->elr;
    compare_registers(r, why);
    compare_level(r, why);
    compare_memory(r, why);
    return true;
}

// A case that the machine fails may be one where the reference differs from the architecture: it is tried again by its rule.
static void run_case(Run *r)
{
    if (skip_case(r)) return;
    Buf why = {0}, again = {0};
    bool ran = try_case(r, &why), by_reference = false;
    if (ran && why.len) {
        dbg_set_stxp_keeps_tag(r->m, true);
        by_reference = try_case(r, &again) && !again.len;
        dbg_set_stxp_keeps_tag(r->m, false);
    }
    if (ran && why.len && !by_reference) report_failure(r, buf_text(&why));
    else if (ran) r->sum->passed++;
    r->sum->passed_by_reference += by_reference;
    buf_free(&why);
    buf_free(&again);
}

static bool read_lines(Run *r, char *text, Err *err)
{
    u32 line = 0;
    bool in_case = false;
    for (char *l = text, *next; l && *l; l = next) {
        line++;
        next = strchr(l, '\n');
        if (next) *next++ = 0;
        bool ok = true;
        if (l[0] == '#' || !l[0]) continue;
        if (l[0] == 'T') {
            reset_case(r);
            r->c.line = line;
            in_case = true;
        }
        if (l[0] == '.' && in_case && r->c.n_words) {
            run_case(r);
            in_case = false;
        } else if (l[0] == '=' && in_case) {
            // PCC listed as an input must not count as a listed result.
            r->c.in_result = true;
            r->c.pcc_listed = false;
        } else {
            ok = in_case && read_record(r, l);
        }
        if (!ok)
            return err_at(err, CAPLAB_EX_DATA, (SrcPos){r->file, line, 1}, l, "not a record of a golden vector file");
    }
    return true;
}

bool drv_vectors(const char *path, MacEngine engine, DrvVectors *sum, Buf *failures, Err *err)
{
    size_t len;
    char *text = (char *)drv_read_file(path, &len, err);
    if (!text) return false;
    Run *r = xalloc(sizeof *r);
    *r = (Run){.file = path, .sum = sum, .failures = failures};
    r->m = mac_new(&(MacConfig){.engine = engine, .ssbs = true});
    r->ids = xalloc(sizeof(IdCount) * MAX_IDS);
    bool ok = read_lines(r, text, err);
    for (u32 i = 0; i < r->n_ids; i++)
        buf_printf(failures, "%s: %llu failed\n", r->ids[i].id, (unsigned long long)r->ids[i].failed);
    mac_free(r->m);
    free(r->ids);
    free(r);
    free(text);
    return ok;
}
