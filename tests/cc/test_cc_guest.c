// test_cc_guest.c: the programs of tests/guest/c, compiled in both ABIs and run on the machine with both engines.
//
// A program says in comments what it must do:
//     // expect: TEXT          the next line of its output (also of the same program built by another compiler)
//     // expect-hybrid: TEXT   the next line in hybrid only
//     // purecap-fault: KIND   in purecap it ends with this fault, not with exit status 0
//     // only: guest | purecap  it is not for other compilers | for hybrid
#include "cc/cc.h"
#include "sim/machine.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const CcSource *find(void *ctx, const char *name, bool is_system, const char *from)
{
    (void)ctx, (void)is_system, (void)from;
    return cc_lib_find(name);
}

static bool build(const char *name, const char *text, CcAbi abi, int opt_level, Buf *elf, Err *err)
{
    CcSource sources[64];
    u32 n = cc_lib_sources(abi, sources, ARRAY_LEN(sources) - 1);
    sources[n++] = (CcSource){name, text};
    CcOptions opt = {.abi = abi, .opt_level = opt_level, .find_include = find};
    return cc_build(sources, n, &opt, elf, err);
}

// The text behind every comment line that starts with `key`.
static char *collect(const char *text, const char *key, const char *other_key)
{
    Buf b = {0};
    for (const char *p = text; p; p = strchr(p, '\n')) {
        p += *p == '\n';
        const char *k = strncmp(p, key, strlen(key)) == 0 ? key : other_key && strncmp(p, other_key, strlen(other_key)) == 0 ? other_key : NULL;
        if (k) buf_printf(&b, "%.*s\n", (int)strcspn(p + strlen(k), "\n"), p + strlen(k));
    }
    char *result = xstrndup(buf_text(&b), b.len);
    buf_free(&b);
    return result;
}

static const char *fault_text(EvFaultKind kind)
{
    static const char *const texts[] = {
#define X(name, text, code) text,
        EV_FAULTS(X)
#undef X
    };
    return texts[kind];
}

static void run(const char *name, const Buf *elf, const char *want, const char *fault, MacEngine engine, const char *what)
{
    MacConfig cfg = {.engine = engine};
    Machine *m = mac_new(&cfg);
    Err err = {0};
    const char *argv[] = {name, NULL};
    MacArgs args = {argv, NULL};
    cr_assert(mac_load(m, elf->at, elf->len, name, &args, &err), "%s: %s", name, err.text);
    EvStop stop = mac_run(m, 500u * 1000 * 1000);
    Buf out = {0}, all = {0};
    for (int fd;; out.len = 0) {
        mac_take_output(m, &out, &fd);
        if (!fd) break;
        buf_add(&all, out.at, out.len);
    }
    cr_expect(eq(str, (char *)buf_text(&all), (char *)want), "output of %s, %s", name, what);
    if (*fault && stop == EV_STOP_FAULT) {
        char *got = xasprintf("%s\n", fault_text(mac_fault(m)->kind));
        cr_expect(eq(str, got, (char *)fault), "fault of %s, %s", name, what);
        free(got);
    } else {
        cr_expect(not(fault[0]), "%s should fault, %s", name, what);
        cr_expect(stop == EV_STOP_EXIT && mac_exit_status(m) == 0, "end of %s, %s: stop %d", name, what, stop);
    }
    buf_free(&out);
    buf_free(&all);
    mac_free(m);
}

static void check(const char *name, const char *text, CcAbi abi, int opt_level)
{
    char *what = xasprintf("%s -O%d", abi == CC_PURECAP ? "purecap" : "hybrid", opt_level);
    Buf elf = {0};
    Err err = {0};
    bool ok = build(name, text, abi, opt_level, &elf, &err);
    cr_expect(ok, "%s, %s: %s:%u: %s", name, what, err.file, err.line, err.text);
    char *want = collect(text, "// expect: ", abi == CC_HYBRID ? "// expect-hybrid: " : NULL);
    char *fault = abi == CC_PURECAP ? collect(text, "// purecap-fault: ", NULL) : xstrdup("");
    if (ok) run(name, &elf, want, fault, MAC_ENGINE_FAST, what);
    if (ok && opt_level) run(name, &elf, want, fault, MAC_ENGINE_LOOP, what);
    free(want), free(fault), free(what);
    buf_free(&elf);
}

Test(cc_guest, programs)
{
    DIR *d = opendir(CAPLAB_SOURCE_DIR "/tests/guest/c");
    cr_assert(d != NULL);
    u32 n = 0;
    for (struct dirent *e; (e = readdir(d));) {
        size_t len = strlen(e->d_name), size;
        if (len < 3 || strcmp(e->d_name + len - 2, ".c") != 0) continue;
        char *path = xasprintf(CAPLAB_SOURCE_DIR "/tests/guest/c/%s", e->d_name);
        char *text = (char *)base_read_file(path, &size);
        cr_assert(text != NULL);
        for (int opt_level = 0; opt_level <= 2; opt_level += 2) {
            if (!strstr(text, "// only: purecap")) check(e->d_name, text, CC_HYBRID, opt_level);
            check(e->d_name, text, CC_PURECAP, opt_level);
        }
        free(path), free(text);
        n++;
    }
    closedir(d);
    cr_expect(n >= 20, "only %u programs", n);
}

// The expectations are what another compiler says, too: every portable program, built by aarch64 gcc and run by qemu, or by the host's.
static bool run_elsewhere(const char *compile, const char *exec, const char *path, char **out)
{
    char *cmd = xasprintf("%s %s -o /tmp/caplab-guest-%d 2>/dev/null && %s /tmp/caplab-guest-%d", compile, path, (int)getpid(), exec, (int)getpid());
    FILE *p = popen(cmd, "r");
    Buf b = {0};
    char chunk[4096];
    for (size_t n; p && (n = fread(chunk, 1, sizeof chunk, p)) > 0;) buf_add(&b, chunk, n);
    bool ok = p && pclose(p) == 0;
    *out = xstrndup(buf_text(&b), b.len);
    buf_free(&b);
    free(cmd);
    cmd = xasprintf("/tmp/caplab-guest-%d", (int)getpid());
    remove(cmd);
    free(cmd);
    return ok;
}

Test(cc_guest, other_compilers_agree)
{
    static const char *const compilers[][2] = {{"gcc -w -O1 -funsigned-char", ""}, {"aarch64-linux-gnu-gcc -w -O1 -static", "qemu-aarch64"}};
    for (size_t c = 0; c < ARRAY_LEN(compilers); c++) {
        char *probe = xasprintf("command -v %.*s >/dev/null", (int)strcspn(compilers[c][0], " "), compilers[c][0]);
        bool exists = system(probe) == 0;
        free(probe);
        DIR *d = opendir(CAPLAB_SOURCE_DIR "/tests/guest/c");
        for (struct dirent *e; exists && (e = readdir(d));) {
            if (!strstr(e->d_name, ".c")) continue;
            char *path = xasprintf(CAPLAB_SOURCE_DIR "/tests/guest/c/%s", e->d_name), *out;
            size_t size;
            char *text = (char *)base_read_file(path, &size);
            if (!strstr(text, "// only:") && !strstr(text, "// purecap-fault:")) {
                char *want = collect(text, "// expect: ", NULL);
                cr_expect(run_elsewhere(compilers[c][0], compilers[c][1], path, &out), "%s: %s", compilers[c][0], e->d_name);
                cr_expect(eq(str, out, want), "%s: %s", compilers[c][0], e->d_name);
                free(want), free(out);
            }
            free(path), free(text);
        }
        closedir(d);
    }
}
