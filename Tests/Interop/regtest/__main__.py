"""A regtest chain with Bitcoin Core's and Esplora's interfaces on free loopback ports.

Usage: python3 regtest FOLDER. Writes FOLDER/.cookie, prints one line of JSON with the ports, and runs until its standard
input ends.
"""

import json
import os
import secrets
import sys
import threading

from chain import Chain
from core_rpc import Core
from esplora import Esplora
from http_service import serve


def main():
    credentials = f"__cookie__:{secrets.token_hex(32)}"
    cookie = os.path.join(sys.argv[1], ".cookie")
    with open(os.open(cookie, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(credentials)
    chain, lock = Chain(), threading.Lock()
    core_port = serve(Core(chain, credentials).answer, lock)
    esplora_port = serve(Esplora(chain).answer, lock)
    print(json.dumps({"core": core_port, "esplora": esplora_port, "cookie": cookie}), flush=True)
    sys.stdin.read()


main()
