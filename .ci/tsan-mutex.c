// Informs ThreadSanitizer about Swift's Mutex when two threads contend for it.
//
// The fast path of a Mutex is compiled into the program, where ThreadSanitizer sees it. The slow path is in
// libswiftSynchronization.so, which is not built for ThreadSanitizer, so that accesses under the lock would be reported
// as races. This wraps that library (LD_PRELOAD), calls it, and reports that the lock was taken or released.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lockSlow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
SWIFT bool tryLockSlow(SELF) __asm__(TRY_LOCK_SLOW);
SWIFT void unlockSlow(SELF) __asm__(UNLOCK_SLOW);

static void *library(const char *name) { return dlsym(RTLD_NEXT, name); }

SWIFT void lockSlow(uint32_t thread, SELF) {
    SWIFT void (*lock)(uint32_t, SELF) = library(LOCK_SLOW);
    lock(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool tryLockSlow(SELF) {
    SWIFT bool (*tryLock)(SELF) = library(TRY_LOCK_SLOW);
    bool isTaken = tryLock(self);
    if (isTaken && __tsan_acquire) __tsan_acquire(self);
    return isTaken;
}

SWIFT void unlockSlow(SELF) {
    SWIFT void (*unlock)(SELF) = library(UNLOCK_SLOW);
    if (__tsan_release) __tsan_release(self);
    unlock(self);
}
