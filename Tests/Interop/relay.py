"""Carries bytes between a TCP port and a Unix socket, so that a program in a network of its own reaches a server outside.

relay.py in PORT PATH     listens on 127.0.0.1:PORT and connects to PATH
relay.py out PATH PORT    listens on PATH and connects to 127.0.0.1:PORT
Says "ready" when it listens. Ends with its standard input.
"""

import socket
import sys
import threading


def carry(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def serve(listener, connect):
    while True:
        client, _ = listener.accept()
        try:
            server = connect()
        except OSError:
            client.close()
            continue
        for pair in ((client, server), (server, client)):
            threading.Thread(target=carry, args=pair, daemon=True).start()


def main():
    direction, first, second = sys.argv[1:]
    port, path = (int(first), second) if direction == "in" else (int(second), first)
    listener = socket.socket(socket.AF_INET if direction == "in" else socket.AF_UNIX)
    if direction == "in":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
    else:
        listener.bind(path)
    listener.listen(64)

    def connect():
        if direction == "out":
            return socket.create_connection(("127.0.0.1", port))
        server = socket.socket(socket.AF_UNIX)
        server.connect(path)
        return server

    threading.Thread(target=serve, args=(listener, connect), daemon=True).start()
    print("ready", flush=True)
    sys.stdin.read()


main()
