#define _GNU_SOURCE
#include "test_machine.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/// Set for all children, so that a child that is this program again (an exit test) stays where it is. Names what was left.
static const char mark[] = "TAPKIT_TEST_MACHINE";

static char failure[256];

const char *test_machine_failure(void) { return failure[0] == '\0' ? NULL : failure; }

const char *test_machine_outside(void) { return getenv(mark); }

/// Keeps the reason, with the error number's text. @return 0, for "it failed".
static int failed(const char *step) {
    snprintf(failure, sizeof failure, "%s: %s", step, strerror(errno));
    return 0;
}

static int write_line(const char *path, const char *format, ...) {
    char line[64];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(line, sizeof line, format, values);
    va_end(values);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    int wrote = file >= 0 && write(file, line, (size_t)length) == length;
    if (file >= 0) close(file);
    return wrote || failed(path);
}

/// The names of the network and the mounts outside.
static char outside[64];

static int note_outside(void) {
    char network[32] = "", mounts[32] = "";
    if (readlink("/proc/self/ns/net", network, sizeof network - 1) < 0) return failed("/proc/self/ns/net");
    if (readlink("/proc/self/ns/mnt", mounts, sizeof mounts - 1) < 0) return failed("/proc/self/ns/mnt");
    snprintf(outside, sizeof outside, "%s %s", network, mounts);
    return 1;
}

/// New namespaces for mounts and the network; for those who are not root, inside a new one for users, in which they
/// keep their own numbers.
static int leave_the_machine(void) {
    unsigned int user = geteuid(), group = getegid();
    if (unshare(CLONE_NEWNS | CLONE_NEWNET) == 0) return 1;
    if (errno != EPERM) return failed("unshare");
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET) != 0) return failed("unshare");
    return write_line("/proc/self/setgroups", "deny") && write_line("/proc/self/uid_map", "%u %u 1", user, user)
        && write_line("/proc/self/gid_map", "%u %u 1", group, group);
}

static int raise_loopback(void) {
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int raised = control >= 0 && ioctl(control, SIOCSIFFLAGS, &request) == 0;
    if (control >= 0) close(control);
    return raised || failed("loopback");
}

/// The kernel gives a client any port of a wide range that holds those on which `pcscd`'s virtual readers listen, here and in
/// `PCSCSandbox`: one connection too early, or one that has just ended, and the service has no readers. Where `/proc` is
/// read-only it is left to chance.
static void keep_the_readers_ports(void) {
    int file = open("/proc/sys/net/ipv4/ip_local_reserved_ports", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    static const char ports[] = "35963-35966";
    ssize_t wrote = write(file, ports, sizeof ports - 1);
    (void)wrote;
    close(file);
}

static int empty(const char *folder) {
    if (mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") == 0) return 1;
    return (errno == ENOENT && access(folder, F_OK) != 0) || failed(folder);
}

/// Whether a board can be attached to a device of this name: one of these and a number. They are the ports of adapters
/// and of the machine, and the buses for chips.
static int is_port(const char *name) {
    static const char *const kinds[] = {"ttyUSB", "ttyACM", "ttyAMA", "ttyS", "ttyO", "serial", "spidev", "i2c-"};
    for (size_t index = 0; index < sizeof kinds / sizeof *kinds; index++) {
        size_t length = strlen(kinds[index]);
        if (strncmp(name, kinds[index], length) == 0 && isdigit((unsigned char)name[length])) return 1;
    }
    return 0;
}

/// Whoever opens such a port gets a device that swallows everything and says nothing.
static int silence_the_ports(void) {
    DIR *devices = opendir("/dev");
    if (devices == NULL) return failed("/dev");
    int silent = 1;
    for (struct dirent *entry; silent && (entry = readdir(devices)) != NULL;) {
        if (!is_port(entry->d_name)) continue;
        char path[sizeof "/dev/" + sizeof entry->d_name];
        snprintf(path, sizeof path, "/dev/%s", entry->d_name);
        // A link may lead nowhere.
        silent = mount("/dev/null", path, NULL, MS_BIND, NULL) == 0 || errno == ENOENT || failed(path);
    }
    closedir(devices);
    return silent;
}

static int furnish(void) {
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return failed("mounts of its own");
    // Services, readers on USB, how the kernel describes them, and how libnfc is told of them.
    if (!empty("/run") || !empty("/dev/bus/usb") || !empty("/sys/bus/usb/devices") || !empty("/etc/nfc")) return 0;
    if (!silence_the_ports() || !raise_loopback()) return 0;
    keep_the_readers_ports();
    if (mkdir("/run/pcscd", 0755) != 0) return failed("/run/pcscd");
    // Where programs keep each other from a port, as on every machine.
    return (mkdir("/run/lock", 0) == 0 && chmod("/run/lock", 01777) == 0) || failed("/run/lock");
}

int test_machine_for_thread(void) {
    return unshare(CLONE_NEWNS | CLONE_NEWNET) == 0 && furnish() ? 0 : errno;
}

/// Swift Testing records where each error was thrown, for messages that nobody here reads; that took a third of the time of
/// tests that hand parsers what they must refuse. Whoever wants it sets the variable to 1.
__attribute__((constructor)) static void trace_no_errors(void) { setenv("SWT_SWIFT_ERROR_BACKTRACING_ENABLED", "0", 0); }

/// The tests have more than 1024 files open at a time, which is what Debian allows until somebody asks for more.
__attribute__((constructor)) static void ask_for_files(void) {
    const rlim_t enough = 16384;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= enough) return;
    files.rlim_cur = files.rlim_max < enough ? files.rlim_max : enough;
    setrlimit(RLIMIT_NOFILE, &files);
}

/// Before `main`, while the process has one thread: the kernel lets no other change its user namespace.
__attribute__((constructor)) static void enter(void) {
    if (getenv(mark) != NULL) return;
    if (!note_outside() || !leave_the_machine() || !furnish()) return;
    setenv(mark, outside, 1);
    // It is hidden now; programs make do without it, but not with one that is missing.
    unsetenv("XDG_RUNTIME_DIR");
    // Whoever runs the tests may have set what leads to the machine's readers.
    static const char *const ways[] = {
        "PCSCLITE_CSOCK_NAME", "LIBNFC_DEVICE", "LIBNFC_DEFAULT_DEVICE", "LIBNFC_AUTO_SCAN", "LIBNFC_INTRUSIVE_SCAN",
    };
    for (size_t index = 0; index < sizeof ways / sizeof *ways; index++) unsetenv(ways[index]);
}
