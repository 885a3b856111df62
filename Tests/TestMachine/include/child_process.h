#ifndef CHILD_PROCESS_H
#define CHILD_PROCESS_H

#include <spawn.h>

/* What `posix_spawn` can do in Debian's C library, which keeps it from Swift. */

/// The child is in a session of its own.
extern const short child_process_session;

/// The child has no descriptor of its parent's from the given number on, and starts in the folder, unless it is NULL.
///
/// @return 0, or the number of the error.
int child_process_begins(posix_spawn_file_actions_t *actions, int first_closed, const char *folder);

#endif
