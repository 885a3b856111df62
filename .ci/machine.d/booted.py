"""A guest that has booted: its disk and memory are saved once, and machines continue from there."""

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import threading
import time

from machine import Fault, Machine

HERE = os.path.dirname(__file__)


class Booted:
    """The saved state of a release's guest; `folder` has the guest, and then what is saved."""

    def __init__(self, guests, release):
        self.guest = os.path.join(guests, release)
        self.folder = os.path.join(self.guest, "booted")
        self.lock = threading.Lock()

    def _recipe(self):
        """What the saved state depends on."""
        digest = hashlib.sha256(subprocess.run(["qemu-system-x86_64", "--version"], check=True, capture_output=True).stdout)
        for path in (f"{self.guest}/made", f"{HERE}/machine.py", f"{HERE}/booted.py"):
            with open(path, "rb") as file:
                digest.update(file.read())
        return digest.hexdigest()

    def make(self):
        """Boots the guest, and saves it, unless that was done before."""
        with self.lock:
            recipe, made = self._recipe(), os.path.join(self.folder, "made")
            if os.path.exists(made):
                with open(made, encoding="utf-8") as file:
                    if file.read() == recipe:
                        return "saved before"
            shutil.rmtree(self.folder, ignore_errors=True)
            os.makedirs(self.folder)
            disk = overlay(f"{self.guest}/disk.img", "raw", f"{self.folder}/disk.qcow2")
            machine = Machine(self.guest, disk, self.folder)
            try:
                start(machine)
                machine.save(f"{self.folder}/memory")
            finally:
                machine.stop()
            with open(made, "w", encoding="utf-8") as file:
                file.write(recipe)
            return "saved"

    def machine(self, folder):
        """A machine of its own that continues from the saved state."""
        os.makedirs(folder, exist_ok=True)
        disk = overlay(f"{self.folder}/disk.qcow2", "qcow2", f"{folder}/disk.qcow2")
        try:
            machine = Machine(self.guest, disk, folder, memory=f"{self.folder}/memory")
        except Fault:
            # The next run saves it anew.
            with contextlib.suppress(FileNotFoundError):
                os.remove(f"{self.folder}/made")
            raise
        try:
            # Its clock stood still.
            machine.shell(f"date --set=@{time.time():.3f}")
        except Fault:
            machine.stop()
            raise
        return machine


def overlay(disk, form, path):
    """A disk that begins as another one, which stays as it is."""
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-b", os.path.abspath(disk), "-F", form, path], check=True)
    return path


def start(machine):
    """Waits until everything that starts at boot has started, and satoshi sits at the machine."""
    state = machine.run("systemctl", "is-system-running", "--wait").out
    if state != "running":
        raise Fault(f"{state}: " + machine.run("systemctl", "--failed", "--no-legend").out)
    sit_down(machine)
    # The blacklist of Debian's libnfc would hide faults of ours.
    machine.shell("rm -f /etc/modprobe.d/blacklist-libnfc.conf")


def sit_down(machine):
    """Waits until satoshi sits at the machine."""
    machine.shell("systemctl start getty@tty1.service")
    machine.until(lambda: re.search("satoshi +seat0", machine.run("loginctl").out),
                  lambda: "nobody sits at the machine: " + machine.run("loginctl").out)
