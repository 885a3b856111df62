"""The longest short command through libnfc, and the longest answer to one, as a script for the guest: 255 bytes of data
there, 256 back. The arguments are how many bytes of data the reader's driver takes, and libnfc's name of the device, unless
it finds it by itself."""

SCRIPT = r"""
import ctypes, sys
nfc = ctypes.CDLL("libnfc.so.6")
pointer = ctypes.c_void_p
nfc.nfc_open.restype, nfc.nfc_open.argtypes = pointer, [pointer, ctypes.c_char_p]
nfc.nfc_initiator_init.argtypes = nfc.nfc_close.argtypes = [pointer]
nfc.nfc_strerror.restype, nfc.nfc_strerror.argtypes = ctypes.c_char_p, [pointer]

class Modulation(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("speed", ctypes.c_int)]

ISO14443A, SPEED_106 = 1, 1
nfc.nfc_initiator_select_passive_target.argtypes = [pointer, Modulation, pointer, ctypes.c_size_t, pointer]
nfc.nfc_initiator_transceive_bytes.argtypes = [
    pointer, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]
context = pointer()
nfc.nfc_init(ctypes.byref(context))
device = nfc.nfc_open(context, sys.argv[2].encode() if len(sys.argv) > 2 else None)
assert device, "no device"
assert nfc.nfc_initiator_init(device) == 0
target = ctypes.create_string_buffer(1024)
found = nfc.nfc_initiator_select_passive_target(device, Modulation(ISO14443A, SPEED_106), None, 0, target)
assert found == 1, f"no card: {found}"

def exchange(command):
    answer = ctypes.create_string_buffer(264)
    size = nfc.nfc_initiator_transceive_bytes(device, command, len(command), answer, len(answer), 5000)
    return size, answer.raw[:max(0, size)]

def transmit(command):
    size, answer = exchange(command)
    assert size >= 0, f"{len(command)} bytes: {size}, {nfc.nfc_strerror(device).decode()}"
    return answer

tag, file = bytes.fromhex("d2760000850101"), bytes.fromhex("e104")
assert transmit(bytes([0x00, 0xA4, 0x04, 0x00, len(tag)]) + tag) == b"\x90\x00"
assert transmit(bytes([0x00, 0xA4, 0x00, 0x0C, len(file)]) + file) == b"\x90\x00"
longest = transmit(bytes([0x00, 0xB0, 0x00, 0x00, 0x00]))
assert longest[-2:] == b"\x90\x00" and longest[6:].startswith(b"\x04tapsigner.com"), longest

application = bytes.fromhex("f0436f696e6b697465434152447631")
assert transmit(bytes([0x00, 0xA4, 0x04, 0x00, len(application)]) + application)[-2:] == b"\x90\x00"

# A map of CBOR with a field that means nothing.
def padded(length):
    start = b"\xa2\x63cmd\x66status\x63pad\x58"
    fill = length - len(start) - 1
    return bytes([0x00, 0xCB, 0x00, 0x00, length]) + start + bytes([fill]) + bytes(fill)

INVALID_ARGUMENT = -2
limit = int(sys.argv[1])
# What is too long is refused at once, and the next command works.
if limit < 255:
    assert exchange(padded(limit + 1))[0] == INVALID_ARGUMENT
answer = transmit(padded(limit))
assert answer[-2:] == b"\x90\x00" and b"card_nonce" in answer, answer
nfc.nfc_close(device)
print(len(longest) - 2)
"""
