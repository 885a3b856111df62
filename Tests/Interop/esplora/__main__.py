"""Esplora's HTTP interface on a free loopback port, over a real node.

It is a stand-in, written from Esplora's published description: what it tells comes from the node, block by block, and what
it is given to send goes there.

Usage: python3 esplora NODE_PORT COOKIE_FILE. Prints its port, and runs until its standard input ends.
"""

import sys
import threading

from esplora import Esplora
from http_service import serve
from mirror import Mirror
from node import Node


def main():
    mirror = Mirror(Node(int(sys.argv[1]), sys.argv[2]))
    print(serve(Esplora(mirror).answer, threading.Lock()), flush=True)
    sys.stdin.read()


main()
