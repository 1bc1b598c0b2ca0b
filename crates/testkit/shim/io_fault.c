/*
 * Fails or records the file calls of an unmodified program, at the libc boundary.
 *
 * The fault tests compile it into a shared object and start the writer with it in LD_PRELOAD. It
 * owns which call fails and how; what the program must do then is the tests' business. Only files
 * under one directory are touched, so that the journals of the test itself stay intact.
 *
 *   MONOTABLE_IO_DIR      the directory, without links and without a slash at the end
 *   MONOTABLE_IO_CALLS    which calls may fail: any of write,sync,truncate,create,open,rename,read,
 *                         pread,unlink,mkdir, where create is an open that may make the file
 *   MONOTABLE_IO_NTH      which of those calls fails, from 1; 0 or unset: none
 *   MONOTABLE_IO_FAULT    eio, enospc, kill: the process ends as by kill -9 before the call, or short: half of a
 *                         write is written, and that is said
 *   MONOTABLE_IO_UNTIL    once, or exit: every such call after it fails too (after a short write
 *                         with ENOSPC, as on a disk that has filled up)
 *   MONOTABLE_IO_REPORT   a file that gets a line for each failed call, and how many calls there
 *                         were of each sort when the program ends in an orderly way
 *   MONOTABLE_IO_LOG      a file that gets every change in order with its bytes, for crash images
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE, SYNC, TRUNCATE, CREATE, OPEN, RENAME, READ, PREAD, UNLINK, MKDIR, CALLS };
static const char *const CALL_NAMES[CALLS] = {"write",  "sync", "truncate", "create", "open",
                                              "rename", "read", "pread",    "unlink", "mkdir"};

enum verdict { PASS, FAIL, SHORT };
enum fault { EIO_FAULT, ENOSPC_FAULT, SHORT_FAULT, KILL_FAULT };

static struct {
    const char *directory;
    size_t directory_length;
    unsigned calls;
    long nth;
    enum fault fault;
    int until_exit;
    int report;
    int log;
} plan = {.report = -1, .log = -1};

static atomic_long seen[CALLS];
static atomic_long eligible;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t log_order = PTHREAD_MUTEX_INITIALIZER;

/* Calls of our own go straight to the kernel, past the functions below. */
static long raw_open(const char *path, int flags) {
    return syscall(SYS_openat, AT_FDCWD, path, flags, 0644);
}

static void raw_write(int fd, const void *bytes, size_t length) {
    const char *next = bytes;
    while (length > 0) {
        long written = syscall(SYS_write, fd, next, length);
        if (written <= 0) return;
        next += written;
        length -= (size_t)written;
    }
}

__attribute__((format(printf, 2, 3))) static void say(int fd, const char *format, ...) {
    char line[2 * PATH_MAX + 128];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length > 0) raw_write(fd, line, (size_t)length < sizeof line ? (size_t)length : sizeof line);
}

static int open_output(const char *variable) {
    const char *path = getenv(variable);
    return path ? (int)raw_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC) : -1;
}

static int lists(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *next = words; next; next = strchr(next, ','), next = next ? next + 1 : next)
        if (strncmp(next, word, length) == 0 && (next[length] == ',' || next[length] == '\0')) return 1;
    return 0;
}

static void read_plan(void) {
    const char *calls = getenv("MONOTABLE_IO_CALLS");
    for (int call = 0; calls && call < CALLS; call++)
        if (lists(calls, CALL_NAMES[call])) plan.calls |= 1u << call;
    const char *nth = getenv("MONOTABLE_IO_NTH");
    plan.nth = nth ? atol(nth) : 0;
    const char *fault = getenv("MONOTABLE_IO_FAULT");
    if (fault && strcmp(fault, "enospc") == 0) plan.fault = ENOSPC_FAULT;
    if (fault && strcmp(fault, "short") == 0) plan.fault = SHORT_FAULT;
    if (fault && strcmp(fault, "kill") == 0) plan.fault = KILL_FAULT;
    const char *until = getenv("MONOTABLE_IO_UNTIL");
    plan.until_exit = until && strcmp(until, "exit") == 0;
    plan.report = open_output("MONOTABLE_IO_REPORT");
    plan.log = open_output("MONOTABLE_IO_LOG");
    const char *directory = getenv("MONOTABLE_IO_DIR");
    plan.directory_length = directory ? strlen(directory) : 0;
    plan.directory = directory;
}

__attribute__((destructor)) static void report_total(void) {
    for (int call = 0; plan.report >= 0 && call < CALLS; call++)
        say(plan.report, "total %s %ld\n", CALL_NAMES[call], atomic_load(&seen[call]));
}

static int is_ours(const char *path) {
    if (!plan.directory || strncmp(path, plan.directory, plan.directory_length) != 0) return 0;
    char next = path[plan.directory_length];
    return next == '\0' || next == '/';
}

/* The kernel knows the path of a descriptor, also after dup, rename and unlink. */
static int path_of(int fd, char path[PATH_MAX]) {
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* Counts the call and says what becomes of it; sets errno if it fails. */
static enum verdict judge(int call, const char *path) {
    pthread_once(&once, read_plan);
    if (!is_ours(path)) return PASS;
    atomic_fetch_add(&seen[call], 1);
    if (!(plan.calls & (1u << call))) return PASS;
    long number = atomic_fetch_add(&eligible, 1) + 1;
    int first = number == plan.nth;
    int later = plan.nth > 0 && number > plan.nth && plan.until_exit;
    if (!first && !later) return PASS;
    enum verdict verdict = plan.fault == SHORT_FAULT && first && call == WRITE ? SHORT : FAIL;
    int error = plan.fault == EIO_FAULT ? EIO : ENOSPC;
    if (plan.report >= 0)
        say(plan.report, "%s %ld %s %s\n", verdict == SHORT ? "short" : "fail", number,
            CALL_NAMES[call], path);
    if (plan.fault == KILL_FAULT) kill(getpid(), SIGKILL);
    errno = error;
    return verdict;
}

static enum verdict judge_fd(int call, int fd) {
    char path[PATH_MAX];
    int saved = errno;
    enum verdict verdict = path_of(fd, path) ? judge(call, path) : PASS;
    if (verdict == PASS) errno = saved;
    return verdict;
}

/* Recording: the lock spans the call and its record, so that the log has the order of the disk. */
static int recording(void) {
    pthread_once(&once, read_plan);
    if (plan.log < 0) return 0;
    pthread_mutex_lock(&log_order);
    return 1;
}

static void stop_recording(int is_recording) {
    if (is_recording) pthread_mutex_unlock(&log_order);
}

/* `end` is where the write ended; the bytes follow the line. */
static void record_write(int fd, const struct iovec *parts, int count, ssize_t written, off_t end) {
    char path[PATH_MAX];
    if (written <= 0 || !path_of(fd, path) || !is_ours(path)) return;
    say(plan.log, "write %lld %zd %s\n", (long long)(end - written), written, path);
    for (int part = 0; part < count && written > 0; part++) {
        size_t length = parts[part].iov_len;
        if (length > (size_t)written) length = (size_t)written;
        raw_write(plan.log, parts[part].iov_base, length);
        written -= (ssize_t)length;
    }
}

static void record_fd(const char *what, int fd, long long length) {
    char path[PATH_MAX];
    if (path_of(fd, path) && is_ours(path)) say(plan.log, "%s %lld %s\n", what, length, path);
}

static void record_path(const char *what, const char *path, const char *target) {
    if (!is_ours(path)) return;
    say(plan.log, "%s %s%s%s\n", what, path, target ? "\t" : "", target ? target : "");
}

/* The libc function of the same name. */
#define NEXT(name)                                                   \
    static __typeof__(name) *next;                                   \
    if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static off_t position(int fd) { return (off_t)syscall(SYS_lseek, fd, 0, SEEK_CUR); }

static size_t half(size_t length) { return length > 1 ? length / 2 : length; }

ssize_t write(int fd, const void *bytes, size_t length) {
    NEXT(write);
    enum verdict verdict = judge_fd(WRITE, fd);
    if (verdict == FAIL) return -1;
    int is_recording = recording();
    ssize_t written = next(fd, bytes, verdict == SHORT ? half(length) : length);
    if (is_recording)
        record_write(fd, &(struct iovec){(void *)bytes, length}, 1, written, position(fd));
    stop_recording(is_recording);
    return written;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    NEXT(writev);
    enum verdict verdict = judge_fd(WRITE, fd);
    if (verdict == FAIL) return -1;
    int is_recording = recording();
    struct iovec first = count > 0 ? parts[0] : (struct iovec){0};
    first.iov_len = half(first.iov_len);
    ssize_t written = verdict == SHORT && count > 0 ? next(fd, &first, 1) : next(fd, parts, count);
    if (is_recording) record_write(fd, parts, count, written, position(fd));
    stop_recording(is_recording);
    return written;
}

static ssize_t write_at(__typeof__(pwrite64) *next, int fd, const void *bytes, size_t length,
                        off_t offset) {
    enum verdict verdict = judge_fd(WRITE, fd);
    if (verdict == FAIL) return -1;
    int is_recording = recording();
    ssize_t written = next(fd, bytes, verdict == SHORT ? half(length) : length, offset);
    if (is_recording)
        record_write(fd, &(struct iovec){(void *)bytes, length}, 1, written, offset + written);
    stop_recording(is_recording);
    return written;
}

static int change_length(__typeof__(ftruncate64) *next, int fd, off_t length) {
    if (judge_fd(TRUNCATE, fd) != PASS) return -1;
    int is_recording = recording();
    int result = next(fd, length);
    if (is_recording && result == 0) record_fd("truncate", fd, (long long)length);
    stop_recording(is_recording);
    return result;
}

static int allocate(__typeof__(fallocate64) *next, int fd, int mode, off_t offset, off_t length) {
    if (judge_fd(TRUNCATE, fd) != PASS) return -1;
    int is_recording = recording();
    int result = next(fd, mode, offset, length);
    if (is_recording && result == 0) record_fd("allocate", fd, (long long)(offset + length));
    stop_recording(is_recording);
    return result;
}

static int sync_fd(int (*next)(int), int fd) {
    if (judge_fd(SYNC, fd) != PASS) return -1;
    int is_recording = recording();
    int result = next(fd);
    if (is_recording && result == 0) record_fd("sync", fd, 0);
    stop_recording(is_recording);
    return result;
}

int fsync(int fd) {
    NEXT(fsync);
    return sync_fd(next, fd);
}

int fdatasync(int fd) {
    NEXT(fdatasync);
    return sync_fd(next, fd);
}

ssize_t read(int fd, void *bytes, size_t length) {
    NEXT(read);
    return judge_fd(READ, fd) == PASS ? next(fd, bytes, length) : -1;
}

ssize_t readv(int fd, const struct iovec *parts, int count) {
    NEXT(readv);
    return judge_fd(READ, fd) == PASS ? next(fd, parts, count) : -1;
}

int rename(const char *from, const char *to) {
    NEXT(rename);
    if (judge(RENAME, from) != PASS) return -1;
    int is_recording = recording();
    int result = next(from, to);
    if (is_recording && result == 0) record_path("rename", from, to);
    stop_recording(is_recording);
    return result;
}

int unlink(const char *path) {
    NEXT(unlink);
    if (judge(UNLINK, path) != PASS) return -1;
    int is_recording = recording();
    int result = next(path);
    if (is_recording && result == 0) record_path("unlink", path, NULL);
    stop_recording(is_recording);
    return result;
}

int mkdir(const char *path, mode_t mode) {
    NEXT(mkdir);
    if (judge(MKDIR, path) != PASS) return -1;
    int is_recording = recording();
    int result = next(path, mode);
    if (is_recording && result == 0) record_path("mkdir", path, NULL);
    stop_recording(is_recording);
    return result;
}

static int open_path(__typeof__(open64) *next, const char *path, int flags, mode_t mode) {
    if (judge(flags & O_CREAT ? CREATE : OPEN, path) != PASS) return -1;
    int is_recording = (flags & (O_CREAT | O_TRUNC)) && recording();
    int fd = next(path, flags, mode);
    if (is_recording && fd >= 0) record_path(flags & O_TRUNC ? "truncating" : "create", path, NULL);
    stop_recording(is_recording);
    return fd;
}

#define MODE_ARGUMENT(flags, mode)                    \
    mode_t mode = 0;                                  \
    if (flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) { \
        va_list arguments;                            \
        va_start(arguments, flags);                   \
        mode = va_arg(arguments, mode_t);             \
        va_end(arguments);                            \
    }

int open(const char *path, int flags, ...) {
    MODE_ARGUMENT(flags, mode)
    NEXT(open);
    return open_path(next, path, flags, mode);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
    NEXT(pwrite);
    return write_at(next, fd, bytes, length, offset);
}

ssize_t pread(int fd, void *bytes, size_t length, off_t offset) {
    NEXT(pread);
    return judge_fd(PREAD, fd) == PASS ? next(fd, bytes, length, offset) : -1;
}

int ftruncate(int fd, off_t length) {
    NEXT(ftruncate);
    return change_length(next, fd, length);
}

int fallocate(int fd, int mode, off_t offset, off_t length) {
    NEXT(fallocate);
    return allocate(next, fd, mode, offset, length);
}

/* glibc has a second name for each call with an offset, and Rust's standard library uses those;
 * elsewhere they are macros. */
#ifdef __GLIBC__
int open64(const char *path, int flags, ...) {
    MODE_ARGUMENT(flags, mode)
    NEXT(open64);
    return open_path(next, path, flags, mode);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
    NEXT(pwrite64);
    return write_at(next, fd, bytes, length, offset);
}

ssize_t pread64(int fd, void *bytes, size_t length, off64_t offset) {
    NEXT(pread64);
    return judge_fd(PREAD, fd) == PASS ? next(fd, bytes, length, offset) : -1;
}

int ftruncate64(int fd, off64_t length) {
    NEXT(ftruncate64);
    return change_length(next, fd, length);
}

int fallocate64(int fd, int mode, off64_t offset, off64_t length) {
    NEXT(fallocate64);
    return allocate(next, fd, mode, offset, length);
}
#endif
