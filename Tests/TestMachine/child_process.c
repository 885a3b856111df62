#define _GNU_SOURCE
#include "child_process.h"

const short child_process_session = POSIX_SPAWN_SETSID;

int child_process_begins(posix_spawn_file_actions_t *actions, int first_closed, const char *folder) {
    int status = posix_spawn_file_actions_addclosefrom_np(actions, first_closed);
    return status || !folder ? status : posix_spawn_file_actions_addchdir_np(actions, folder);
}
