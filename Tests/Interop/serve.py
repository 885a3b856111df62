"""Runs the scripts beside it for whoever connects, each in a process of its own that has the libraries already: importing them
takes longer than what most scripts do.

Standard input: stays open as long as there is anybody to serve. Standard output: a listening socket.
A connection: in, the script's name, a line feed, and what the script finds on its standard input, to the end; out, one JSON
object with status, output and errors. A script that takes longer than two minutes is killed, and answers nothing.
"""

import contextlib
import gc
import importlib
import io
import json
import os
import runpy
import select
import signal
import socket
import sys
import traceback

LIBRARIES = ["bdkpython", "bitcointx.core.scripteval", "btclib.script.engine", "embit.psbt", "hwilib.psbt", "pbk", "wallycore"]


def run(script, request):
    """Runs a script; returns its exit status and what it wrote to both outputs."""
    sys.stdin = io.TextIOWrapper(io.BytesIO(request))
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            runpy.run_path(os.path.join(os.path.dirname(__file__), script), run_name="__main__")
            status = 0
        except SystemExit as end:
            # As Python has it: nothing is success, and what is no number is said.
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
            if not isinstance(end.code, int | None):
                print(end.code, file=sys.stderr)
        except BaseException:
            traceback.print_exc()
            status = 1
    return status, output.getvalue(), errors.getvalue()


def answer(connection):
    signal.alarm(120)
    script, _, request = connection.makefile("rb").read().partition(b"\n")
    status, output, errors = run(script.decode(), request)
    connection.sendall(json.dumps({"status": status, "output": output, "errors": errors}).encode())


for library in LIBRARIES:
    importlib.import_module(library)
gc.freeze()
# Nobody waits for the processes: they are gone when they end.
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
listener = socket.socket(fileno=sys.stdout.fileno())
while sys.stdin not in select.select([sys.stdin, listener], [], [])[0]:
    connection, _ = listener.accept()
    if os.fork() == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        try:
            answer(connection)
        finally:
            os._exit(0)
    connection.close()
