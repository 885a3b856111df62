"""Waits until pcscd lists a reader, as a script for the guest: much shorter than the doctor, which nothing is asked of here.
It exchanges nothing with the card."""

SCRIPT = """
import ctypes, time
pcsc = ctypes.CDLL("libpcsclite.so.1")
context, names, length = ctypes.c_long(), ctypes.create_string_buffer(4096), ctypes.c_ulong()
assert pcsc.SCardEstablishContext(2, None, None, ctypes.byref(context)) == 0

def listed():
    length.value = len(names)
    return pcsc.SCardListReaders(context, None, names, ctypes.byref(length)) == 0 and length.value > 1

while not listed():
    time.sleep(0.05)
pcsc.SCardReleaseContext(context)
"""
