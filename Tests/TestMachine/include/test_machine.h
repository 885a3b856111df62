#ifndef TEST_MACHINE_H
#define TEST_MACHINE_H

/// The tests' own part of the machine, entered before anything else of the process runs: a network with nothing but
/// loopback, an empty `/run`, no USB devices, nothing behind the serial ports that are there at the start, none of
/// libnfc's settings. What tests start there (`pcscd`, servers, nodes) meets neither the machine's own services and
/// readers nor another run of the tests.
///
/// Takes root, or a kernel that lets users make user namespaces, as Debian's does.
///
/// @return why the process stayed outside, for as long as the process lives; NULL when it is inside.
const char *test_machine_failure(void);

/// The kernel's names for the network and the mounts that the process left, as in "net:[1] mnt:[2]"; NULL when it is outside.
const char *test_machine_outside(void);

/// Takes the calling thread, and what it starts from now on, into a further part of the machine like the process's.
///
/// @return 0, or the number of the error.
int test_machine_for_thread(void);

#endif
