"""The machine is suspended to memory, and resumes."""

import time

from bench import BridgedBoard
from board_table import BridgedSitting
from faults_table import CLEAR
from machine import Fault
from readers_table import HALFWAY, ROWS, Sitting, seen, set_up
from report import expect
from rules_table import SERIAL_RULES

FEW = 2
# Longer than falling asleep takes, in milliseconds; see below for the odd hundred.
LONG = 4900


def fall_asleep(bench):
    # By itself: logind sometimes takes no second request.
    job = bench.machine.start("bash", "-c", "echo mem >/sys/power/state")
    try:
        bench.machine.event("SUSPEND")
    except Fault as fault:
        raise Fault(f"{fault}; {bench.machine.events}; {job.said()}; {bench.machine.run('dmesg').out[-1500:]}") from None
    return job


def wake_up(bench, fall):
    bench.machine.ask("system_wakeup")
    bench.machine.event("WAKEUP")
    fall.result().succeeded()


def nap(bench):
    """Suspends the machine and wakes it up; its clock and what runs in it stand still in between."""
    wake_up(bench, fall_asleep(bench))


def told(sitting):
    sitting.run("status", "--wait").succeeded()


def asleep(bench, sitting):
    nap(bench)
    told(sitting)


def together(bench, sittings):
    """Each is used, and then the machine sleeps."""
    for sitting in sittings:
        sitting.plug()
    for sitting in sittings:
        told(sitting)
    nap(bench)


def asleep_while_signing(bench, sitting):
    # Not 200 ms: libnfc gives a USB transfer up after that time, and QEMU loses one that is given up as it ends.
    reader = sitting.plug("--sign-ms", "300", "--pull-at", f"{HALFWAY}:after")
    job = sitting.begin_signing()
    seen(reader, "Card removed", job)
    nap(bench)
    reader.put_back()
    sitting.signed(job)


def asleep_in_flight(bench, sitting):
    """The card is signing as the machine falls asleep: what it answers may be lost, what it answered before is not."""
    sitting.plug("--sign-ms", str(LONG))
    file = sitting.unsigned(FEW)
    job = sitting.begin("sign", file, "--yes", "--wait", "--progress")
    job.line('"signed"')
    began = time.monotonic()
    fall = fall_asleep(bench)
    expect(time.monotonic() - began < LONG / 1000, "the next signature is there before the machine sleeps")
    wake_up(bench, fall)
    first = job.result(60)
    before = signed(job)
    if first.status == 0:
        expect((first.json["signed"], first.json["complete"]) == (FEW, True), first)
        return "went on"
    error = first.json["error"]
    expect(first.status in CLEAR and error["message"] and error["hint"], first)
    again = sitting.run("sign", file, "--yes", "--wait").succeeded().json
    expect((again["signed"], again["complete"]) == (FEW - before, True), f"{before} before, then {again}")
    return f"exit status {first.status} after {before}, then 0"


def signed(job):
    """How many signatures a command has told of."""
    return sum('"signed"' in line for stream, line in job.said()[1] if stream == "err")


def unplugged_asleep(bench, sitting):
    """Another reader is there when the machine wakes up."""
    fall = fall_asleep(bench)
    reader = bench.readers[0]
    reader.end()
    wake_up(bench, fall)
    reader.leave()
    bench.readers.remove(reader)
    expect(bench.run("status", "--json", "--reader", sitting.backend).status == 69, "no reader")
    sitting.plug()
    sitting.run("status", "--wait").succeeded()


# Two in full; the other models only wake up, two of them at a time if both can be used side by side: boards have their
# ports, and of two readers of libnfc's each is named by its driver.
IN_FULL = (("acr1252u", "pcsc"), ("scl3711", "nfc"))
WAKING = [
    (("omnikey5022", "pcsc"), ("s360", "nfc")),
    (("acr122u", "pcsc"), ("pn532ch340", None)),
    (("utrust3700f", "pcsc"), ("pn532cp2102", None)),
    (("acr122u", "nfc:acr122_usb"), ("pn533", "nfc:pn53x_usb")),
    (("touchatag", "nfc:acr122_usb"), ("pn531", "nfc:pn53x_usb")),
    (("pn532ft231x", None), ("pn532ch9102", None)),
    (("pn532pl2303", None),),
]


def wake(bench, report, rows):
    sittings = [Sitting(bench, model, backend, port) if backend else BridgedSitting(bench, model, port)
                for port, (model, backend) in enumerate(rows, 1)]
    # pcscd would take some of libnfc's readers.
    is_for_pcscd = any(sitting.backend == "pcsc" for sitting in sittings)
    if not is_for_pcscd:
        bench.stop_service()
    names = [f"{model} by {backend}" if backend else model for model, backend in rows]
    if report.check(f"{' and '.join(names)}: the machine sleeps", together, bench, sittings):
        for name, sitting in zip(names, sittings):
            report.check(f"{name}: works after a sleep", told, sitting)
    bench.clear()
    if not is_for_pcscd:
        bench.start_service()


def everyone_sleeps():
    """No reader of those that are judged in full, and no board, is left out here."""
    rows = [*IN_FULL, *(row for rows in WAKING for row in rows)]
    asleep = {(model, backend and backend.partition(":")[0]) for model, backend in rows}
    wanted = {row[:2] for row in ROWS} | {(model, None) for model in BridgedBoard.PORTS}
    expect(wanted <= asleep, wanted - asleep)


def run(bench, report):
    report.check("every reader and board sleeps", everyone_sleeps)
    for model, backend in IN_FULL:
        sitting = Sitting(bench, model, backend)
        sitting.plug()
        name = f"{model} by {backend}"
        if report.check(f"{name}: setup", set_up, sitting):
            report.check(f"{name}: works after a sleep", asleep, bench, sitting)
            report.check(f"{name}: a sleep in the middle of a signature run", asleep_while_signing, bench, sitting)
            # QEMU loses a USB transfer of libusb 0.1's that is in flight, which then waits for it: what a computer does
            # is not known.
            if backend == "pcsc":
                report.check(f"{name}: a sleep while the card is signing", asleep_in_flight, bench, sitting)
            report.check(f"{name}: unplugged during a sleep", unplugged_asleep, bench, sitting)
        bench.clear()
    bench.machine.shell(f"cp {SERIAL_RULES} /etc/udev/rules.d; udevadm control --reload")
    for rows in WAKING:
        wake(bench, report, rows)
    bench.machine.shell("rm -f /etc/udev/rules.d/71-tapkit-serial.rules; udevadm control --reload")
