// Whole programs: compiled by the compiler, run by the host build of the Python machine, compared with what python3 prints.
#include "vm/py/py.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_ARGS = 8, TIME_LIMIT_S = 120 };

typedef struct Run {
    int status; // exit status, or -signal
    Buf out, err;
} Run;

static void read_into(const char *path, Buf *b)
{
    size_t n;
    u8 *text = base_read_file(path, &n);
    cr_assert(text != NULL, "%s", path);
    buf_add(b, text, n);
    free(text);
}

// Runs the machine on a .mpy file; args: words separated by blanks.
static void run_machine(const char *mpy, const char *args, Run *r)
{
    char words[256], out[] = "/tmp/vm_py_out_XXXXXX", err[] = "/tmp/vm_py_err_XXXXXX";
    snprintf(words, sizeof words, "%s", args);
    char *argv[MAX_ARGS] = {VM_HOST_EXE, (char *)mpy};
    u32 n = 2;
    for (char *w = strtok(words, " "); w && n + 1 < MAX_ARGS; w = strtok(NULL, " ")) argv[n++] = w;
    int out_fd = mkstemp(out), err_fd = mkstemp(err);
    cr_assert(out_fd >= 0 && err_fd >= 0);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(TIME_LIMIT_S);
        dup2(out_fd, 1);
        dup2(err_fd, 2);
        execv(argv[0], argv);
        _exit(127);
    }
    int status;
    waitpid(pid, &status, 0);
    r->status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    close(out_fd);
    close(err_fd);
    read_into(out, &r->out);
    read_into(err, &r->err);
    unlink(out);
    unlink(err);
}

static void run_source(const char *path, const char *args, Run *r)
{
    Buf source = {0}, mpy = {0};
    Err err = {0};
    read_into(path, &source);
    const char *slash = strrchr(path, '/');
    bool ok = py_compile((char *)source.at, source.len, slash + 1, &mpy, &err);
    if (!ok) err_print(&err, stderr);
    cr_assert(ok, "%s does not compile", path);
    cr_assert(py_mpy_check(mpy.at, mpy.len, path, &err), "%s: %s", path, err.text);
    char file[] = "/tmp/vm_py_mpy_XXXXXX";
    int fd = mkstemp(file);
    cr_assert(fd >= 0 && write(fd, mpy.at, mpy.len) == (ssize_t)mpy.len);
    close(fd);
    run_machine(file, args, r);
    unlink(file);
    buf_free(&source);
    buf_free(&mpy);
}

static void expect_text(const Buf *got, const char *path, const char *program)
{
    Buf want = {0};
    if (access(path, R_OK) == 0) read_into(path, &want);
    cr_expect(got->len == want.len && !memcmp(buf_text(got), buf_text(&want), want.len), "%s printed\n%s\nwant\n%s", program,
              buf_text(got), buf_text(&want));
    buf_free(&want);
}

// "# key: value" in the source, or other.
static void header_value(const char *path, const char *key, const char *other, char value[128])
{
    Buf source = {0};
    read_into(path, &source);
    snprintf(value, 128, "%s", other);
    const char *at = strstr(buf_text(&source), key);
    if (at) snprintf(value, 128, "%.*s", (int)strcspn(at + strlen(key), "\n"), at + strlen(key));
    buf_free(&source);
}

Test(py_programs, language)
{
    glob_t g;
    cr_assert(glob(CAPLAB_SOURCE_DIR "/tests/guest/py/*.py", 0, NULL, &g) == 0);
    for (size_t i = 0; i < g.gl_pathc; i++) {
        const char *path = g.gl_pathv[i];
        char exp[512], err[512], args[128], status[128];
        snprintf(exp, sizeof exp, "%.*s.exp", (int)(strlen(path) - 3), path);
        snprintf(err, sizeof err, "%.*s.err", (int)(strlen(path) - 3), path);
        header_value(path, "# args: ", "", args);
        header_value(path, "# status: ", access(err, R_OK) == 0 ? "1" : "0", status);
        Run r = {0};
        run_source(path, args, &r);
        cr_expect(eq(int, r.status, atoi(status)), "%s: %s", path, buf_text(&r.err));
        expect_text(&r.out, exp, path);
        expect_text(&r.err, err, path);
        buf_free(&r.out);
        buf_free(&r.err);
    }
    cr_expect(gt(sz, g.gl_pathc, 50));
    globfree(&g);
}

Test(py_programs, benchmarks)
{
    static const struct {
        const char *name, *size;
    } rows[] = {{"fannkuch", "7"}, {"nqueens", "6"}, {"pystone", "50"}, {"pi", "50"}, {"slices", "20"}};
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        char path[512], exp[512];
        snprintf(path, sizeof path, "%s/bench/py/%s.py", CAPLAB_SOURCE_DIR, rows[i].name);
        snprintf(exp, sizeof exp, "%s/tests/guest/bench/%s-%s.exp", CAPLAB_SOURCE_DIR, rows[i].name, rows[i].size);
        Run r = {0};
        run_source(path, rows[i].size, &r);
        cr_expect(eq(int, r.status, 0), "%s: %s", path, buf_text(&r.err));
        expect_text(&r.out, exp, path);
        buf_free(&r.out);
        buf_free(&r.err);
    }
}
