"""The maker's emulator as a card on the virtual PC/SC reader, used by tapkit.

peers-emulator.py EMULATOR.PY TAPKIT PYTHON PRODUCT

.ci/peers calls this, in its own namespaces with a running pcscd. The emulator speaks CBOR on a Unix socket; this adds the
ISO 7816 layer that cards have. Prints one line for each tapkit call: what it was, and how it ended.
"""

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time

SELECT = bytes.fromhex("00a404000ff0436f696e6b697465434152447631")
STATUS = b"\xa1\x63cmd\x66status"
ATR = bytes([0x3B, 0x88, 0x80, 0x01]) + b"Coinkite" + b"\x31"
PORT = 35963
CVC = "123456"


class Reader(threading.Thread):
    """The card's side of the virtual reader."""

    def __init__(self, emulator):
        super().__init__(daemon=True)
        self.emulator = emulator
        self.reader = socket.create_connection(("127.0.0.1", PORT))
        self.reader.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def exactly(self, count):
        data = b""
        while len(data) < count:
            part = self.reader.recv(count - len(data))
            if not part:
                sys.exit("The virtual reader hung up.")
            data += part
        return data

    def ask(self, message):
        self.emulator.sendall(message)
        return self.emulator.recv(65536)

    def answer(self, command):
        if command == SELECT:
            return self.ask(STATUS) + b"\x90\x00"
        if command[:4] == b"\x00\xcb\x00\x00" and command[4] == len(command[5:]):
            return self.ask(command[5:]) + b"\x90\x00"
        return b"\x6d\x00"

    def run(self):
        while True:
            message = self.exactly(int.from_bytes(self.exactly(2), "big"))
            if len(message) == 1:
                # Power and reset need no answer; the request for the ATR does.
                answer = ATR if message == b"\x04" else None
            else:
                answer = self.answer(message)
            if answer is not None:
                self.reader.sendall(len(answer).to_bytes(2, "big") + answer)


def start_emulator(program, python, product, pipe):
    """The emulator's process, its root key, and a connection to it."""
    process = subprocess.Popen([python, "-u", program, "--quiet", "emulate", "--pipe", pipe, f"--{product}"],
                               stdout=subprocess.PIPE, text=True)
    root = None
    while root is None:
        line = process.stdout.readline()
        if not line:
            sys.exit("The emulator ended.")
        found = re.search(r"Root cert pubkey today is: ([0-9a-f]{66})", line)
        root = found and found.group(1)
    threading.Thread(target=process.stdout.read, daemon=True).start()
    emulator = socket.socket(socket.AF_UNIX)
    while emulator.connect_ex(pipe) != 0:
        time.sleep(0.02)
    return process, root, emulator


def main():
    program, tapkit, python, product = sys.argv[1:]
    process, root, emulator = start_emulator(program, python, product, os.path.abspath("emulator"))
    Reader(emulator).start()
    with open("cvc", "w", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(CVC + "\n")
    with open("new-cvc", "w", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write("654321\n")

    def run(words, code):
        ended = subprocess.run([tapkit, *words, "--json", "--reader", "pcsc", "--wait=10", "--root-key", root],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False,
                               timeout=120)
        error = json.loads(ended.stdout or b"{}").get("error", {})
        is_right = (ended.returncode == 0) == (code is None) and error.get("code") == code
        print("ok  " if is_right else "FAIL", product, " ".join(words),
              f"— {error['code']}: {error['message']}" if error else "", flush=True)
        return is_right

    authorized = ("--cvc-file", "cvc")
    jobs = {("status",): None, ("verify",): None}
    if product == "satscard":
        jobs |= {("address",): None, ("slots",): None, ("unseal", "--yes", *authorized): None, ("slots", *authorized): None}
    else:
        jobs |= {("xpub", *authorized): None, ("derive", "m/49h/1h/7h", *authorized): None,
                 ("xpub", "--master", *authorized): None, ("message", "sign", "hello", *authorized): None}
        if product == "tapsigner":
            jobs |= {("backup", "save", "-o", "backup.aes", *authorized): None}
        # The emulator requires a backup first, even of a SATSCHIP, which cannot make one.
        jobs |= {("change-cvc", "--new-cvc-file", "new-cvc", *authorized, "--yes"):
                 None if product == "tapsigner" else "backup_first"}
    ended = [run(words, code) for words, code in jobs.items()]
    process.kill()
    sys.exit(not all(ended))


main()
