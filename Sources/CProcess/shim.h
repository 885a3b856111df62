#ifndef TAPKIT_CPROCESS_SHIM_H
#define TAPKIT_CPROCESS_SHIM_H

#include <sys/prctl.h>

/// Makes this process one that other programs of the same user can neither read nor trace; 0 when it is.
static inline int process_make_private(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

#endif
