"""Runs the real ElectrumX until its standard input ends, so that it never outlives the test that started it."""

import os
import sys
import threading

from electrumx.cli.electrumx_server import main


def end_with_input():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_input, daemon=True).start()
main()
