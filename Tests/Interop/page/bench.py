"""What lies around the page in a story: a card on the virtual reader of the real pcscd, and the real node."""

import base64
import contextlib
import json
import signal
import subprocess
import urllib.request


class Reader:
    """A virtual reader; `tapkit sim serve` plays the card that lies on it."""

    def __init__(self, tapkit, port):
        self.tapkit, self.port = tapkit, port
        self.server = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.take()

    def lay(self, card, *options):
        """Lays a card down; another one must have been taken away."""
        assert self.server is None
        self.server = subprocess.Popen(
            [self.tapkit, "sim", "serve", card, "--vpcd", f"127.0.0.1:{self.port}", *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def pull(self):
        """Takes the card away; it can be laid back."""
        self.server.send_signal(signal.SIGUSR1)

    def lay_back(self):
        self.server.send_signal(signal.SIGUSR2)

    def take(self):
        """Takes the card away for good."""
        if self.server is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self.server.terminate()
        self.server.wait(60)
        self.server = None


class Node:
    """A Bitcoin node, and its wallet with money in it."""

    def __init__(self, port, cookie, wallet):
        self.url = f"http://127.0.0.1:{port}/wallet/{wallet}"
        self.authorization = "Basic " + base64.b64encode(open(cookie, "rb").read().strip()).decode()

    def call(self, method, *params):
        body = json.dumps({"id": 1, "method": method, "params": params}).encode()
        request = urllib.request.Request(
            self.url, body, {"Authorization": self.authorization, "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["result"]

    def pay(self, address, bitcoin):
        """Pays an address, unconfirmed until `mine`; returns the transaction's id."""
        return self.call("sendtoaddress", address, bitcoin, "", "", False, True, None, "unset", None, 2)

    def mine(self, count=1):
        return self.call("generatetoaddress", count, self.call("getnewaddress"))

    def waits(self, txid):
        """Whether a transaction waits for a block."""
        return txid in self.call("getrawmempool")
