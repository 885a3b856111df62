"""The runs of .ci/soak: verbs that end early in every way, with their own pcscd, libnfc and servers.

soak-runs.py TAPKIT COUNT SEED

Runs in namespaces that .ci/soak creates. Each run must exit with one of its expected statuses, and must not be killed by
any signal except a SIGQUIT that it was sent.
"""

import collections
import concurrent.futures
import dataclasses
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

SERVICE = "/usr/sbin/pcscd"
PORTS = (35963, 35964)
CVCS = {"signer": "582049137265", "satscard": "482913", "wrong": "000000", "other": "111111"}
# A run that takes longer than this many seconds hangs.
PATIENCE = 40
ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
INTERRUPTED = 130


@dataclasses.dataclass(frozen=True)
class Case:
    """One way to call tapkit, and how it must end."""

    name: str
    arguments: tuple
    right: frozenset
    # The longest time from readiness to a signal, in seconds; None for no signal.
    signal_within: float = None
    # Ctrl-C again, after the first one had time to act.
    is_pressed_twice: bool = False
    has_closed_output: bool = False
    cvc: str = None
    environment: tuple = ()


def case(words, *right, then="", **options):
    return Case(words + then, tuple(words.split()), frozenset(right), **options)


def signalled(words, *right, within=0.5, **options):
    return case(words, *right, then=", signalled", signal_within=within, **options)


def unheard(words, *right, **options):
    return case(words, *right, then=", unheard", has_closed_output=True, **options)


def pressed_twice(words, *right, **options):
    return case(words, *right, then=", pressed twice", signal_within=0.3, is_pressed_twice=True, **options)


def words_alone():
    """Runs that need no card, and end before any reader is used."""
    return [
        case("--version", 0), case("--help", 0), case("setup --help", 0), case("help errors", 0), case("frob", 64),
        case("status --frob", 64), case("setup --keep-cvc --new-cvc-file none", 64), case("status --reader frob", 64),
        case("sign none.psbt", 66), case("hwi --version", 0), case("hwi frob", 2), unheard("--help", 73),
    ]


def hwi_alone():
    return [case("hwi enumerate", 0), signalled("hwi enumerate", 0), unheard("hwi enumerate", 73)]


class Scene:
    """Cards on readers, and what is done with them."""

    def __init__(self, name, share, cards, cases, reader="pcsc", together=(1, 1, 1, 2)):
        """together: how many runs at once, chosen at random."""
        self.name, self.share, self.cards, self.cases, self.reader = name, share, cards, cases, reader
        self.together = together


def scenes(shop):
    satscard = {"cvc": shop.file("satscard.cvc")}
    signer = {"cvc": shop.file("signer.cvc")}
    wrong = {"cvc": shop.file("wrong.cvc")}
    silent = (("PCSCLITE_CSOCK_NAME", shop.silent_service()),)
    chain = tuple(f"--chain {kind}" for kind in shop.silent_servers())
    # More often than the rest: this is where the fault was that these runs are for.
    used_up = 24 * [case("setup", 65, **satscard), case("setup --wait", 65, **satscard)] + [
        case("setup", 65, **satscard), case("setup --wait", 65, **satscard), case("setup --wait=1", 65, **satscard),
        case("setup --json", 65, **satscard), signalled("setup --wait", 65, **satscard),
        unheard("setup --json", 65, **satscard), case("status", 0), case("status --wait", 0),
        case("slots", 0), case("address", 65), case("unseal --yes", 0, **satscard), case("url", 0),
        case("xpub", 65, **satscard), case("readers", 0), signalled("slots", 0), signalled("readers --watch"),
        unheard("readers --watch --json", 73), unheard("status --json", 73), case("status --card NOBODY", 75),
        case("status --card NOBODY --wait=1", 75), signalled("status --card NOBODY --wait"),
        case("status --network regtest", 0),
    ]
    two_signers = [
        case("status", 65), case("status --json", 65), case("status --wait=1", 65, 75), case("readers", 0),
        case(f"status --card {shop.ident('signer')}", 0), case(f"verify --card {shop.ident('signer')}", 0),
        case(f"xpub --card {shop.ident('signer')}", 0, **signer),
        signalled(f"xpub --card {shop.ident('signer')}", 0, **signer),
        signalled(f"verify --card {shop.ident('signer')}", 0), unheard(f"xpub --card {shop.ident('signer')}", 73, **signer),
        case(f"setup --keep-cvc --card {shop.ident('signer')}", 0, 65, **signer),
        case(f"derive m/84h/1h/0h --card {shop.ident('signer')}", 0, **signer),
        signalled(f"derive m/84h/1h/0h --card {shop.ident('signer')}", 0, **signer),
        case(f"xpub --card {shop.ident('victim')}", 77, **wrong),
        signalled(f"xpub --card {shop.ident('victim')}", 77, **wrong),
        case(f"change-cvc --card {shop.ident('victim')} --new-cvc-file {shop.file('other.cvc')}", 77, **wrong),
        case(f"slots --card {shop.ident('signer')}", 65), case(f"address --card {shop.ident('signer')} --slot 3", 65),
        signalled("readers --watch"), signalled("status", 65), pressed_twice("readers --watch"),
    ] + hwi_alone()
    no_card = [
        case("status", 75), case("setup", 75, **satscard), case("status --wait=1", 75), case("readers", 0),
        signalled("status --wait"), signalled("setup --wait", **satscard), signalled("status", 75),
        signalled("readers --watch"), unheard("status --wait=1 --json", 75), case("doctor", 0, 69),
    ] + hwi_alone()
    nothing = [
        case("status", 69), case("status --wait=1", 75), signalled("status --wait"), signalled("readers --watch"),
        case("readers", 69), case("hwi enumerate", 0),
        pressed_twice("status", environment=silent), pressed_twice("readers --watch", environment=silent),
        pressed_twice("hwi enumerate", 0, environment=silent), case("doctor", 69, environment=silent),
    ] + [signalled(f"wallet sync watched {server}", within=1.0) for server in chain] + [
        case(f"wallet sync watched --chain electrum:127.0.0.1:{shop.dead_port()}:t", 69)
    ]
    chip = [
        case("status", 0), case("status --wait", 0), case("verify", 0), case("xpub", 0, **signer),
        case("xpub", 77, then=", wrong CVC", **wrong), signalled("verify", 0), signalled("xpub", 0, **signer),
        signalled("readers --watch"), case("status --card NOBODY", 75), case("status --card NOBODY --wait=1", 75),
        signalled("status --card NOBODY --wait"), unheard("status --json", 73), case("slots", 65),
    ]
    return [
        Scene("a used-up SATSCARD", 0.40, ["used"], used_up + words_alone(), together=(1, 4)),
        Scene("two TAPSIGNERs, one of them for wrong CVCs", 0.30, ["signer", "victim"], two_signers),
        Scene("readers without a card", 0.12, [], no_card),
        Scene("a TAPSIGNER on a PN532", 0.10, ["signer"], chip, reader="chip", together=(1,)),
        Scene("no service, or one that never answers", 0.08, None, nothing),
    ]


class Workshop:
    """A folder with simulated cards, CVCs and a store, and servers that never answer."""

    def __init__(self, tapkit, folder):
        self.tapkit, self.folder, self.children, self.listeners, self.idents = tapkit, folder, [], [], {}
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C.UTF-8", "TAPKIT_DATA_DIR": f"{folder}/data",
            "GNUPGHOME": "/nonexistent",
        }
        for name, cvc in CVCS.items():
            with open(self.file(f"{name}.cvc"), "w", encoding="ascii") as file:
                file.write(cvc + "\n")
        roots = [
            self.make("used", "--product", "satscard", "--used-slots", "10", "--cvc", CVCS["satscard"]),
            self.make("signer", "--cvc", CVCS["signer"]), self.make("victim", "--cvc", CVCS["signer"]),
        ]
        self.environment["TAPKIT_ROOT_KEY"] = ",".join(dict.fromkeys(roots))
        for name in ("signer", "victim"):
            self.run("setup", "--keep-cvc", "--backup", self.file(f"{name}.aes"), "--reader", self.spec(name),
                     "--cvc-file", self.file("signer.cvc"))
        self.run("wallet", "add", "watched", "--reader", self.spec("signer"), "--cvc-file", self.file("signer.cvc"))

    def file(self, name):
        return f"{self.folder}/{name}"

    def spec(self, name):
        return "sim:" + self.file(f"{name}.json")

    def ident(self, name):
        return self.idents[name]

    def run(self, *arguments):
        command = [self.tapkit, *arguments, "--yes", "--json"]
        done = subprocess.run(command, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=PATIENCE)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stdout} {done.stderr}")
        return json.loads(done.stdout)

    def make(self, name, *options):
        answer = self.run("sim", "new", self.file(f"{name}.json"), "--network", "test", "--unlucky", "0",
                          "--wait-ms", "0", *options)
        self.idents[name] = answer["ident"]
        return answer["root_key"]

    # Servers that never answer.

    def silent_service(self):
        path = self.file("silent.comm")
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        self.swallow(listener)
        return path

    def silent_servers(self):
        ports = []
        for _ in range(2):
            listener = socket.create_server(("127.0.0.1", 0))
            self.swallow(listener)
            ports.append(listener.getsockname()[1])
        return [f"esplora:http://127.0.0.1:{ports[0]}", f"electrum:127.0.0.1:{ports[1]}:t"]

    def dead_port(self):
        listener = socket.create_server(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        listener.close()
        return port

    def swallow(self, listener):
        listener.listen(64)
        kept = []

        def accept():
            while True:
                kept.append(listener.accept()[0])
                del kept[:-64]

        threading.Thread(target=accept, daemon=True).start()

    # The readers.

    def set_up(self, scene):
        """Puts the scene's cards on its readers; returns the reader's name."""
        if scene.reader == "chip":
            link = self.file("port")
            server = self.start(self.tapkit, "sim", "serve", self.file(f"{scene.cards[0]}.json"), "--pn532",
                                "--pn532-link", link)
            while not os.path.lexists(link) and server.poll() is None:
                time.sleep(0.02)
            return f"nfc:pn532_uart:{link}"
        if scene.cards is None:
            return "pcsc"
        for _ in range(5):
            self.start(SERVICE, "--foreground", *without_polkit())
            while not self.are_readers_there():
                time.sleep(0.02)
            for name, port in zip(scene.cards, PORTS):
                self.start(self.tapkit, "sim", "serve", self.file(f"{name}.json"), "--vpcd", f"127.0.0.1:{port}")
            for _ in range(50):
                if self.count_cards() == len(scene.cards):
                    return "pcsc"
                time.sleep(0.1)
            # A busy service misses a card now and then.
            self.clear()
        sys.exit(f"The cards do not come up: {scene.name}")

    def are_readers_there(self):
        with open("/proc/net/tcp", encoding="ascii") as table:
            lines = table.read()
        return all(f":{port:04X} 00000000:0000 0A" in lines for port in PORTS) and os.path.exists("/run/pcscd/pcscd.comm")

    def count_cards(self):
        look = subprocess.run([self.tapkit, "readers", "--reader", "pcsc", "--json"], env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, timeout=PATIENCE)
        return sum("card" in reader for reader in json.loads(look.stdout).get("readers", []))

    def start(self, *command):
        child = subprocess.Popen(command, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.children.append(child)
        return child

    def clear(self):
        for child in reversed(self.children):
            child.terminate()
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        self.children.clear()
        for left in ("/run/pcscd/pcscd.comm", "/run/pcscd/pcscd.pid"):
            if os.path.exists(left):
                os.unlink(left)


def without_polkit():
    """The option that keeps pcscd from asking polkit (Debian 13), which does not run here."""
    with open(SERVICE, "rb") as program:
        return ["--disable-polkit"] if b"disable-polkit" in program.read() else []


class Run:
    """One run of a case."""

    def __init__(self, shop, reader, what, dice):
        self.shop, self.reader, self.what = shop, reader, what
        self.signal = dice.choice(ENDS) if what.signal_within is not None else None
        if what.is_pressed_twice:
            self.signal = signal.SIGINT
        self.delay = dice.uniform(0, what.signal_within or 0)
        self.right = set(what.right)
        if self.signal == signal.SIGQUIT:
            self.right.add(-signal.SIGQUIT)
        elif self.signal:
            self.right.add(INTERRUPTED)

    def go(self):
        """How it ended, if that is wrong, with what it said; None otherwise."""
        environment = dict(self.shop.environment, TAPKIT_READER=self.reader, **dict(self.what.environment))
        if self.what.cvc:
            environment["TAPKIT_CVC_FILE"] = self.what.cvc
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as remarks:
            sink = output
            if self.what.has_closed_output:
                reading, sink = os.pipe()
                os.close(reading)
            process = subprocess.Popen([self.shop.tapkit, *self.what.arguments], env=environment, cwd=self.shop.folder,
                                       stdin=subprocess.DEVNULL, stdout=sink, stderr=remarks)
            if self.what.has_closed_output:
                os.close(sink)
            try:
                self.disturb(process)
                status = process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                status = "nothing: it hangs"
            if status in self.right:
                return None
            output.seek(0)
            remarks.seek(0)
            said = (output.read() + remarks.read()).decode(errors="replace").strip()
        sent = f", sent {self.signal.name} after {self.delay:.3f} s" if self.signal else ""
        return f"{self.what.name}{sent}: ended with {status} where {sorted(self.right)} is right: {said[-400:]}"

    def disturb(self, process):
        if not self.signal:
            return
        while process.poll() is None and not listens(process.pid):
            time.sleep(0.001)
        time.sleep(self.delay)
        if process.poll() is None:
            process.send_signal(self.signal)
        if self.what.is_pressed_twice:
            try:
                process.wait(2.2)
            except subprocess.TimeoutExpired:
                process.send_signal(self.signal)


def listens(pid):
    """Whether a process has taken Ctrl-C up: before that it dies of it, as any program does."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as lines:
            caught = next((line.split()[1] for line in lines if line.startswith("SigCgt:")), "0")
    except OSError:
        return False
    return bool(int(caught, 16) & 1 << signal.SIGHUP - 1)


def main():
    tapkit, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    dice = random.Random(seed)
    failures, passed = [], 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(4) as hands:
        shop = Workshop(tapkit, folder)
        all_scenes = scenes(shop)
        try:
            for scene in all_scenes:
                wanted = round(count * scene.share)
                began = time.monotonic()
                reader = shop.set_up(scene)
                tally = collections.Counter()
                wrong = []
                # Every case once, if there is room; then at random.
                chosen = dice.sample(scene.cases, min(wanted, len(scene.cases)))
                chosen += dice.choices(scene.cases, k=wanted - len(chosen))
                dice.shuffle(chosen)
                runs = [Run(shop, reader, what, dice) for what in chosen]
                while runs:
                    together = dice.choice(scene.together)
                    now, runs = runs[:together], runs[together:]
                    tally.update(run.what.name for run in now)
                    wrong += filter(None, hands.map(Run.go, now))
                shop.clear()
                print(f"\n{scene.name}: {wanted} runs, {len(wrong)} wrong, {time.monotonic() - began:.0f} s")
                for name, number in sorted(tally.items()):
                    print(f"  {number:4d}  {name}")
                for text in wrong:
                    print(f"  WRONG {text}")
                sys.stdout.flush()
                failures += wrong
                passed += wanted - len(wrong)
        finally:
            shop.clear()
    print(f"\n{passed} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


main()
