// session.c: from a file to a running machine: finds out what it is, compiles it and whatever it needs, loads it, runs it.
//
//     prog.py ──py──► prog.mpy ──┐ (a file the guest opens)
//     vm/guest ──cc──► vm.elf ───┴──► Machine          prog.c ──cc──► ELF ──► Machine
#include "driver/session.h"
#include "driver/files.h"
#include "driver/guest.h"
#include <stdlib.h>

enum { MAX_ARGS = 1024 };

static bool has_suffix(const char *path, const char *suffix)
{
    size_t n = strlen(path), k = strlen(suffix);
    return n >= k && !strcmp(path + n - k, suffix);
}

// C text shows itself by its first words; what is not C and has no telling name is Python.
static bool looks_like_c(const u8 *bytes, size_t len)
{
    static const char *const words[] = {"#include", "#define", "int main", "void main"};
    for (u32 i = 0; i < ARRAY_LEN(words); i++)
        if (memmem(bytes, len, words[i], strlen(words[i]))) return true;
    return false;
}

DrvKind drv_find_kind(const char *path, const u8 *bytes, size_t len)
{
    if (len >= 4 && !memcmp(bytes, "\177ELF", 4)) return DRV_ELF;
    if (has_suffix(path, ".py")) return DRV_PY;
    if (has_suffix(path, ".c")) return DRV_C;
    if (has_suffix(path, ".s") || has_suffix(path, ".S")) return DRV_S;
    if (has_suffix(path, ".elf")) return DRV_ELF;
    if (has_suffix(path, ".mpy") || py_is_mpy(bytes, len)) return DRV_MPY;
    return looks_like_c(bytes, len) ? DRV_C : DRV_PY;
}

// "dir/nqueens.py" → "nqueens.mpy", the name under which the guest opens it.
static char *mpy_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    return xasprintf("%.*s.mpy", (int)(dot && dot > base ? dot - base : (long)strlen(base)), base);
}

static bool prepare_python(DrvSession *s, Err *err)
{
    const char *text = (const char *)s->source;
    const char *slash = strrchr(s->path, '/');
    if (s->kind == DRV_MPY) buf_add(&s->mpy, s->source, s->source_len);
    else if (!py_compile_for_machine(text, s->source_len, slash ? slash + 1 : s->path, &s->mpy, err)) return false;
    if (!py_mpy_check(s->mpy.at, s->mpy.len, s->path, err)) return false;
    s->module = py_module_open(s->mpy.at, s->mpy.len, err);
    return s->module && drv_build_vm(&s->o, &s->elf, s->hash, err);
}

static bool prepare_c(DrvSession *s, Err *err)
{
    CcSource source = {s->path, (const char *)s->source};
    if (memchr(s->source, 0, s->source_len))
        return err_at(err, CAPLAB_EX_DATA, (SrcPos){s->path, 0, 0}, NULL, "a NUL byte in program text");
    if (!drv_build_c(&s->o, &source, 1, &s->elf, err)) return false;
    drv_hash_elf(s->elf.at, s->elf.len, s->hash);
    return true;
}

static bool prepare(DrvSession *s, Err *err)
{
    s->kind = drv_find_kind(s->path, s->source, s->source_len);
    switch (s->kind) {
    case DRV_PY:
    case DRV_MPY: return prepare_python(s, err);
    case DRV_C:
    case DRV_S: return prepare_c(s, err);
    case DRV_ELF:
        buf_add(&s->elf, s->source, s->source_len);
        drv_hash_elf(s->elf.at, s->elf.len, s->hash);
        return true;
    }
    return false;
}

// A Python program runs as `vm.elf prog.mpy ARGS…`, exactly as the VM is started under another AArch64 Linux.
static bool load(DrvSession *s, const char *const *args, Err *err)
{
    const char *argv[MAX_ARGS + 3];
    u32 n = 0;
    bool is_python = s->module != NULL;
    char *name = is_python ? mpy_name(s->path) : NULL;
    if (is_python) {
        argv[n++] = "vm.elf";
        argv[n++] = name;
        mac_add_file(s->m, name, s->mpy.at, s->mpy.len);
    } else {
        argv[n++] = s->path;
    }
    u32 n_args = 0;
    for (; args && args[n_args] && n_args < MAX_ARGS; n_args++) argv[n++] = args[n_args];
    argv[n] = NULL;
    const char *const envp[] = {NULL};
    bool ok = args && args[n_args] ? err_set(err, CAPLAB_EX_USAGE, "more than %d program arguments", MAX_ARGS)
                                   : mac_load(s->m, s->elf.at, s->elf.len, is_python ? "vm.elf" : s->path,
                                              &(MacArgs){argv, envp}, err);
    free(name);
    if (!ok) return false;
    if (s->kind == DRV_ELF && s->o.abi_is_set && mac_abi(s->m) != s->o.abi) {
        static const char *const names[] = {"hybrid", "purecap"};
        return err_set(err, CAPLAB_EX_USAGE, "%s is built for %s, not for --abi %s", s->path, names[mac_abi(s->m)],
                       names[s->o.abi]);
    }
    s->o.abi = mac_abi(s->m);
    return true;
}

DrvSession *drv_open(const DrvOptions *o, const char *path, const char *const *args, Err *err)
{
    DrvSession *s = xalloc(sizeof *s);
    s->o = *o;
    s->path = xstrdup(path);
    s->source = drv_read_file(path, &s->source_len, err);
    bool ok = s->source && prepare(s, err);
    if (ok) {
        s->m = mac_new(&(MacConfig){.memory_bytes = o->memory_bytes, .seed = o->seed, .engine = o->engine, .ssbs = o->ssbs,
                                    .probes = o->probes});
        ok = load(s, args, err);
    }
    if (ok) return s;
    drv_close(s);
    return NULL;
}

void drv_close(DrvSession *s)
{
    if (!s) return;
    mac_free(s->m);
    if (s->module) py_module_free(s->module);
    buf_free(&s->mpy);
    buf_free(&s->elf);
    vec_free(&s->lines);
    free(s->source);
    free(s->path);
    free(s);
}

Machine *drv_machine(DrvSession *s) { return s->m; }
DrvKind drv_kind(const DrvSession *s) { return s->kind; }
PyModule *drv_module(DrvSession *s) { return s->module; }
const char *drv_path(const DrvSession *s) { return s->path; }
const Buf *drv_elf(const DrvSession *s) { return &s->elf; }
const Buf *drv_mpy(const DrvSession *s) { return &s->mpy; }
const DrvOptions *drv_options(const DrvSession *s) { return &s->o; }
const char *drv_guest_hash(const DrvSession *s) { return s->hash; }

const char *drv_source(const DrvSession *s, size_t *len)
{
    *len = s->source_len;
    return s->kind == DRV_PY || s->kind == DRV_C || s->kind == DRV_S ? (const char *)s->source : NULL;
}

// ---- running

EvStop drv_run(DrvSession *s, u64 budget)
{
    u64 limit = s->o.max_insns ? s->o.max_insns : ~0ULL, done = mac_insns(s->m);
    if (done >= limit) return EV_STOP_LIMIT;
    if (budget > limit - done) budget = limit - done;
    EvStop stop = mac_run(s->m, budget);
    return stop == EV_STOP_BUDGET && mac_insns(s->m) >= limit ? EV_STOP_LIMIT : stop;
}

static bool stop_at_dispatch(void *ctx, const EvProbe *p)
{
    (void)ctx;
    return !strcmp(p->name, "vm_dispatch");
}

EvStop drv_step_bytecode(DrvSession *s, u64 budget)
{
    mac_on_probe(s->m, stop_at_dispatch, NULL);
    EvStop stop = drv_run(s, budget);
    mac_on_probe(s->m, NULL, NULL);
    return stop;
}

bool drv_is_same_line(const DrvPlace *from, const DrvPlace *now, bool is_over)
{
    return (is_over && now->frame < from->frame) || (now->code == from->code && now->line == from->line);
}

EvStop drv_step_line(DrvSession *s, const DrvPlace *from, bool is_over, u64 budget)
{
    u64 end = mac_insns(s->m) + budget;
    EvStop stop = EV_STOP_BUDGET;
    mac_on_probe(s->m, stop_at_dispatch, NULL);
    for (u64 at; (at = mac_insns(s->m)) < end;) {
        DrvPlace now;
        stop = drv_run(s, end - at);
        if (stop != EV_STOP_PROBE || !from || !drv_place(s, &now) || !drv_is_same_line(from, &now, is_over)) break;
        stop = EV_STOP_BUDGET;
    }
    mac_on_probe(s->m, NULL, NULL);
    return stop;
}

bool drv_place(DrvSession *s, DrvPlace *out)
{
    SnapOpcodes ops;
    u32 index, offset;
    snap_opcodes(s->m, &ops);
    if (!s->module || !ops.is_in_bytecode || !snap_code(s->m, ops.ip, &index, &offset)) return false;
    if (index >= py_module_code_count(s->module)) return false;
    const PyCode *code = py_module_code(s->module, index);
    u32 lo = 0, hi = code->n_insns;
    while (hi - lo > 1) {
        u32 mid = lo + (hi - lo) / 2;
        if (code->insns[mid].offset <= offset) lo = mid;
        else hi = mid;
    }
    if (!code->n_insns) return false;
    *out = (DrvPlace){.code = code, .code_index = index, .insn_index = lo, .line = code->insns[lo].line,
                      .frame = dbg_get_cap(s->m, DBG_CSP).value};
    return true;
}
