"""Runs the real ElectrumX until its standard input ends, so that it never outlives the test that started it."""

import os
import sys
import threading

from electrumx.cli.electrumx_server import main
from electrumx.lib.coins import BitcoinRegtest
from electrumx.server.transport import PaddedRSTransport

# Against traffic analysis it sends short answers once a second, which no setting shortens.
PaddedRSTransport.WAIT_FOR_BUFFER_GROWTH_SECONDS = 0.02
# It asks for Core 31 with an index of spenders, and the node is like Core 29. Only the calls that name an outpoint need
# that index, and nobody makes them here.
BitcoinRegtest.MIN_REQUIRED_DAEMON_VERSION = "29.0"
BitcoinRegtest.REQUIRED_DAEMON_INDEXES = ("txindex",)


def end_with_input():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_input, daemon=True).start()
main()
