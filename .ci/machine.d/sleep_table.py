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


def asleep(bench, sitting):
    nap(bench)
    sitting.run("status", "--wait").succeeded()


def another_asleep(bench, sitting):
    if sitting.backend == "nfc":
        bench.stop_service()
    try:
        sitting.plug()
        sitting.run("status", "--wait").succeeded()
        asleep(bench, sitting)
    finally:
        bench.start_service()


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


# Two in full; the other models only wake up.
IN_FULL = (("acr1252u", "pcsc"), ("scl3711", "nfc"))


def run(bench, report):
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
    for model, backend, _ in ROWS:
        if (model, backend) not in IN_FULL:
            report.check(f"{model} by {backend}: works after a sleep", another_asleep, bench, Sitting(bench, model, backend))
            bench.clear()
    bench.machine.shell(f"cp {SERIAL_RULES} /etc/udev/rules.d; udevadm control --reload")
    for model in BridgedBoard.PORTS:
        report.check(f"{model}: works after a sleep", another_asleep, bench, BridgedSitting(bench, model))
        bench.clear()
    bench.machine.shell("rm -f /etc/udev/rules.d/71-tapkit-serial.rules; udevadm control --reload")
