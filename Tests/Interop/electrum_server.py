"""Runs the real ElectrumX until its standard input ends, so that it never outlives the test that started it."""

import os
import sys
import threading

from electrumx.cli.electrumx_server import main
from electrumx.server.transport import PaddedRSTransport

# Against traffic analysis it sends short answers once a second, which no setting shortens.
PaddedRSTransport.WAIT_FOR_BUFFER_GROWTH_SECONDS = 0.02


def end_with_input():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_input, daemon=True).start()
main()
