"""The kernel's own driver takes readers from pcscd and libnfc, unless it is on a blacklist."""

import re

from bench import Card
from report import expect

ROWS = [("acr122u", "pcsc"), ("scl3711", "nfc"), ("pn533", "nfc"), ("s360", "nfc")]
BLACKLIST = "/usr/lib/modprobe.d/tapkit-blacklist.conf"


def kept(bench, model, backend):
    """The package's blacklist is the only one."""
    machine = bench.machine
    card = Card(bench)
    reader = bench.plug(model, card)
    expect("pn533_usb" not in reader.driver() and not loaded(machine), reader.driver())
    bench.run("status", "--json", "--wait", "--reader", backend, card=card).succeeded()


def loaded(machine):
    return [line.split()[0] for line in machine.shell("cat /proc/modules").splitlines() if line.startswith("pn533")]


def stolen(bench, model, backend):
    """Without it, the kernel takes the reader; the doctor says so, and nothing else; its remedy helps."""
    machine = bench.machine
    card = Card(bench)
    bench.clear()
    # By itself udevd looks for changed files every three seconds.
    machine.shell(f"mv {BLACKLIST} /root/blacklist; udevadm control --reload")
    try:
        reader = bench.plug(model, card)
        machine.until(lambda: "pn533_usb" in reader.driver(), reader.driver)
        findings = bench.doctor().findings
        taken = [finding for finding in findings if finding["check"] == "kernel_modules" and not finding["ok"]]
        expect(len(taken) == 1 and "pn533_usb" in taken[0]["evidence"], findings)
        expect(not [finding for finding in findings if "pcscd is using" in finding["evidence"]], findings)
        expect(not bench.doctor("--reader", backend).usable, "usable")
        # Nor does tapkit take it back from the kernel.
        bench.run("readers", "--json")
        expect("pn533_usb" in reader.driver(), reader.driver())
    finally:
        machine.shell(f"mv /root/blacklist {BLACKLIST}; udevadm control --reload")
    machine.shell(re.search("sudo modprobe -r [a-z0-9_ ]+", taken[0]["remedy"])[0])
    bench.plug(model, card)
    bench.run("status", "--json", "--wait", "--reader", backend, card=card).succeeded()


def title(model):
    return f"{model}: the kernel leaves it alone"


def readers(bench, report):
    for model, backend in ROWS:
        report.check(title(model), kept, bench, model, backend)


def run(bench, report):
    readers(bench, report)
    for model, backend in ROWS:
        report.check(f"{model}: without the blacklist the kernel takes it, and the doctor helps", stolen, bench, model,
                     backend)
    bench.clear()
    bench.machine.run("modprobe", "-r", "pn533_usb")
