"""The package is upgraded and purged; then nothing of it is left."""

from report import expect

# Where a package may leave something: everywhere but the kernel's file systems, and what other programs write.
OTHERS = ("/tmp", "/root", "/home", "/var/log", "/var/cache", "/var/backups", "/var/lib/dpkg", "/var/lib/systemd")
LIST = "find / -xdev " + " ".join(f"-path {folder} -prune -o" for folder in OTHERS) + " -print"


def version(bench):
    return bench.machine.run("tapkit", "--version").out


def upgraded(bench):
    first = version(bench)
    bench.machine.shell("dpkg --install /root/later.deb")
    status = bench.machine.shell("dpkg-query --show --showformat='${Version} ${db:Status-Status}' tapkit")
    expect(status.endswith("+later installed"), status)
    expect(version(bench) == first, "the command is the same")


def purged(bench):
    ours = set(bench.machine.shell(
        'dpkg --listfiles tapkit | while read -r file; do [ -d "$file" ] || echo "$file"; done').splitlines())
    before = set(bench.machine.shell(LIST).splitlines())
    bench.machine.shell("dpkg --purge tapkit")
    after = set(bench.machine.shell(LIST).splitlines())
    expect(ours and not [file for file in after if "tapkit" in file and "machine" not in file],
           [file for file in after if "tapkit" in file])
    expect(not after - before, after - before)
    expect(not ours & after, ours & after)


def installed(bench):
    """Once more, from nothing, for the tables that follow."""
    bench.machine.shell("dpkg --install /root/tapkit.deb")
    bench.run("--version", user="hal").succeeded()


def run(bench, report):
    report.check("upgraded", upgraded, bench)
    report.check("purged: nothing is left", purged, bench)
    report.check("installed again", installed, bench)
