"""A guest that has booted: its disk and memory are saved once, and machines continue from there."""

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import threading

from machine import Fault, Machine
from saved import Saved, overlay

HERE = os.path.dirname(__file__)


class Booted(Saved):
    """The saved state of a release's guest; the guest's folder has it, too."""

    def __init__(self, guests, release):
        guest = os.path.join(guests, release)
        super().__init__(guest, os.path.join(guest, "booted"))
        self.release = release
        self.lock = threading.Lock()

    @property
    def _made(self):
        return os.path.join(self.folder, "made")

    def _recipe(self):
        """What the saved state depends on."""
        digest = hashlib.sha256(subprocess.run(["qemu-system-x86_64", "--version"], check=True, capture_output=True).stdout)
        for path in (f"{self.guest}/made", *(f"{HERE}/{name}.py" for name in ("machine", "booted", "saved"))):
            with open(path, "rb") as file:
                digest.update(file.read())
        return digest.hexdigest()

    def make(self):
        """Boots the guest, and saves it, unless that was done before."""
        with self.lock:
            recipe = self._recipe()
            if os.path.exists(self._made):
                with open(self._made, encoding="utf-8") as file:
                    if file.read() == recipe:
                        return "saved before"
            shutil.rmtree(self.folder, ignore_errors=True)
            os.makedirs(self.folder)
            machine = Machine(self.guest, overlay(f"{self.guest}/disk.img", "raw", self.disk), self.folder)
            try:
                start(machine)
                machine.save(self.memory)
            finally:
                machine.stop()
            with open(self._made, "w", encoding="utf-8") as file:
                file.write(recipe)
            return "saved"

    def machine(self, folder):
        try:
            return super().machine(folder)
        except Fault:
            # The next run saves it anew.
            with contextlib.suppress(FileNotFoundError):
                os.remove(self._made)
            raise


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
