"""A virtual machine that QEMU runs, and the commands that run in it."""

import json
import os
import queue
import re
import shlex
import signal
import socket
import struct
import subprocess
import threading
import time

# How long anything may take before it counts as a failure; nothing waits this long on purpose.
LIMIT = 240


class Fault(Exception):
    """Something did not happen, or not as it should."""


class Result:
    """What a command in the guest said, and how it ended."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    @property
    def json(self):
        try:
            return json.loads(self.out)
        except ValueError:
            raise Fault(f"no JSON: {self}") from None

    def succeeded(self):
        if self.status != 0:
            raise Fault(f"{self}")
        return self

    def __str__(self):
        return f"exit status {self.status}: {self.out.strip()} {self.err.strip()}".strip()


class Job:
    """A command that runs in the guest."""

    def __init__(self, machine, number, words):
        self.machine, self.number, self.words = machine, number, words
        self.messages, self.lines, self.status = queue.Queue(), [], None

    def _next(self, until, limit=LIMIT):
        try:
            message = self.messages.get(timeout=max(0, until - time.monotonic()))
        except queue.Empty:
            stacks = self.machine.stacks(self.words.split()[0])
            self.signal(signal.SIGKILL)
            raise Fault(
                f"{self.words}: still running after {limit} s; so far: {self._text(None)}; it waits in: {stacks}"
            ) from None
        if message is None:
            raise Fault(f"{self.words}: the machine is gone")
        if "status" in message:
            self.status = message["status"]
        else:
            self.lines.append((message["stream"], message["line"]))

    def _text(self, stream):
        return "\n".join(line for name, line in self.lines if stream in (None, name))

    def line(self, pattern, limit=LIMIT):
        """Waits until the command prints a line that the pattern matches."""
        until, seen = time.monotonic() + limit, 0
        while True:
            while seen < len(self.lines):
                if re.search(pattern, self.lines[seen][1]):
                    return self.lines[seen][1]
                seen += 1
            if self.status is not None:
                raise Fault(f"{self.words}: ended without “{pattern}”, {self.result()}")
            self._next(until)

    def result(self, limit=LIMIT):
        until = time.monotonic() + limit
        while self.status is None:
            self._next(until, limit)
        return Result(self.status, self._text("out"), self._text("err"))

    def said(self):
        """What it has said until now, and how it ended, if it has."""
        while not self.messages.empty():
            self._next(time.monotonic() + 1)
        return self.status, self.lines

    def signal(self, number):
        self.machine.tell(id=self.number, signal=int(number))


class Machine:
    """A guest with its disk. Its USB ports are sockets in `folder`: usb1, usb2. With a saved memory it continues from
    there instead of booting."""

    running = []

    def __init__(self, guest, disk, folder, memory=None):
        self.folder = folder
        self.jobs, self.count, self.lock, self.agent, self.is_examined = {}, 0, threading.Lock(), None, False
        self.rests = threading.Event()
        # A processor without wide registers, which take an emulator long. Of QEMU 7.2's chipsets, q35 falls asleep only
        # once: after it wakes up, its sleep register is out of reach.
        command = [
            "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "qemu64", "-M", "pc", "-m", "1536", "-smp", "1",
            "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-vga", "std",
            "-kernel", f"{guest}/vmlinuz", "-initrd", f"{guest}/initrd.img",
            "-append", "root=/dev/vda rw console=ttyS0 quiet mitigations=off nokaslr norandmaps no_timer_check",
            "-drive", f"file={disk},format=qcow2,if=virtio,cache=unsafe",
            "-chardev", f"file,id=console,path={folder}/console", "-serial", "chardev:console",
            "-device", "virtio-serial", "-chardev", self._socket("agent"),
            "-device", "virtserialport,chardev=agent,name=tapkit",
            "-chardev", self._socket("monitor"), "-mon", "chardev=monitor,mode=control",
            "-device", "qemu-xhci,id=xhci", "-global", "PIIX4_PM.disable_s3=0",
        ]
        for port in (1, 2):
            command += ["-chardev", self._socket(f"usb{port}"),
                        "-device", f"usb-redir,chardev=usb{port},id=usb{port},bus=xhci.0,port={port}"]
        if memory:
            command += ["-S", "-incoming", f"exec:cat {shlex.quote(memory)}"]
        self.log = open(f"{folder}/qemu", "wb")
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        Machine.running.append(self)
        self.events = []
        try:
            self.monitor, self.heard = self._connect("monitor"), b""
            self._hear()
            self.ask("qmp_capabilities")
            self.until(lambda: self.ask("query-status")["status"] != "inmigrate", lambda: "QEMU reads the memory for ever")
            # Without the host's side, the guest's agent would end at once.
            self.agent = self._connect("agent")
            self.ask("cont")
        except (Fault, OSError) as fault:
            self.stop()
            with open(f"{folder}/qemu", encoding="utf-8", errors="replace") as log:
                raise Fault(f"{fault}: {log.read()}") from None
        threading.Thread(target=self._listen, daemon=True).start()
        self.nudges = threading.Thread(target=self._nudge, daemon=True)
        self.nudges.start()

    def _socket(self, name):
        return f"socket,id={name},path={self.folder}/{name},server=on,wait=off"

    def _connect(self, name):
        end = time.monotonic() + LIMIT
        while time.monotonic() < end and self.process.poll() is None:
            connection = socket.socket(socket.AF_UNIX)
            if name == "agent":
                # It listens without a limit.
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", LIMIT, 0))
            else:
                connection.settimeout(LIMIT)
            try:
                connection.connect(f"{self.folder}/{name}")
                return connection
            except OSError:
                connection.close()
                time.sleep(0.05)
        with open(f"{self.folder}/qemu", encoding="utf-8", errors="replace") as log:
            raise Fault(f"QEMU does not start: {log.read()}")

    def _listen(self):
        for text in self.agent.makefile("rb"):
            message = json.loads(text)
            job = self.jobs.get(message["id"])
            if job:
                job.messages.put(message)
        for job in list(self.jobs.values()):
            job.messages.put(None)

    def _nudge(self):
        """After a sleep, what was sent to the guest waits in QEMU until something else is sent."""
        try:
            while not self.rests.wait(0.5):
                # A signal for a command that there is not.
                self.tell(id=0, signal=0)
        except (Fault, OSError):
            pass

    def save(self, memory):
        """Stops the machine, and writes its memory to a file; its disk is then as its memory has it."""
        self.rests.set()
        self.nudges.join()
        # What was sent before has reached the agent then.
        self.shell("sync")
        self.ask("stop")
        self.ask("migrate-set-parameters", **{"max-bandwidth": 1 << 40})
        # QEMU does not wait until all of it is in the file.
        part = f"{memory}.part"
        self.ask("migrate", uri=f"exec:cat >{shlex.quote(part)} && mv {shlex.quote(part)} {shlex.quote(memory)}")
        self.until(lambda: self.ask("query-migrate")["status"] in ("completed", "failed"), lambda: "QEMU writes for ever")
        state = self.ask("query-migrate")
        if state["status"] != "completed":
            raise Fault(f"the memory is not saved: {state}")
        self.until(lambda: os.path.exists(memory), lambda: f"{memory} is not written")

    def plug_disk(self, file):
        """Plugs another disk in, which the guest can only read; the disk's device there."""
        self.ask("blockdev-add", **{"node-name": "files", "driver": "raw", "read-only": True,
                                    "file": {"driver": "file", "filename": file}})
        self.ask("device_add", driver="virtio-blk-pci", drive="files", id="files", serial="files")
        device = "/dev/disk/by-id/virtio-files"
        self.shell(f"udevadm wait --timeout={LIMIT} {device}")
        return device

    def unplug_disk(self):
        """Takes that disk away again."""
        self.ask("device_del", id="files")
        self.shell(f"udevadm wait --timeout={LIMIT} --removed /dev/disk/by-id/virtio-files")
        self.event("DEVICE_DELETED")

    def tell(self, **message):
        # What follows a line that was cut off begins on a line of its own.
        line = b"\n" + json.dumps(message).encode() + b"\n"
        with self.lock:
            try:
                self.agent.sendall(line)
            except BlockingIOError:
                raise Fault(f"the machine has taken nothing for {LIMIT} s") from None

    def ask(self, command, **arguments):
        """Has QEMU's monitor do something. Events that come before the answer are kept."""
        self.monitor.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        while True:
            answer = self._hear()
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise Fault(f"QEMU, {command}: {answer['error']['desc']}")
            self.events.append(answer["event"])

    def _hear(self):
        while b"\n" not in self.heard:
            try:
                part = self.monitor.recv(1 << 16)
            except OSError as error:
                raise Fault(f"QEMU's monitor says nothing more: {error}") from None
            if not part:
                raise Fault("QEMU has ended")
            self.heard += part
        line, self.heard = self.heard.split(b"\n", 1)
        return json.loads(line)

    def event(self, name):
        """Waits for an event of QEMU's: SUSPEND, WAKEUP, DEVICE_DELETED."""
        while name not in self.events:
            self.events.append(self._hear().get("event"))
        self.events.remove(name)

    def start(self, *words, user="root", env=None, text=""):
        """Starts a command in the guest."""
        with self.lock:
            self.count += 1
            job = self.jobs[self.count] = Job(self, self.count, " ".join(words))
        self.tell(id=job.number, run=list(words), user=user, env=env or {}, input=text)
        return job

    def run(self, *words, **options):
        """Runs a command in the guest, to its end."""
        return self.start(*words, **options).result()

    def stacks(self, name):
        """Where the threads of a program, of tapkit and of pcscd are in the kernel, and what pcscd said last."""
        # A machine that does not answer is asked once.
        if self.is_examined:
            return "nobody knows"
        self.is_examined = True
        # Shells are not told apart.
        programs = "tapkit|pcscd" if name == "bash" else f"tapkit|pcscd|{name}"
        script = """
            for process in $(pgrep -x "$0"); do
                tr '\\0' ' ' </proc/$process/cmdline && echo
                for task in /proc/$process/task/*; do cat "$task/comm" "$task/stack"; done
            done
            journalctl --unit pcscd.service --unit pcscd.socket --lines 20 --no-pager --output short-monotonic
            """
        try:
            return self.run("bash", "-c", script, programs).out
        except Fault:
            return "the machine does not answer"

    def shell(self, script, **options):
        """Runs a script in the guest that has to succeed; what it prints."""
        return self.run("bash", "-euc", script, **options).succeeded().out.strip()

    def stop(self):
        """Ends the machine, as when its power is cut."""
        self.rests.set()
        Machine.running.remove(self)
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()
        self.log.close()

    def until(self, condition, reason, limit=LIMIT):
        """Waits until a condition in the guest holds, which can only be asked for again and again."""
        end = time.monotonic() + limit
        while not condition():
            if time.monotonic() > end:
                raise Fault(reason())
            time.sleep(0.1)
