"""Runs the tables of .ci/machine in virtual machines. Its usage is there."""

import argparse
import concurrent.futures
import os
import signal
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
from installed import Installed
from machine import Machine
from report import Report, end

# The longest first: each runs in a machine of its own, and with the shortest at the end none runs alone for long.
TABLES = {
    "faults": faults_table, "doctor": doctor_table, "polkit": polkit_table, "remedies": remedies_table,
    "further": further_table, "moments": moments_table, "sleep": sleep_table, "board": board_table,
    "readers": readers_table, "rules": rules_table, "serial": serial_table, "pairs": pairs_table,
    "blacklist": blacklist_table, "emptied": emptied_table, "package": package_table, "service": service_table,
}
# On two processors: what runs in a machine is mostly one process, which often waits.
AT_A_TIME = 4


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("--guests", "--folder", "--package", "--package-13", "--tapkit", "--repository"):
        parser.add_argument(name)
    parser.add_argument("tables", nargs="+")
    return parser.parse_args()


def run(options, name, installed):
    """Continues with a guest that has the package, and runs a table."""
    report = Report(name)
    if not installed.ready():
        return report
    folder = os.path.join(options.folder, name)
    report.begin(name)
    machine = report.check("a machine continues with the package", installed.machine, folder)
    if not machine:
        return report
    bench = Bench(options.tapkit, machine, folder)
    try:
        if report.survives(name, TABLES[name].run, bench, report):
            report.survives(name, bench.clear)
    finally:
        bench.end()
        machine.stop()
    return report


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
    installed = {
        release: Installed(Booted(options.guests, release), package, os.path.join(options.folder, release), options.repository)
        for release, package in (("bookworm", options.package), ("trixie", options.package_13))
    }
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        runs = [pool.submit(run, options, table, installed["trixie" if table == "polkit" else "bookworm"])
                for table in TABLES if table in options.tables]
        tables = [done.result() for done in runs]
    reports = [each.report for each in installed.values()] + tables
    sys.exit(end(reports))


main()
