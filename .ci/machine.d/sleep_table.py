"""The machine is suspended to memory, and resumes."""

from machine import Fault
from readers_table import Sitting, seen, set_up
from report import expect


def fall_asleep(bench):
    # By itself: logind sometimes takes no second request.
    job = bench.machine.start("bash", "-c", "echo mem >/sys/power/state")
    try:
        bench.machine.event("SUSPEND")
    except Fault as fault:
        raise Fault(f"{fault}; {bench.machine.events}; {job.said()}; {bench.machine.run('dmesg').out[-1500:]}") from None
    return job


def nap(bench):
    """Suspends the machine and wakes it up; its clock and what runs in it stand still in between."""
    job = fall_asleep(bench)
    bench.machine.ask("system_wakeup")
    bench.machine.event("WAKEUP")
    job.result().succeeded()


def asleep(bench, sitting):
    nap(bench)
    sitting.run("status", "--wait").succeeded()


def asleep_while_signing(bench, sitting):
    # Not 200 ms: libnfc gives a USB transfer up after that time, and QEMU loses one that is given up as it ends.
    reader = sitting.plug("--sign-ms", "300", "--pull-at", "20:after")
    job = sitting.begin_signing()
    seen(reader, "Card removed", job)
    nap(bench)
    reader.put_back()
    sitting.signed(job)


def unplugged_asleep(bench, sitting):
    """Another reader is there when the machine wakes up."""
    machine = bench.machine
    job = fall_asleep(bench)
    reader = bench.readers[0]
    reader.end()
    machine.ask("system_wakeup")
    machine.event("WAKEUP")
    job.result().succeeded()
    reader.leave()
    bench.readers.remove(reader)
    expect(bench.run("status", "--json", "--reader", sitting.backend).status == 69, "no reader")
    sitting.plug()
    sitting.run("status", "--wait").succeeded()


def run(bench, report):
    for model, backend in (("acr1252u", "pcsc"), ("scl3711", "nfc")):
        sitting = Sitting(bench, model, backend)
        sitting.plug()
        name = f"{model} by {backend}"
        if report.check(f"{name}: setup", set_up, sitting):
            report.check(f"{name}: works after a sleep", asleep, bench, sitting)
            report.check(f"{name}: a sleep in the middle of a signature run", asleep_while_signing, bench, sitting)
            report.check(f"{name}: unplugged during a sleep", unplugged_asleep, bench, sitting)
        bench.clear()
