#ifndef TAPKIT_CPROCESS_SHIM_H
#define TAPKIT_CPROCESS_SHIM_H

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Makes this process one that other programs of the same user can neither read nor trace; 0 when it is.
static inline int process_make_private(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/// Exchanges what two names have, files or folders, in one step; 0 when it is done. Spec: renameat2(2).
static inline int process_exchange_names(const char *one, const char *other) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, 1 << 1);
}

#endif
