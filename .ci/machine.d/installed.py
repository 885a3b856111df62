"""A guest with our package: installed once for a run, after which every table's machine continues from there."""

import os
import subprocess
import threading

from machine import Fault
from report import Report
from saved import Saved


class Installed(Saved):
    """The saved state of a release's guest with the package; `folder` is the run's for it."""

    def __init__(self, booted, package, folder, repository):
        super().__init__(booted.guest, folder)
        self.booted, self.package, self.repository = booted, package, repository
        self.report = Report(booted.release)
        self.lock, self.is_ready = threading.Lock(), None

    def ready(self):
        """Whether it is there; whoever asks first makes it, and the others wait."""
        with self.lock:
            if self.is_ready is None:
                os.makedirs(self.folder)
                self.report.begin(self.booted.release)
                self.is_ready = self._make()
            return self.is_ready

    def _make(self):
        if not self.package:
            return bool(self.report.check("needs a package (.ci/debian13 packages judges package, or --package-13)", missing))
        return bool(self.report.check("the system has booted", self.booted.make)
                    and self.report.check("the package is installed", self._install))

    def _install(self):
        files = disk(self.repository, self.folder, tapkit=repacked(self.package, self.folder, "tapkit"),
                     later=repacked(self.package, self.folder, "later", "+later"))
        machine = self.booted.machine(self.folder)
        try:
            device = machine.plug_disk(files)
            machine.shell(f"tar -xf {device} -C /root && dpkg --install /root/tapkit.deb")
            machine.unplug_disk()
            machine.save(self.memory)
        finally:
            machine.stop()


def missing():
    raise Fault("there is none")


def repacked(package, folder, name, addition=""):
    """The same package without compression, which takes an emulated processor long to undo; with a higher version, if
    something is added to it."""
    unpacked, file = os.path.join(folder, name), os.path.join(folder, f"{name}-package")
    subprocess.run(["dpkg-deb", "--raw-extract", package, unpacked], check=True)
    control = os.path.join(unpacked, "DEBIAN/control")
    with open(control, encoding="utf-8") as old:
        lines = [line.rstrip("\n") + f"{addition}\n" if line.startswith("Version:") else line for line in old]
    with open(control, "w", encoding="utf-8") as new:
        new.writelines(lines)
    subprocess.run(["dpkg-deb", "--build", "-Znone", "--root-owner-group", unpacked, file], check=True,
                   stdout=subprocess.DEVNULL)
    return file


def disk(repository, folder, **files):
    """An archive that the guest gets as its second disk: packages, and the folder of setup.sh."""
    path = os.path.join(folder, "files.tar")
    for name, file in files.items():
        os.symlink(file, os.path.join(folder, f"{name}.deb"))
    subprocess.run(["tar", "--dereference", "-cf", path, "-C", folder, *(f"{name}.deb" for name in files),
                    "-C", repository, "udev"], check=True)
    return path
