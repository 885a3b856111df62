"""The saved disk and memory of a machine, from which others continue."""

import os
import subprocess
import time

from machine import Fault, Machine


class Saved:
    """What is saved in `folder`, of the guest whose kernel and first disk are in `guest`."""

    def __init__(self, guest, folder):
        self.guest, self.folder = guest, folder
        self.disk, self.memory = os.path.join(folder, "disk.qcow2"), os.path.join(folder, "memory")

    def machine(self, folder):
        """A machine of its own that continues from the saved state."""
        os.makedirs(folder, exist_ok=True)
        machine = Machine(self.guest, overlay(self.disk, "qcow2", f"{folder}/disk.qcow2"), folder, memory=self.memory)
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
