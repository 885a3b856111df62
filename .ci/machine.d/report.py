"""What passed and what failed."""

import sys
import time
import traceback

from machine import Fault

BEGAN = time.monotonic()


class Report:
    """The checks of one machine, which its lines name."""

    def __init__(self, machine="", quiet=False):
        self.machine, self.quiet, self.passed, self.failed = machine, quiet, 0, []
        # By table: how many checks passed, how many failed, and how many seconds they took.
        self.tables, self.table = {}, None

    def _say(self, text):
        if not self.quiet:
            sys.stdout.write(f"{time.monotonic() - BEGAN:4.0f} s  {self.machine:10}{text}\n")
            sys.stdout.flush()

    def begin(self, table):
        """What follows belongs to a table."""
        self.heading(table)
        self.table = self.tables[table] = [0, 0, 0.0]

    def _count(self, column, began):
        if self.table:
            self.table[column] += 1
            self.table[2] += time.monotonic() - began

    def heading(self, text):
        self._say(f"== {text}")

    def check(self, name, body, *arguments, **options):
        """Runs one check; it fails by raising. Returns what it returns, or None if it failed."""
        began = time.monotonic()
        try:
            answer = body(*arguments, **options)
        except Fault as fault:
            self._fail(name, str(fault), began)
            return None
        except Exception:  # pylint: disable=broad-except
            self._fail(name, traceback.format_exc(), began)
            return None
        self.passed += 1
        self._count(0, began)
        note = f": {answer}" if isinstance(answer, str) and len(answer) < 60 else ""
        self._say(f"ok      {name}{note} ({time.monotonic() - began:.1f} s)")
        return answer if answer is not None else True

    def survives(self, name, body, *arguments):
        """Runs checks; whether they came to their end."""
        began = time.monotonic()
        try:
            body(*arguments)
        except Exception:  # pylint: disable=broad-except
            self._fail(f"{name}: to its end", traceback.format_exc(), began)
            return False
        return True

    def _fail(self, name, reason, began):
        self.failed.append(name)
        self._count(1, began)
        lines = [f"FAILED  {name} ({time.monotonic() - began:.1f} s)"]
        lines += [f"            {line[:1000]}" for line in reason.splitlines()]
        self._say("\n".join(lines))


def end(reports):
    """The last lines, and the exit status."""
    print(f"\n{'table':10} passed  failed  seconds")
    for report in reports:
        for table, (passed, lost, seconds) in report.tables.items():
            print(f"{table:10} {passed:6}  {lost:6}  {seconds:7.0f}")
    failed = [f"{report.machine}: {name}" for report in reports for name in report.failed]
    if failed:
        print("\nFailed:")
        print("\n".join(f"  {name}" for name in failed))
    print(f"\n{sum(report.passed for report in reports)} passed, {len(failed)} failed", flush=True)
    return 1 if failed else 0


def expect(condition, what):
    """Fails the check unless the condition holds."""
    if not condition:
        raise Fault(str(what))
