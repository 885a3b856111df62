// Faults that tests inject into a running tapkit (LD_PRELOAD): it dies at one of its writes to the store, or the disk
// refuses them; and the content of its memory at the end is copied to a file.
//
// TAPKIT_FAULT         the fault: "kill" ends the process instead of the write, "tear" in the middle of it; "full" and
//                      "read-only" make the disk so from that write on
// TAPKIT_FAULT_AT      the write to a file with "store.sqlite" in its name, counted from 1
// TAPKIT_FAULT_COUNT   a file: the number of such writes
// TAPKIT_FAULT_MEMORY  a file: all writable memory, at the end
// TAPKIT_FAULT_FREED   a file: the content of each block of memory when it was freed
// TAPKIT_FAULT_RANDOM  a file: every random byte that the process drew
// TAPKIT_FAULT_END     a file: "_exit" if the process ended by system call, "exit" if libraries were torn down

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static const char *fault, *countFile, *memoryFile, *freedFile, *randomFile, *endFile;
static long faultAt;
static atomic_long writeCount;
static char mapsText[1 << 20];

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("TAPKIT_FAULT_AT");
    faultAt = at ? atol(at) : 0;
    fault = getenv("TAPKIT_FAULT");
    countFile = getenv("TAPKIT_FAULT_COUNT");
    memoryFile = getenv("TAPKIT_FAULT_MEMORY");
    freedFile = getenv("TAPKIT_FAULT_FREED");
    randomFile = getenv("TAPKIT_FAULT_RANDOM");
    endFile = getenv("TAPKIT_FAULT_END");
}

// The C library's own functions, looked up because their names now stand for the functions below.
static void *library(const char *name) { return dlsym(RTLD_NEXT, name); }

static long raw(long number, long a, long b, long c, long d, long e, long f) {
    static long (*next)(long, ...);
    if (!next) next = (long (*)(long, ...))library("syscall");
    return next(number, a, b, c, d, e, f);
}

static long rawWrite(int file, const void *bytes, size_t count) {
    return raw(SYS_write, file, (long)bytes, count, 0, 0, 0);
}

static int rawOpen(const char *path, int flags) {
    return raw(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC, 0600, 0, 0);
}

static int isStorePath(const char *path) { return path && strstr(path, "store.sqlite") != NULL; }

static int isStore(int file) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return isStorePath(path);
}

static void dieNow(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

// The fate of a write: 0 it happens; -1 it fails, with errno set; 1 half of it happens.
static int judge(int takesRoom) {
    long number = atomic_fetch_add(&writeCount, 1) + 1;
    if (!fault || !faultAt || number < faultAt) return 0;
    if (number == faultAt && !strcmp(fault, "kill")) dieNow();
    if (number == faultAt && !strcmp(fault, "tear")) return 1;
    if (!strcmp(fault, "full") && takesRoom) {
        errno = ENOSPC;
        return -1;
    }
    if (!strcmp(fault, "read-only")) {
        errno = EROFS;
        return -1;
    }
    return 0;
}

typedef ssize_t (*PositionedWrite)(int, const void *, size_t, off64_t);

static ssize_t positionedWrite(const char *name, int file, const void *bytes, size_t count, off64_t offset) {
    PositionedWrite next = (PositionedWrite)library(name);
    if (!isStore(file)) return next(file, bytes, count, offset);
    int verdict = judge(1);
    if (verdict < 0) return -1;
    if (verdict > 0) {
        next(file, bytes, count / 2, offset);
        dieNow();
    }
    return next(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    return positionedWrite("pwrite64", file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    return positionedWrite("pwrite", file, bytes, count, offset);
}

ssize_t write(int file, const void *bytes, size_t count) {
    ssize_t (*next)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))library("write");
    if (!isStore(file)) return next(file, bytes, count);
    int verdict = judge(1);
    if (verdict < 0) return -1;
    if (verdict > 0) {
        next(file, bytes, count / 2);
        dieNow();
    }
    return next(file, bytes, count);
}

static int onFile(const char *name, int file) {
    int (*next)(int) = (int (*)(int))library(name);
    if (!isStore(file)) return next(file);
    int verdict = judge(0);
    if (verdict < 0) return -1;
    int status = next(file);
    if (verdict > 0) dieNow();
    return status;
}

int fsync(int file) { return onFile("fsync", file); }
int fdatasync(int file) { return onFile("fdatasync", file); }

static int cut(const char *name, int file, off64_t length) {
    int (*next)(int, off64_t) = (int (*)(int, off64_t))library(name);
    if (!isStore(file)) return next(file, length);
    int verdict = judge(0);
    if (verdict < 0) return -1;
    int status = next(file, length);
    if (verdict > 0) dieNow();
    return status;
}

int ftruncate64(int file, off64_t length) { return cut("ftruncate64", file, length); }
int ftruncate(int file, off_t length) { return cut("ftruncate", file, length); }

int unlink(const char *path) {
    int (*next)(const char *) = (int (*)(const char *))library("unlink");
    if (!isStorePath(path)) return next(path);
    int verdict = judge(0);
    if (verdict < 0) return -1;
    int status = next(path);
    if (verdict > 0) dieNow();
    return status;
}

// A full disk also reports no free space.
int statvfs(const char *path, struct statvfs *answer) {
    int (*next)(const char *, struct statvfs *) = (int (*)(const char *, struct statvfs *))library("statvfs");
    int status = next(path, answer);
    int isFull = fault && !strcmp(fault, "full") && faultAt && atomic_load(&writeCount) >= faultAt;
    if (status == 0 && isFull && isStorePath(path)) answer->f_bfree = answer->f_bavail = 0;
    return status;
}

// Randomness.

static void remember(const void *bytes, ssize_t count) {
    if (!randomFile || count <= 0) return;
    int file = rawOpen(randomFile, O_WRONLY | O_CREAT | O_APPEND);
    if (file < 0) return;
    rawWrite(file, bytes, count);
    close(file);
}

// Swift uses the system call itself.
long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    long result = raw(number, a, b, c, d, e, f);
    if (number == SYS_getrandom) remember((const void *)a, result);
    return result;
}

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
    ssize_t drawn = raw(SYS_getrandom, (long)bytes, count, flags, 0, 0, 0);
    remember(bytes, drawn);
    return drawn;
}

// Freed memory: its content is visible to its next owner.

static char freed[1 << 20];
static size_t freedCount;
static int freedOutput = -1;
static atomic_flag isKeeping = ATOMIC_FLAG_INIT;

static void writeFreed(const char *bytes, size_t count) {
    if (freedOutput < 0) freedOutput = rawOpen(freedFile, O_WRONLY | O_CREAT | O_APPEND);
    while (count > 0) {
        long written = rawWrite(freedOutput, bytes, count);
        if (written <= 0) break;
        bytes += written;
        count -= written;
    }
}

static void flushFreed(void) {
    writeFreed(freed, freedCount);
    freedCount = 0;
}

static void keepFreed(const void *block, size_t count) {
    while (atomic_flag_test_and_set(&isKeeping)) {}
    if (freedCount + count > sizeof freed) flushFreed();
    if (count > sizeof freed) {
        writeFreed(block, count);
    } else {
        memcpy(freed + freedCount, block, count);
        freedCount += count;
    }
    atomic_flag_clear(&isKeeping);
}

void free(void *block) {
    static void (*next)(void *);
    if (!next) next = (void (*)(void *))library("free");
    if (block && freedFile) keepFreed(block, malloc_usable_size(block));
    next(block);
}

// Always moves the block, which is allowed, so that the content of the old place is recorded.
void *realloc(void *block, size_t count) {
    static void *(*next)(void *, size_t);
    if (!next) next = (void *(*)(void *, size_t))library("realloc");
    if (!freedFile || !block || count == 0) return next(block, count);
    void *moved = malloc(count);
    if (!moved) return NULL;
    size_t held = malloc_usable_size(block);
    memcpy(moved, block, held < count ? held : count);
    free(block);
    return moved;
}

// The end.

static void copyMemory(void) {
    int output = rawOpen(memoryFile, O_WRONLY | O_CREAT | O_TRUNC);
    int maps = rawOpen("/proc/self/maps", O_RDONLY);
    if (output < 0 || maps < 0) return;
    size_t length = 0;
    ssize_t part;
    while ((part = read(maps, mapsText + length, sizeof mapsText - 1 - length)) > 0) length += part;
    mapsText[length] = 0;
    for (char *line = strtok(mapsText, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned long first, last;
        char rights[5];
        if (sscanf(line, "%lx-%lx %4s", &first, &last, rights) != 3) continue;
        if (rights[0] != 'r' || rights[1] != 'w') continue;
        while (first < last) {
            long written = rawWrite(output, (const void *)first, last - first);
            if (written <= 0) break;
            first += written;
        }
    }
    close(output);
}

static void writeLine(const char *path, const char *line) {
    int file = rawOpen(path, O_WRONLY | O_CREAT | O_TRUNC);
    if (file < 0) return;
    rawWrite(file, line, strlen(line));
    rawWrite(file, "\n", 1);
    close(file);
}

static void end(const char *way) {
    static atomic_int hasEnded;
    if (atomic_exchange(&hasEnded, 1)) return;
    if (endFile) writeLine(endFile, way);
    if (countFile) {
        char text[32];
        snprintf(text, sizeof text, "%ld", atomic_load(&writeCount));
        writeLine(countFile, text);
    }
    if (freedFile) {
        flushFreed();
        freedFile = NULL;
        // A copy that exists only because of the test.
        memset(freed, 0, sizeof freed);
    }
    if (memoryFile) copyMemory();
}

__attribute__((destructor)) static void endByExit(void) { end("exit"); }

void _exit(int status) {
    end("_exit");
    raw(SYS_exit_group, status, 0, 0, 0, 0, 0);
    for (;;) pause();
}
