"""Runs the real ElectrumX until its standard input ends, so that it never outlives the test that started it."""

import os
import sys
import threading

from electrumx.cli.electrumx_server import main
from electrumx.server.mempool import MemPool

# It looks for waiting transactions every 5 s, which no setting shortens.
MemPool.__init__.__kwdefaults__["refresh_secs"] = 0.2


def end_with_input():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_input, daemon=True).start()
main()
