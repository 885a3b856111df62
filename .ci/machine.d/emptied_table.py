"""Without what is in a file of the package, checks fail: none of them passes by luck."""

import blacklist_table
import rules_table
from report import Report, expect

# A file, what has to notice, and which of its checks have to fail, and no others.
ROWS = [
    ("/usr/lib/udev/rules.d/70-tapkit.rules", rules_table.readers,
     {rules_table.title(model, is_for_libnfc) for model, is_for_libnfc, _ in rules_table.ROWS}),
    (rules_table.SERIAL_RULES, rules_table.boards, {rules_table.board_title(bridge) for bridge in rules_table.BOARDS}),
    ("/usr/lib/modprobe.d/tapkit-blacklist.conf", blacklist_table.readers,
     {blacklist_table.title(model) for model, _ in blacklist_table.ROWS}),
]


def noticed(bench, file, judges, wanted):
    machine = bench.machine
    # Replaced, not changed: udevd looks only at the time of the folder.
    machine.shell(f"cp {file} /root/kept; : >{file}.new; mv {file}.new {file}; udevadm control --reload")
    try:
        judged = Report(quiet=True)
        judges(bench, judged)
    finally:
        bench.clear()
        machine.shell(f"cp /root/kept {file}.new; mv {file}.new {file}; udevadm control --reload; "
                      "modprobe -r pn533_usb 2>/dev/null || true")
    expect(wanted == set(judged.failed), judged.failed or "nothing failed")
    return f"{len(judged.failed)} of {len(judged.failed) + judged.passed} fail"


def run(bench, report):
    for file, judges, wanted in ROWS:
        report.check(f"{file} is empty: checks fail", noticed, bench, file, judges, wanted)
