"""The longest short command through PC/SC, and the longest answer to one, as a script for the guest: 255 bytes of data
there, 256 back; and a command of extended length, which tapkit never sends. The argument is what the reader takes:
"short" or "extended" commands."""

SCRIPT = """
import ctypes, sys
pcsc = ctypes.CDLL("libpcsclite.so.1")
context, card, protocol = ctypes.c_long(), ctypes.c_long(), ctypes.c_ulong()
names, length = ctypes.create_string_buffer(4096), ctypes.c_ulong(4096)
SHARED, ANY, LEAVE = 2, 3, 0
assert pcsc.SCardEstablishContext(2, None, None, ctypes.byref(context)) == 0
assert pcsc.SCardListReaders(context, None, names, ctypes.byref(length)) == 0
name = next(name for name in names.raw.split(b"\\0") if name and b"SAM" not in name)
assert pcsc.SCardConnect(context, name, SHARED, ANY, ctypes.byref(card), ctypes.byref(protocol)) == 0

class Header(ctypes.Structure):
    _fields_ = [("protocol", ctypes.c_ulong), ("size", ctypes.c_ulong)]

def exchange(command):
    answer, size = ctypes.create_string_buffer(4096), ctypes.c_ulong(4096)
    header = Header(protocol.value, ctypes.sizeof(Header))
    status = pcsc.SCardTransmit(card, ctypes.byref(header), command, len(command), None, answer, ctypes.byref(size))
    return status & 0xFFFFFFFF, answer.raw[:size.value]

def transmit(command):
    status, answer = exchange(command)
    assert status == 0, hex(status)
    return answer

application = bytes.fromhex("f0436f696e6b697465434152447631")
assert transmit(bytes([0x00, 0xA4, 0x04, 0x00, len(application)]) + application)[-2:] == b"\\x90\\x00"
# A map of CBOR with a field that means nothing.
data = b"\\xa2\\x63cmd\\x66status\\x63pad\\x58" + bytes([237]) + bytes(237)
assert len(data) == 255
answer = transmit(bytes([0x00, 0xCB, 0x00, 0x00, 255]) + data)
assert answer[-2:] == b"\\x90\\x00" and b"card_nonce" in answer, answer

# Longer than two messages of most readers', and than one of any: libccid gives it to the reader in parts. The simulated
# card knows only short commands, and says that the length is wrong. If a reader takes no parts, libccid refuses the
# command. Then the next one works.
NOT_TRANSACTED = 0x80100016
long = bytes([0x00, 0xCB, 0x00, 0x00, 0x00]) + (1200).to_bytes(2, "big") + bytes(1200)
status, answer = exchange(long)
if sys.argv[1] == "extended":
    assert status == 0 and answer == b"\\x67\\x00", (hex(status), answer)
else:
    assert status == NOT_TRANSACTED, (hex(status), answer)

# The card as a tag: its file of 512 bytes, which begins with the link, the first half at once.
tag, file = bytes.fromhex("d2760000850101"), bytes.fromhex("e104")
assert transmit(bytes([0x00, 0xA4, 0x04, 0x00, len(tag)]) + tag) == b"\\x90\\x00"
assert transmit(bytes([0x00, 0xA4, 0x00, 0x0C, len(file)]) + file) == b"\\x90\\x00"
answer = transmit(bytes([0x00, 0xB0, 0x00, 0x00, 0x00]))
assert answer[-2:] == b"\\x90\\x00" and answer[6:].startswith(b"\\x04tapsigner.com"), answer
pcsc.SCardDisconnect(card, LEAVE)
print(len(answer) - 2)
"""
