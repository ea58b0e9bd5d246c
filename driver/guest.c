// guest.c: builds guest programs with cc: the Python machine for the knobs of a run, or one C or assembler file.
//
// Knobs are compile-time constants of the guest, so every run compiles it: the sources are built into the program (or lie in
// --guest-dir), and the hash of the ELF tells two builds apart.
#include "driver/guest.h"
#include "base/arena.h"
#include "base/embed.h"
#include "driver/files.h"
#include "driver/options.h"
#include <stdio.h>
#include <stdlib.h>

extern const EmbedFile vm_guest_files[];
extern const u32 vm_guest_files_count;

// Where #include and the list of sources look: embedded, or a folder of the host.
typedef struct Finder {
    const char *dir; // NULL = embedded
    Arena arena;
    VEC(CcSource *) found;
} Finder;

static const CcSource *find_guest_file(Finder *f, const char *name)
{
    for (u32 i = 0; i < f->found.len; i++)
        if (!strcmp(f->found.at[i]->name, name)) return f->found.at[i];
    const char *text = NULL;
    bool is_shared = !strncmp(name, "vm/py/", 6); // lists that the host's side uses too: never from --guest-dir
    if (f->dir && !is_shared) {
        size_t len;
        u8 *bytes = base_read_file(arena_printf(&f->arena, "%s/%s", f->dir, name), &len);
        if (bytes) text = arena_strndup(&f->arena, (const char *)bytes, len);
        free(bytes);
    } else {
        for (u32 i = 0; i < vm_guest_files_count; i++)
            if (!strcmp(vm_guest_files[i].name, name)) text = vm_guest_files[i].text;
    }
    if (!text) return NULL;
    CcSource *s = arena_new(&f->arena, CcSource);
    *s = (CcSource){arena_strndup(&f->arena, name, strlen(name)), text};
    vec_push(&f->found, s);
    return s;
}

static const CcSource *find_vm_include(void *ctx, const char *name, bool is_system, const char *from)
{
    (void)from;
    const CcSource *s = is_system ? NULL : find_guest_file(ctx, name);
    return s ? s : cc_lib_find(name);
}

// FNV-1a, 64 bits, in hex.
static void hash_text(const Buf *elf, char hash[17])
{
    u64 h = 0xCBF29CE484222325;
    for (size_t i = 0; i < elf->len; i++) h = (h ^ elf->at[i]) * 0x100000001B3;
    for (u32 i = 0; i < 16; i++) hash[i] = "0123456789abcdef"[h >> (60 - 4 * i) & 15];
    hash[16] = 0;
}

void drv_hash_elf(const u8 *elf, size_t len, char hash[17])
{
    Buf b = {.at = (u8 *)(uintptr_t)elf, .len = len};
    hash_text(&b, hash);
}

CcProfile drv_profile(const DrvOptions *o)
{
    return !strcmp(drv_knob_value(o, DRV_KNOB_CC_PROFILE), "llvm-morello") ? CC_LLVM_MORELLO : CC_IDEAL;
}

// The knobs as -D defines of vm/guest/vmconfig.h.
static const char *const *vm_defines(const DrvOptions *o, Arena *a)
{
    const char **d = arena_array(a, const char *, DRV_KNOB_COUNT + 1);
    u32 n = 0;
    d[n++] = arena_printf(a, "VM_HEAP_BYTES=%llu", (unsigned long long)drv_knob_number(o, DRV_KNOB_HEAP_BYTES));
    if (!strcmp(drv_knob_value(o, DRV_KNOB_BLOCK_RULE), "word")) d[n++] = "VM_BLOCK_RULE_WORD=1";
    if (drv_knob_value(o, DRV_KNOB_BLOCK_BYTES)[0])
        d[n++] = arena_printf(a, "VM_BLOCK_BYTES=%llu", (unsigned long long)drv_knob_number(o, DRV_KNOB_BLOCK_BYTES));
    if (!strcmp(drv_knob_value(o, DRV_KNOB_FRAME_RULE), "word")) d[n++] = "VM_FRAME_RULE_WORD=1";
    d[n++] = arena_printf(a, "VM_FRAME_LIMIT_SLOTS=%llu", (unsigned long long)drv_knob_number(o, DRV_KNOB_FRAME_LIMIT));
    return d;
}

typedef VEC(CcSource) Sources;

static void add_library(Sources *v, CcAbi abi)
{
    CcSource lib[CC_LIB_MAX];
    u32 n = cc_lib_sources(abi, lib, CC_LIB_MAX);
    for (u32 i = 0; i < n; i++) vec_push(v, lib[i]);
}

// The sources of the machine: lines GUEST_SOURCE(WHEN, "name") of guest.def, WHEN = BOTH, HYBRID or PURECAP.
static bool list_sources(Finder *f, CcAbi abi, Sources *v, Err *err)
{
    const CcSource *list = find_guest_file(f, "guest.def");
    if (!list) return err_set(err, CAPLAB_EX_NOINPUT, "no guest.def in %s", f->dir ? f->dir : "the embedded sources");
    for (const char *line = list->text; line; line = strchr(line, '\n')) {
        char when[16], name[64];
        line += *line == '\n';
        if (sscanf(line, "GUEST_SOURCE(%15[A-Z], \"%63[^\"\n]\")", when, name) != 2) continue;
        if (strcmp(when, "BOTH") != 0 && !strcmp(when, "PURECAP") != (abi == CC_PURECAP)) continue;
        const CcSource *s = find_guest_file(f, name);
        if (!s) return err_set(err, CAPLAB_EX_NOINPUT, "guest source %s is missing", name);
        vec_push(v, *s);
    }
    return true;
}

bool drv_build_vm(const DrvOptions *o, Buf *elf, char hash[17], Err *err)
{
    Finder f = {.dir = o->guest_dir};
    Sources sources = {0};
    CcOptions opt = {.abi = o->abi == MAC_PURECAP ? CC_PURECAP : CC_HYBRID,
                     .profile = drv_profile(o),
                     .no_probes = o->no_guest_probes,
                     .opt_level = 2,
                     .defines = vm_defines(o, &f.arena),
                     .find_include = find_vm_include,
                     .ctx = &f};
    add_library(&sources, opt.abi);
    bool ok = list_sources(&f, opt.abi, &sources, err) && cc_build(sources.at, sources.len, &opt, elf, err);
    if (ok) hash_text(elf, hash);
    vec_free(&sources);
    vec_free(&f.found);
    arena_free(&f.arena);
    return ok;
}

// ---- programs of the user

// A program may use parts of the Python machine by including their headers ("gc.h"); it is then linked with its sources.
typedef struct UserFinder {
    Arena arena;
    VEC(CcSource *) found;
    VEC(const char *) dirs; // -I, in order
    Finder guest;
    bool uses_guest;
    void (*warn)(const Err *warning);
} UserFinder;

static void pass_warning(void *finder, const Err *warning) { ((UserFinder *)finder)->warn(warning); }

static const CcSource *read_include(UserFinder *f, char *path)
{
    for (u32 i = 0; i < f->found.len; i++)
        if (!strcmp(f->found.at[i]->name, path)) return f->found.at[i];
    size_t len;
    u8 *bytes = base_read_file(path, &len);
    if (!bytes) return NULL;
    CcSource *s = arena_new(&f->arena, CcSource);
    *s = (CcSource){path, arena_strndup(&f->arena, (const char *)bytes, len)};
    free(bytes);
    vec_push(&f->found, s);
    return s;
}

// "name.h" beside the including file, then the -I folders, then the guest library.
static const CcSource *find_user_include(void *ctx, const char *name, bool is_system, const char *from)
{
    UserFinder *f = ctx;
    const CcSource *s = NULL;
    if (from && find_guest_file(&f->guest, from)) return find_vm_include(&f->guest, name, is_system, from);
    if (name[0] == '/') return is_system ? NULL : read_include(f, arena_printf(&f->arena, "%s", name));
    if (!is_system) {
        const char *slash = from ? strrchr(from, '/') : NULL;
        s = read_include(f, arena_printf(&f->arena, "%.*s%s", slash ? (int)(slash + 1 - from) : 0, from ? from : "", name));
    }
    for (u32 i = 0; !s && i < f->dirs.len; i++) s = read_include(f, arena_printf(&f->arena, "%s/%s", f->dirs.at[i], name));
    if (s || (s = cc_lib_find(name))) return s;
    s = is_system ? NULL : find_guest_file(&f->guest, name);
    if (s) f->uses_guest = true;
    return s;
}

void drv_finder_add_dir(void *finder, const char *dir)
{
    UserFinder *f = finder;
    vec_push(&f->dirs, dir);
}

void *drv_finder_new(void) { return xalloc(sizeof(UserFinder)); }

void drv_finder_free(void *finder)
{
    UserFinder *f = finder;
    vec_free(&f->found);
    vec_free(&f->dirs);
    vec_free(&f->guest.found);
    arena_free(&f->guest.arena);
    arena_free(&f->arena);
    free(f);
}

void drv_finder_use(void *finder, CcOptions *opt)
{
    opt->find_include = find_user_include;
    opt->ctx = finder;
}

// The machine's sources without its main.
static bool add_guest(UserFinder *f, CcAbi abi, Sources *v, Err *err)
{
    Sources guest = {0};
    bool ok = list_sources(&f->guest, abi, &guest, err);
    for (u32 i = 0; i < guest.len; i++)
        if (strcmp(guest.at[i].name, "main.c") != 0) vec_push(v, guest.at[i]);
    vec_free(&guest);
    return ok;
}

bool drv_link_c(const CcSource *sources, u32 n, const CcOptions *opt, Buf *elf, Err *err)
{
    UserFinder *f = opt->ctx;
    Sources all = {0};
    add_library(&all, opt->abi);
    for (u32 i = 0; i < n; i++) vec_push(&all, sources[i]);
    bool ok = cc_build(all.at, all.len, opt, elf, err);
    if (f->uses_guest && !ok) { // found out on the way: link again with what it needs
        *err = (Err){0};
        elf->len = 0;
        CcOptions again = *opt;
        again.warn = NULL; // said already
        ok = add_guest(f, opt->abi, &all, err) && cc_build(all.at, all.len, &again, elf, err);
    }
    vec_free(&all);
    return ok;
}

bool drv_build_c(const DrvOptions *o, const CcSource *sources, u32 n, Buf *elf, Err *err)
{
    UserFinder *finder = drv_finder_new();
    CcOptions opt = {.abi = o->abi == MAC_PURECAP ? CC_PURECAP : CC_HYBRID,
                     .profile = drv_profile(o),
                     .no_probes = o->no_guest_probes,
                     .opt_level = 2,
                     .defines = vm_defines(o, &finder->arena)};
    drv_finder_use(finder, &opt);
    finder->warn = o->warn;
    if (o->warn) opt.warn = pass_warning;
    bool ok = drv_link_c(sources, n, &opt, elf, err);
    drv_finder_free(finder);
    return ok;
}
