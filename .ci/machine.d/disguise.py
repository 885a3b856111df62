"""Gives a simulated reader the identity of another device."""

import os
import socket
import threading


class Disguise:
    """Stands between a reader, which is plugged in at `path`, and the machine's `port`: it passes on what they say, but
    the reader tells another vendor and product."""

    def __init__(self, port, old, new):
        self.port, self.path = port, f"{port}-disguised"
        self.old, self.new = identity(old), identity(new)
        if os.path.exists(self.path):
            os.remove(self.path)
        self.door = socket.socket(socket.AF_UNIX)
        self.door.bind(self.path)
        self.door.listen(1)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        """Until the door is closed: a reader calls again when the machine hangs up."""
        while True:
            try:
                reader, _ = self.door.accept()
            except OSError:
                return
            machine = socket.socket(socket.AF_UNIX)
            try:
                machine.connect(self.port)
            except OSError:
                machine.close()
                reader.close()
                continue
            for ends in ((machine, reader, lambda part: part),
                         (reader, machine, lambda part: part.replace(self.old, self.new))):
                threading.Thread(target=pass_on, args=ends, daemon=True).start()

    def end(self):
        """No reader can call any more."""
        try:
            # Closing alone would leave a thread that waits there waiting.
            self.door.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.door.close()


def identity(text):
    """Vendor and product as they follow each other in a device's descriptor, and where usbredir announces it."""
    return b"".join(int(number, 16).to_bytes(2, "little") for number in text.split(":"))


def pass_on(source, target, change):
    """Until one of them hangs up; then both do. A message is never in two parts: the simulator sends it at once."""
    try:
        while part := source.recv(1 << 16):
            target.sendall(change(part))
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
