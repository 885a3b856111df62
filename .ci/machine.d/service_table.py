"""pcscd, which systemd starts when a program connects."""

from bench import Card
from report import expect


def state(bench, unit):
    return bench.machine.run("systemctl", "is-active", unit).out


def activated(bench, card):
    bench.machine.shell("systemctl stop pcscd.service")
    expect((state(bench, "pcscd.service"), state(bench, "pcscd.socket")) == ("inactive", "active"), "pcscd is stopped")
    bench.run("status", "--json", "--wait", card=card).succeeded()
    expect(state(bench, "pcscd.service") == "active", "pcscd runs")


def stopped(bench, card):
    bench.stop_service()
    result = bench.run("status", "--json", card=card)
    expect(result.status == 69, result)
    error = result.json["error"]
    expect(error["message"] and "pcscd" in error["hint"], error)
    bench.start_service()
    bench.run("status", "--json", "--wait", card=card).succeeded()


def restarted(bench, card):
    """pcscd is restarted while a card is awaited."""
    reader = bench.readers[0]
    reader.pull()
    job = bench.begin("status", "--json", "--wait", card=card)
    job.line("card")
    bench.machine.shell("systemctl restart pcscd.service")
    reader.put_back()
    job.result().succeeded()


def run(bench, report):
    card = Card(bench, "--product", "satscard")
    bench.plug("acr1252u", card)
    report.check("pcscd is started by its socket", activated, bench, card)
    report.check("without pcscd the error says what to do, and then it works", stopped, bench, card)
    report.check("pcscd may be restarted while a card is awaited", restarted, bench, card)
