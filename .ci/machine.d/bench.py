"""Simulated cards, and the readers on which they are plugged into the machine."""

import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading

from disguise import Disguise
from listed import SCRIPT as LISTED
from machine import LIMIT, Fault

CVC = "123456"
MAKE_PSBT = os.path.join(os.path.dirname(__file__), "../../Tests/Interop/make_psbt.py")


class Card:
    """A simulated card: a file on the host."""

    def __init__(self, bench, *options):
        bench.cards += 1
        self.path = os.path.join(bench.folder, f"card-{bench.cards}.json")
        made = bench.host("sim", "new", self.path, "--json", "--cvc", CVC, "--network", "test", *options)
        self.ident, self.root_key, self.product = made["ident"], made["root_key"], made["product"]
        self.cvc = CVC

    def record(self):
        """What the card's file says of it."""
        with open(self.path, encoding="utf-8") as file:
            return json.load(file)


class Served:
    """A `sim serve` on the host."""

    running = []

    def __init__(self, bench, card, *options):
        self.machine = bench.machine
        self.heard, self.lines = [], queue.Queue()
        self.process = subprocess.Popen(
            [bench.tapkit, "sim", "serve", card.path, *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, env=bench.environment)
        bench.served.append(self)
        Served.running.append(self.process)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def line(self, pattern):
        """Waits until `sim serve` prints a line that the pattern matches."""
        while True:
            try:
                line = self.lines.get(timeout=LIMIT)
            except queue.Empty:
                raise Fault(f"sim serve: no “{pattern}” in {LIMIT} s: {self.heard}") from None
            if line is None:
                raise Fault(f"sim serve ended without “{pattern}”: {self.heard}")
            self.heard.append(line)
            if re.search(pattern, line):
                return line

    def pull(self):
        self.process.send_signal(signal.SIGUSR1)
        self.line("Card removed")

    def put_back(self):
        """Puts the card back, and the reader too if it was unplugged."""
        self.process.send_signal(signal.SIGUSR2)

    def end(self):
        """Ends it; a reader is unplugged then."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.wait(LIMIT)


class Reader(Served):
    """A reader with a card on it. It is plugged into a port of the machine from its creation until `unplug`.
    With an identity, which is the model's and another one, it says that it is the other."""

    def __init__(self, bench, model, card, port=1, options=(), identity=None):
        path = f"{bench.machine.folder}/usb{port}"
        self.disguise = Disguise(path, *identity) if identity else None
        if self.disguise:
            path = self.disguise.path
        super().__init__(bench, card, "--usb", f"{model}={path}", *options)
        self.model, self.port, self.device = model, port, f"/sys/bus/usb/devices/1-{port}"
        self.line("plugged in")
        self.arrive()

    def arrive(self):
        """Waits until udev has finished with the device, and with its interface, for which it loads drivers."""
        self.machine.shell(f"udevadm wait --timeout={LIMIT} --initialized=true {self.device} "
                           f"{self.device}/1-{self.port}:1.0; udevadm settle")

    def leave(self):
        self.machine.shell(f"udevadm wait --timeout={LIMIT} --removed {self.device}; udevadm settle")

    def end(self):
        super().end()
        if self.disguise:
            self.disguise.end()

    def unplug(self):
        self.end()
        self.leave()

    @property
    def node(self):
        """The device's file in the guest."""
        return self.machine.shell(f". <(grep -E '^DEVNAME=' {self.device}/uevent); echo /dev/$DEVNAME")

    def driver(self):
        """The kernel's drivers of the device's interfaces."""
        return self.machine.shell(
            f"for i in {self.device}/1-*:*; do readlink $i/driver | sed 's|.*/||' || true; done").split()


class Board(Served):
    """A PN532 chip on a board with an FT232 bridge: QEMU's usb-serial, with a pseudo-terminal behind it."""

    device = "/sys/bus/usb/devices/1-3"
    port = "/dev/ttyUSB0"

    def __init__(self, bench, card, *options):
        super().__init__(bench, card, "--pn532", "--json", *options)
        self.terminal, self.is_plugged = json.loads(self.line("pn532"))["pn532"], False

    def plug(self):
        self.machine.ask("chardev-add", id="board",
                         backend={"type": "serial", "data": {"device": self.terminal}})
        self.is_plugged = True
        self.machine.ask("device_add", driver="usb-serial", chardev="board", id="bridge", bus="xhci.0", port="3")
        self.machine.shell(f"udevadm wait --timeout={LIMIT} --initialized=true {self.device}; udevadm settle")

    def unplug(self):
        self.machine.ask("device_del", id="bridge")
        self.machine.shell(f"udevadm wait --timeout={LIMIT} --removed {self.device}; udevadm settle")
        self.machine.ask("chardev-remove", id="board")
        self.is_plugged = False

    def end(self):
        if self.is_plugged:
            self.unplug()
        super().end()


class BridgedBoard:
    """A PN532 chip on a board with another bridge; the bridge is simulated, too."""

    # The simulated models; a CH9102 is a modem for the kernel.
    PORTS = {"pn532ch340": Board.port, "pn532cp2102": Board.port, "pn532ft231x": Board.port, "pn532pl2303": Board.port,
             "pn532ch9102": "/dev/ttyACM0"}

    def __init__(self, bench, model, card):
        self.bench, self.model, self.card, self.reader = bench, model, card, None
        self.port = self.PORTS[model]

    @property
    def device(self):
        return self.reader.device

    def plug(self):
        self.reader = self.bench.plug(self.model, self.card)

    def unplug(self):
        self.bench.unplug(self.reader)
        self.reader = None

    def end(self):
        if self.reader:
            self.unplug()


class Diagnosis:
    """What the doctor says."""

    def __init__(self, result):
        answer = result.json
        self.findings, self.usable, self.status = answer["findings"], answer["usable"], result.status

    def problems(self, check):
        """The findings of a check that are not in order, or that come with a remedy."""
        return [finding for finding in self.findings
                if finding["check"] == check and (not finding["ok"] or finding.get("remedy"))]


class Bench:
    """What the checks work with: the host's tapkit, the machine, cards, readers, tapkit in the guest."""

    def __init__(self, tapkit, machine, folder):
        self.tapkit, self.machine, self.folder = tapkit, machine, folder
        self.environment = {"PATH": os.environ["PATH"], "HOME": folder, "LANG": "C.UTF-8"}
        self.readers, self.served, self.cards = [], [], 0

    def host(self, *arguments):
        done = subprocess.run([self.tapkit, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env=self.environment, check=False)
        if done.returncode != 0:
            raise Fault(f"{arguments}: exit status {done.returncode}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    def plug(self, model, card, port=1, options=(), fresh=True, identity=None):
        """Plugs a reader in; it stays until `clear`, or until another one takes its port. Then pcscd starts afresh,
        unless it is to notice by itself."""
        for reader in [reader for reader in self.readers if reader.port == port]:
            self.unplug(reader)
            # pcscd may not have forgotten it yet, and would give the new one another number.
            if fresh:
                self._renew_service()
        reader = Reader(self, model, card, port, options, identity)
        self.readers.append(reader)
        return reader

    def unplug(self, reader):
        self.readers.remove(reader)
        reader.unplug()

    def clear(self):
        """Unplugs every reader. Debian 12's pcscd sometimes stops noticing readers when one is unplugged: for what comes
        next it starts afresh."""
        if not self.readers:
            return
        for reader in list(self.readers):
            self.unplug(reader)
        self._renew_service()

    def _renew_service(self):
        """Ends pcscd; it starts again for whoever asks. systemd counts how often it starts, and refuses a sixth time within
        ten seconds."""
        self.machine.shell("systemctl stop pcscd.service || true; systemctl reset-failed pcscd.service || true")

    def begin(self, *arguments, user="satoshi", card=None, env=None):
        """Starts tapkit in the guest; with a card, its factory root is accepted and its CVC is known."""
        environment = dict(env or {})
        if card:
            environment |= {"TAPKIT_ROOT_KEY": card.root_key, "TAPKIT_CARD": card.ident,
                            "TAPKIT_CVC_FILE": "-", "TAPKIT_DATA_DIR": f"/tmp/data-{card.ident}-{user}"}
        return self.machine.start("tapkit", *arguments, user=user, env=environment,
                                  text=f"{card.cvc if card else CVC}\n")

    def run(self, *arguments, **options):
        return self.begin(*arguments, **options).result()

    def psbt(self, account, inputs, seed):
        """An unsigned PSBT that spends coins of the account that `setup` or `xpub` answered."""
        request = {"library": "embit", "seed": seed, "network": "test", "type": "p2wpkh", "inputs": inputs,
                   "xpub": account["xpub"], "fingerprint": account["fingerprint"], "path": account["path"]}
        made = subprocess.run([sys.executable, MAKE_PSBT], input=json.dumps(request), capture_output=True, text=True,
                              check=False)
        if made.returncode != 0:
            raise Fault(made.stderr)
        return json.loads(made.stdout)["psbt"]

    def give(self, path, content, user="satoshi"):
        """Writes a text file in the guest."""
        self.machine.run("tee", path, user=user, text=content).succeeded()

    def stop_service(self):
        self.machine.shell("systemctl stop pcscd.socket pcscd.service")

    def start_service(self):
        self.machine.shell("systemctl start pcscd.socket")

    def until_listed(self):
        """Waits until pcscd, which starts for whoever asks, lists a reader."""
        self.machine.run("python3", "-c", LISTED, user="satoshi").succeeded()

    def doctor(self, *arguments, user="satoshi", env=None):
        return Diagnosis(self.run("doctor", "--json", *arguments, user=user, env=env))

    def end(self):
        """Ends what was started on the host."""
        for served in self.served:
            if served.process.poll() is None:
                served.process.kill()
            served.process.wait()
