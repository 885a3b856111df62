"""Runs in the guest: starts the commands that the host sends through a virtual serial port, and reports what they do.

One JSON object a line, in both directions; the host sends an empty line before each.

From the host: a command to start, `{"id", "run", "user", "env", "input"}`,
or a signal for one, `{"id", "signal"}`. To the host: each line of output, `{"id", "stream", "line"}`, and at the end
`{"id", "status"}`.
"""

import io
import json
import os
import pwd
import subprocess
import sys
import threading

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
port = open(sys.argv[1], "r+b", buffering=0)
lock = threading.Lock()
running = {}


def tell(**message):
    rest = json.dumps(message).encode() + b"\n"
    with lock:
        while rest:
            rest = rest[port.write(rest):]


def pass_on(number, stream, pipe):
    for line in pipe:
        tell(id=number, stream=stream, line=line.rstrip("\n"))


def run(number, command):
    user = pwd.getpwnam(command.get("user", "root"))
    environment = {"PATH": PATH, "HOME": user.pw_dir, "USER": user.pw_name, "LOGNAME": user.pw_name, "LANG": "C.UTF-8",
                   "DEBIAN_FRONTEND": "noninteractive", "TERM": "dumb", **command.get("env", {})}
    process = subprocess.Popen(
        command["run"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        errors="replace", env=environment, cwd=user.pw_dir, user=user.pw_uid, group=user.pw_gid,
        extra_groups=os.getgrouplist(user.pw_name, user.pw_gid), start_new_session=True)
    with lock:
        running[number] = process
    readers = [threading.Thread(target=pass_on, args=(number, name, pipe))
               for name, pipe in (("out", process.stdout), ("err", process.stderr))]
    for reader in readers:
        reader.start()
    try:
        process.stdin.write(command.get("input", ""))
        process.stdin.close()
    except BrokenPipeError:
        pass
    status = process.wait()
    for reader in readers:
        reader.join()
    with lock:
        del running[number]
    tell(id=number, status=status)


def serve(number, command):
    try:
        run(number, command)
    except (OSError, KeyError) as error:
        tell(id=number, stream="err", line=f"{error}")
        tell(id=number, status=127)


for text in io.BufferedReader(port):
    try:
        order = json.loads(text)
    except ValueError:
        # An empty line; or the machine fell asleep while this one came, and what was not read yet is lost.
        continue
    if "signal" in order:
        with lock:
            if order["id"] in running:
                os.killpg(running[order["id"]].pid, order["signal"])
    else:
        threading.Thread(target=serve, args=(order["id"], order), daemon=True).start()
