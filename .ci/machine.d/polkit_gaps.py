"""Debian 13: polkit does not answer pcscd, which then admits nobody: the doctor says why, what it says helps, and then
whom a rule admits uses a card."""

from doctor_hands import Hands
from doctor_table import Row, judge, used
from report import expect

# systemd stops pcscd with polkit, and starts polkit with pcscd, and so does D-Bus for whoever asks polkit: it has to end by
# itself, and stay away.
ACTIVATION = "/usr/share/dbus-1/system-services/org.freedesktop.PolicyKit1.service"
BUS = "dbus.socket dbus.service"
ENDED = f"mv {ACTIVATION} /root; systemctl reload dbus; systemctl start pcscd.service; systemctl kill --signal=KILL polkit"
NO_BUS = (f"systemctl start pcscd.service; systemctl kill --signal=KILL polkit; systemctl stop {BUS}; "
          "rm -f /run/dbus/system_bus_socket")
BACK = (f"mv /root/org.freedesktop.PolicyKit1.service {ACTIVATION} 2>/dev/null || true; systemctl start {BUS}; "
        "systemctl reload dbus")
# pcscd depends on it, and does not start without it.
REMOVED = "dpkg --remove --force-depends polkitd; systemctl kill --signal=KILL polkit || true"
RESTART = "sudo systemctl restart pcscd.socket pcscd.service"
INSTALLED = "apt-get install --quiet=2 --yes polkitd; systemctl restart pcscd.socket"


class Unasked(Hands):
    """“if every user may use the readers, as in a container, set PCSCD_ARGS in /etc/default/pcscd and restart pcscd”"""

    def relent(self):
        self.machine.shell("sed -i 's/^PCSCD_ARGS=.*/PCSCD_ARGS=\"--disable-polkit\"/' /etc/default/pcscd; "
                           "systemctl restart pcscd")

    def proof(self):
        result = self.bench.run("status", "--json", "--wait", user="finney", card=self.card)
        expect(result.status == 0, f"every user may use it: {result}")

    def end(self):
        self.machine.shell("sed -i 's/^PCSCD_ARGS=.*/PCSCD_ARGS=\"\"/' /etc/default/pcscd; systemctl restart pcscd")


ROWS = [
    Row("pcscd_permission", "polkit is masked", "systemctl mask --now polkit.service",
        f"^(sudo systemctl unmask polkit.service && {RESTART})$", user="hal",
        mends="systemctl unmask polkit.service; systemctl restart pcscd.socket"),
    Row("pcscd_permission", "polkit has ended", ENDED,
        "^(sudo systemctl start polkit); if it stops again: (systemctl status polkit)$", user="hal", mends=BACK),
    Row("pcscd_permission", "polkit was removed while pcscd runs", f"systemctl start pcscd.service; {REMOVED}",
        f"^(sudo apt-get install polkitd && {RESTART})$", user="hal", mends=INSTALLED),
    Row("pcscd_permission", "polkit is not installed", f"systemctl stop pcscd.service; {REMOVED}",
        f"^(sudo apt-get install polkitd && {RESTART})$", user="hal", mends=INSTALLED),
    Row("pcscd_permission", "there is no D-Bus", NO_BUS,
        f"^(sudo apt-get install dbus && sudo systemctl start dbus && {RESTART}); or, ", user="hal", mends=BACK),
    Row("pcscd_permission", "there is no D-Bus, and every user may use the readers", NO_BUS,
        "; or, if every user may use the readers, as in a container, set PCSCD_ARGS=\"--disable-polkit\" in "
        "/etc/default/pcscd and restart pcscd$", user="hal", hands=Unasked, mends=BACK),
]


def run(bench, report):
    for row in ROWS:
        # It may not have forgotten the reader that is plugged in anew.
        bench.stop_service()
        report.check(f"{row.check}: {row.title}", judge, bench, row, used)
