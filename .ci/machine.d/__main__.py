"""Runs the tables of .ci/machine in virtual machines. Its usage is there."""

import argparse
import concurrent.futures
import os
import signal
import subprocess
import sys

import blacklist_table
import board_table
import doctor_table
import emptied_table
import faults_table
import further_table
import moments_table
import package_table
import pairs_table
import polkit_table
import readers_table
import remedies_table
import rules_table
import serial_table
import service_table
import sleep_table
from bench import Bench, Served
from booted import Booted
from machine import Fault, Machine
from report import Report, end

TABLES = {
    "readers": readers_table, "further": further_table, "board": board_table, "moments": moments_table, "faults": faults_table,
    "pairs": pairs_table, "service": service_table, "sleep": sleep_table, "rules": rules_table,
    "blacklist": blacklist_table,
    "doctor": doctor_table, "remedies": remedies_table, "serial": serial_table, "emptied": emptied_table,
    "package": package_table, "polkit": polkit_table,
}
# The machines, their releases and tables; several run at a time, for two processors: what runs in them is mostly one
# process, which often waits. The longest begin; the shortest of these is followed by the next.
MACHINES = [
    ("first", "bookworm", ("pairs", "service", "sleep", "readers", "board")),
    ("second", "bookworm", ("doctor", "rules", "blacklist", "emptied")),
    ("third", "bookworm", ("faults",)),
    ("fourth", "trixie", ("polkit",)),
    ("fifth", "bookworm", ("remedies", "serial", "moments")),
    ("sixth", "bookworm", ("further", "package")),
]
AT_A_TIME = 4


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("--guests", "--folder", "--package", "--package-13", "--tapkit", "--repository"):
        parser.add_argument(name)
    parser.add_argument("tables", nargs="+")
    return parser.parse_args()


def repacked(package, folder, name, addition=""):
    """The same package without compression, which takes an emulated processor long to undo; with a higher version, if
    something is added to it."""
    unpacked, file = os.path.join(folder, name), os.path.join(folder, f"{name}-package")
    subprocess.run(["dpkg-deb", "--raw-extract", package, unpacked], check=True)
    control = os.path.join(unpacked, "DEBIAN/control")
    with open(control, encoding="utf-8") as old:
        lines = [line.rstrip("\n") + f"{addition}\n" if line.startswith("Version:") else line for line in old]
    with open(control, "w", encoding="utf-8") as new:
        new.writelines(lines)
    subprocess.run(["dpkg-deb", "--build", "-Znone", "--root-owner-group", unpacked, file], check=True,
                   stdout=subprocess.DEVNULL)
    return file


def disk(repository, folder, **files):
    """An archive that the guest gets as its second disk: packages, and the folder of setup.sh."""
    path = os.path.join(folder, "files.tar")
    for name, file in files.items():
        os.symlink(file, os.path.join(folder, f"{name}.deb"))
    subprocess.run(["tar", "--dereference", "-cf", path, "-C", folder, *(f"{name}.deb" for name in files),
                    "-C", repository, "udev"], check=True)
    return path


def run(options, name, release, booted, tables):
    """Continues with a guest that has booted, installs the package in it, and runs the tables."""
    report = Report(name)
    package = options.package_13 if release == "trixie" else options.package
    if not package:
        report.check(f"{release}: needs a package (.ci/debian13 packages judges package, or --package-13)", missing)
        return report
    folder = os.path.join(options.folder, name)
    os.makedirs(folder)
    report.heading(f"Debian {release}: {', '.join(tables)}")
    files = disk(options.repository, folder, tapkit=repacked(package, folder, "tapkit"),
                 later=repacked(package, folder, "later", "+later"))
    if not report.check("the system has booted", booted.make):
        return report
    machine = report.check("a machine continues from there", booted.machine, folder)
    if not machine:
        return report
    bench = Bench(options.tapkit, machine, folder)
    try:
        if report.check("the package is installed", bench.install, files):
            for table in tables:
                report.begin(table)
                if not report.survives(table, TABLES[table].run, bench, report) or not report.survives(table, bench.clear):
                    break
    finally:
        bench.end()
        machine.stop()
    return report


def missing():
    raise Fault("there is none")


def stop(*_):
    """Ends what was started, and this."""
    for process in [machine.process for machine in Machine.running] + Served.running:
        if process.poll() is None:
            process.kill()
    os._exit(1)


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    booted = {release: Booted(options.guests, release) for release in ("bookworm", "trixie")}
    wanted = [(name, release, booted[release], [table for table in tables if table in options.tables])
              for name, release, tables in MACHINES]
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        runs = [pool.submit(run, options, *machine) for machine in wanted if machine[-1]]
        reports = [done.result() for done in runs]
    sys.exit(end(reports))


main()
