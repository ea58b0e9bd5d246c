// linux_file.c: system calls about files. A file is its bytes: given by mac_add_file, or read whole from the host when it is opened, so an
// open file never changes and reading it again gives the same. Nothing can be written but standard output and error.
#include "base/bits.h"
#include "sim/linux.h"
#include "sim/machine_int.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_FILE = 256 << 20,     // host files larger than this answer EFBIG
    MAX_TRANSFER = 1 << 20,   // one call moves at most this much, as a pipe may
    OUTPUT_FULL = 256 << 10,  // stop the run and let the owner take the output
    CHUNK = 4096,
};

static LnxFd *fd_at(const LnxCall *c, u64 fd)
{
    return fd < LNX_MAX_FDS && c->l->fds[fd].kind != LNX_FD_CLOSED ? &c->l->fds[fd] : NULL;
}

// ---- output and input

// Bytes that were handed out in an earlier life of this machine (before time went back) are dropped.
static void emit(Linux *l, int fd, const u8 *bytes, size_t len)
{
    u64 old = l->output_total < l->output_delivered ? l->output_delivered - l->output_total : 0;
    l->output_total += len;
    if (old >= len) return;
    bytes += old, len -= old;
    l->output_delivered += len;
    if (!l->output.len || l->output.at[l->output.len - 1].fd != fd) vec_push(&l->output, (LnxOutput){.fd = fd});
    buf_add(&l->output.at[l->output.len - 1].bytes, bytes, len);
}

void mac_take_output(Machine *m, Buf *out, int *fd)
{
    Linux *l = &m->linux_;
    *fd = 0;
    if (!l->output.len) return;
    *fd = l->output.at[0].fd;
    buf_add(out, l->output.at[0].bytes.at, l->output.at[0].bytes.len);
    buf_free(&l->output.at[0].bytes);
    memmove(l->output.at, l->output.at + 1, (l->output.len - 1) * sizeof *l->output.at);
    l->output.len--;
}

void mac_add_input(Machine *m, const u8 *bytes, size_t len, bool eof)
{
    Linux *l = &m->linux_;
    if (l->input_pos == l->input.len) l->input.len = l->input_pos = 0;
    buf_add(&l->input, bytes, len);
    l->input_eof |= eof;
}

// Bytes [at, at+len) behind pointer argument i (through authority `auth`) go to an output.
static i64 write_from(LnxCall *c, const LnxFd *f, const Cap *auth, u64 addr, u64 len)
{
    if (f->kind != LNX_FD_OUTPUT) return -LNX_EBADF;
    if (len > MAX_TRANSFER) len = MAX_TRANSFER;
    if (len && mem_check_guest(c->m->mem, auth, addr, len, false) != MEM_OK) return -LNX_EFAULT;
    u8 chunk[CHUNK];
    for (u64 done = 0; done < len; done += CHUNK) {
        u64 n = len - done < CHUNK ? len - done : CHUNK;
        if (mem_read_guest(c->m->mem, auth, addr + done, chunk, n) != MEM_OK) return -LNX_EFAULT;
        emit(c->l, f->output_fd, chunk, n);
    }
    u64 waiting = 0;
    for (u32 i = 0; i < c->l->output.len; i++) waiting += c->l->output.at[i].bytes.len;
    if (waiting >= OUTPUT_FULL || c->l->output.len > 64) {
        c->cpu->stop = EV_STOP_OUTPUT;
        c->svc = CPU_SVC_STOP;
    }
    return (i64)len;
}

i64 lnx_sys_write(LnxCall *c)
{
    const LnxFd *f = fd_at(c, c->x[0]);
    return f ? write_from(c, f, lnx_auth(c, 1), c->x[1], c->x[2]) : -LNX_EBADF;
}

static i64 read_input(LnxCall *c, const Cap *auth, u64 addr, u64 len)
{
    Linux *l = c->l;
    JrnAnswer a;
    if (!jrn_take(&c->m->journal, JRN_INPUT, c->cpu->icount, &a)) {
        u64 have = l->input.len - l->input_pos;
        if (!have && !l->input_eof && len) {
            c->cpu->stop = EV_STOP_INPUT;
            c->svc = CPU_SVC_RETRY;
            return 0;
        }
        if (len > have) len = have;
        if (len && mem_check_guest(c->m->mem, auth, addr, len, true) != MEM_OK) return -LNX_EFAULT;
        a = jrn_add(&c->m->journal, JRN_INPUT, c->cpu->icount, (i64)len, l->input.at + l->input_pos, len);
        l->input_pos += len;
    }
    return mem_write_guest(c->m->mem, auth, addr, a.bytes, a.len) == MEM_OK ? a.result : -LNX_EFAULT;
}

static i64 read_file(LnxCall *c, const LnxFd *f, const Cap *auth, u64 addr, u64 len, u64 pos)
{
    const LnxNode *n = &c->l->nodes.at[f->node];
    u64 have = pos < n->len ? n->len - pos : 0;
    if (len > have) len = have;
    if (!len) return 0;
    return mem_write_guest(c->m->mem, auth, addr, n->bytes + pos, len) == MEM_OK ? (i64)len : -LNX_EFAULT;
}

static i64 read_to(LnxCall *c, LnxFd *f, const Cap *auth, u64 addr, u64 len)
{
    if (len > MAX_TRANSFER) len = MAX_TRANSFER;
    if (f->kind == LNX_FD_INPUT) return read_input(c, auth, addr, len);
    if (f->kind != LNX_FD_FILE) return -LNX_EBADF;
    i64 n = read_file(c, f, auth, addr, len, f->pos);
    if (n > 0) f->pos += (u64)n;
    return n;
}

i64 lnx_sys_read(LnxCall *c)
{
    LnxFd *f = fd_at(c, c->x[0]);
    return f ? read_to(c, f, lnx_auth(c, 1), c->x[1], c->x[2]) : -LNX_EBADF;
}

i64 lnx_sys_pread64(LnxCall *c)
{
    const LnxFd *f = fd_at(c, c->x[0]);
    if (!f) return -LNX_EBADF;
    if (f->kind != LNX_FD_FILE) return -LNX_ESPIPE;
    return read_file(c, f, lnx_auth(c, 1), c->x[1], c->x[2] < MAX_TRANSFER ? c->x[2] : MAX_TRANSFER, c->x[3]);
}

// One element of an iovec: {pointer, u64 length}; in purecap the pointer is a capability and the element 32 bytes.
static int read_iovec(const LnxCall *c, u64 i, Cap *base, u64 *len)
{
    u64 size = c->l->is_purecap ? 32 : 16;
    if (lnx_read(c, 1, i * size + size / 2, len, 8)) return LNX_EFAULT;
    if (!c->l->is_purecap) {
        *base = (Cap){0};
        return lnx_read(c, 1, i * size, &base->value, 8);
    }
    u64 at = c->x[1] + i * size;
    if (at % 16 || mem_check_guest(c->m->mem, lnx_auth(c, 1), at, 16, false) != MEM_OK) return LNX_EFAULT;
    if (!mem_read_cap(c->m->mem, at, base)) return LNX_EFAULT;
    if (!(cap_perms(c->c[1]) & CAP_PERM_LOAD_CAP)) base->tag = false;
    return 0;
}

static i64 each_iovec(LnxCall *c, i64 (*one)(LnxCall *, LnxFd *, const Cap *, u64, u64))
{
    LnxFd *f = fd_at(c, c->x[0]);
    if (!f) return -LNX_EBADF;
    if (c->x[2] > 1024) return -LNX_EINVAL;
    i64 total = 0;
    for (u64 i = 0; i < c->x[2]; i++) {
        Cap base;
        u64 len;
        if (read_iovec(c, i, &base, &len)) return total ? total : -LNX_EFAULT;
        if (!len) continue;
        // A second wait for input would throw away what the first element got.
        if (total && f->kind == LNX_FD_INPUT) break;
        i64 n = one(c, f, c->l->is_purecap ? &base : NULL, base.value, len);
        if (c->svc == CPU_SVC_RETRY) return 0;
        if (n < 0) return total ? total : n;
        total += n;
        if ((u64)n < len) break;
    }
    return total;
}

static i64 write_one(LnxCall *c, LnxFd *f, const Cap *auth, u64 addr, u64 len) { return write_from(c, f, auth, addr, len); }
i64 lnx_sys_writev(LnxCall *c) { return each_iovec(c, write_one); }
i64 lnx_sys_readv(LnxCall *c) { return each_iovec(c, read_to); }

// ---- names

static i64 find_node(const Linux *l, const char *name)
{
    while (name[0] == '.' && name[1] == '/') name += 2;
    for (u32 i = 0; i < l->nodes.len; i++)
        if (!l->nodes.at[i].is_host && !strcmp(l->nodes.at[i].name, name)) return i;
    return -1;
}

void mac_add_file(Machine *m, const char *name, const u8 *bytes, size_t len)
{
    LnxNode n = {.name = xstrdup(name), .bytes = xalloc(len), .len = len};
    if (len) memcpy(n.bytes, bytes, len);
    vec_push(&m->linux_.nodes, n);
}

void mac_set_root(Machine *m, const char *host_dir)
{
    free(m->linux_.root);
    m->linux_.root = host_dir ? realpath(host_dir, NULL) : NULL;
}

// Reads the regular file `name` below the root. Links may not lead out of it. Returns 0 or an error number.
static int read_host_file(const Linux *l, const char *name, Buf *out)
{
    if (!l->root) return LNX_ENOENT;
    char *joined = xasprintf("%s/%s", l->root, name);
    char *real = realpath(joined, NULL);
    free(joined);
    size_t root_len = strlen(l->root);
    bool is_inside = real && !strncmp(real, l->root, root_len) && (real[root_len] == '/' || root_len == 1);
    int fd = is_inside ? open(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) : -1;
    int error = !real || !is_inside ? LNX_ENOENT : errno == EACCES ? LNX_EACCES : LNX_ENOENT;
    free(real);
    if (fd < 0) return error;
    struct stat st;
    error = fstat(fd, &st) != 0 ? LNX_EIO : S_ISDIR(st.st_mode) ? LNX_EISDIR : !S_ISREG(st.st_mode) ? LNX_EACCES : 0;
    u8 chunk[CHUNK];
    for (ssize_t n = 1; !error && n > 0;) {
        n = read(fd, chunk, sizeof chunk);
        if (n < 0) error = LNX_EIO;
        else buf_add(out, chunk, (size_t)n);
        if (out->len > MAX_FILE) error = LNX_EFBIG;
    }
    close(fd);
    return error;
}

static i64 open_host_node(LnxCall *c, const char *name)
{
    JrnAnswer a;
    if (!jrn_take(&c->m->journal, JRN_OPEN, c->cpu->icount, &a)) {
        Buf bytes = {0};
        int error = read_host_file(c->l, name, &bytes);
        a = jrn_add(&c->m->journal, JRN_OPEN, c->cpu->icount, -error, bytes.at, error ? 0 : bytes.len);
        buf_free(&bytes);
    }
    if (a.result < 0) return a.result;
    LnxNode n = {.name = xstrdup(name), .bytes = xalloc(a.len), .len = a.len, .is_host = true};
    if (a.len) memcpy(n.bytes, a.bytes, a.len);
    vec_push(&c->l->nodes, n);
    return c->l->nodes.len - 1;
}

static i64 node_by_path(LnxCall *c, u32 path_argument)
{
    char path[PATH_MAX];
    int error = lnx_read_path(c, path_argument, path, sizeof path);
    if (error) return -error;
    i64 node = find_node(c->l, path);
    return node >= 0 ? node : open_host_node(c, path);
}

i64 lnx_sys_openat(LnxCall *c)
{
    u32 fd = 0;
    while (fd < LNX_MAX_FDS && c->l->fds[fd].kind != LNX_FD_CLOSED) fd++;
    if (fd == LNX_MAX_FDS) return -LNX_EMFILE;
    if (c->x[2] & 3) return -LNX_EROFS; // not O_RDONLY
    i64 node = node_by_path(c, 1);
    if (node < 0) return node;
    c->l->fds[fd] = (LnxFd){.kind = LNX_FD_FILE, .node = (u32)node};
    return fd;
}

i64 lnx_sys_close(LnxCall *c)
{
    LnxFd *f = fd_at(c, c->x[0]);
    if (!f) return -LNX_EBADF;
    *f = (LnxFd){0};
    return 0;
}

i64 lnx_sys_lseek(LnxCall *c)
{
    LnxFd *f = fd_at(c, c->x[0]);
    if (!f) return -LNX_EBADF;
    if (f->kind != LNX_FD_FILE) return -LNX_ESPIPE;
    u64 from = c->x[2] == 0 ? 0 : c->x[2] == 1 ? f->pos : c->l->nodes.at[f->node].len;
    i64 pos = (i64)(from + c->x[1]);
    if (c->x[2] > 2 || pos < 0) return -LNX_EINVAL;
    f->pos = (u64)pos;
    return pos;
}

static i64 write_stat(const LnxCall *c, u32 argument, u32 mode, u64 inode, u64 size)
{
    u8 st[128] = {0}; // struct stat of Linux/AArch64
    bits_store(st + 8, inode, 8);
    bits_store(st + 16, mode, 4);
    bits_store(st + 20, 1, 4);
    bits_store(st + 48, size, 8);
    bits_store(st + 56, 4096, 4);
    bits_store(st + 64, (size + 511) / 512, 8);
    return -lnx_write(c, argument, 0, st, sizeof st);
}

// Descriptors 0 to 2 look like pipes, so that a libc's buffering does not depend on where the host's output goes.
i64 lnx_sys_fstat(LnxCall *c)
{
    const LnxFd *f = fd_at(c, c->x[0]);
    if (!f) return -LNX_EBADF;
    if (f->kind != LNX_FD_FILE) return write_stat(c, 1, 0010600, c->x[0] + 1, 0);
    return write_stat(c, 1, 0100444, f->node + 16, c->l->nodes.at[f->node].len);
}

i64 lnx_sys_newfstatat(LnxCall *c)
{
    enum { AT_EMPTY_PATH_FLAG = 0x1000 };
    char first;
    if (lnx_read(c, 1, 0, &first, 1)) return -LNX_EFAULT;
    if (!first && (c->x[3] & AT_EMPTY_PATH_FLAG)) {
        const LnxFd *f = fd_at(c, c->x[0]);
        if (!f) return -LNX_EBADF;
        if (f->kind != LNX_FD_FILE) return write_stat(c, 2, 0010600, c->x[0] + 1, 0);
        return write_stat(c, 2, 0100444, f->node + 16, c->l->nodes.at[f->node].len);
    }
    i64 node = node_by_path(c, 1);
    if (node < 0) return node;
    return write_stat(c, 2, 0100444, (u64)node + 16, c->l->nodes.at[node].len);
}

i64 lnx_sys_faccessat(LnxCall *c)
{
    if (c->x[2] & 2) return -LNX_EROFS; // W_OK
    i64 node = node_by_path(c, 1);
    return node < 0 ? node : 0;
}

i64 lnx_sys_readlinkat(LnxCall *c)
{
    char path[PATH_MAX];
    int error = lnx_read_path(c, 1, path, sizeof path);
    if (error) return -error;
    if (strcmp(path, "/proc/self/exe") != 0) return -LNX_EINVAL;
    size_t len = strlen(c->l->exe_name);
    if (len > c->x[3]) len = c->x[3];
    return lnx_write(c, 2, 0, c->l->exe_name, len) ? -LNX_EFAULT : (i64)len;
}

i64 lnx_sys_ioctl(LnxCall *c) { return fd_at(c, c->x[0]) ? -LNX_ENOTTY : -LNX_EBADF; }

i64 lnx_sys_fcntl(LnxCall *c)
{
    enum { GETFD = 1, SETFD = 2, GETFL = 3, SETFL = 4 };
    const LnxFd *f = fd_at(c, c->x[0]);
    if (!f) return -LNX_EBADF;
    switch (c->x[1]) {
    case GETFD:
    case SETFD:
    case SETFL: return 0;
    case GETFL: return f->kind == LNX_FD_OUTPUT; // O_WRONLY or O_RDONLY
    default: return -LNX_EINVAL;
    }
}
