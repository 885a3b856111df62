"""Debian 13: pcscd asks polkit who may use cards; and a reader that Debian 12's libccid does not know."""

import polkit_gaps
from bench import Card
from readers_table import judge
from report import expect

RULES = "/etc/polkit-1/rules.d/50-tapkit.rules"
FURTHER_RULES = "/etc/polkit-1/rules.d/51-satoshi.rules"
ROWS = [("acr1552u", "pcsc", "ACS ACR1552")]


def seated(bench, card):
    """Whoever sits at the machine is admitted: a process of satoshi's session there."""
    session = bench.machine.shell("loginctl show-seat seat0 --property=ActiveSession --value")
    script = (f"echo $$ >/sys/fs/cgroup/user.slice/user-$(id -u satoshi).slice/session-{session}.scope/cgroup.procs; "
              "cd; exec setpriv --reuid=satoshi --regid=satoshi --init-groups env HOME=/home/satoshi "
              "tapkit readers --json --wait --reader pcsc")
    answer = bench.machine.run("bash", "-euc", script).succeeded().json
    expect(answer["readers"][0].get("card", {}).get("ident") == card.ident, answer)


def refused(bench, card):
    result = bench.run("status", "--json", card=card, user="hal")
    expect(result.status not in (0, 70), result)
    error = result.json["error"]
    expect(error["message"] and error["hint"], error)
    doctor = bench.doctor(user="hal")
    expect(not doctor.usable, doctor.findings)
    found = doctor.problems("pcscd_permission")
    expect(len(found) == 1 and "polkit refuses hal" in found[0]["evidence"], doctor.findings)
    expect(RULES in found[0]["remedy"], found)
    return found[0]["remedy"].split(f"{RULES}: ")[1]


def admit(bench, card, user, file, rule):
    """Waits until polkit, which notices new rules by itself, admits a user."""
    bench.give(file, rule + "\n", user="root")
    bench.machine.shell(f"chmod 644 {file}")

    def ask():
        return bench.run("status", "--json", card=card, user=user)
    bench.machine.until(lambda: ask().status == 0, lambda: str(ask()))


def allowed(bench, card, rule):
    admit(bench, card, "hal", RULES, rule)
    expect(bench.doctor(user="hal").usable, "the doctor")
    result = bench.run("status", "--json", card=card, user="finney")
    expect(result.status != 0, f"others are still refused: {result}")


def run(bench, report):
    card = Card(bench)
    bench.plug("acr1252u", card)
    report.check("the person at the machine is admitted", seated, bench, card)
    rule = report.check("others are refused; the doctor says why, and prints a rule", refused, bench, card)
    if rule:
        report.check("with that rule one of them is allowed, and nobody else", allowed, bench, card, rule)
        # What is run for satoshi here is not part of his session at the machine.
        if report.check("with another name in it, another one is allowed", admit, bench, card, "satoshi", FURTHER_RULES,
                        rule.replace('"hal"', '"satoshi"')):
            judge(bench, report, ROWS)
        polkit_gaps.run(bench, report)
