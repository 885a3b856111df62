"""Reads QR codes as a phone would, with ZXing, and puts together what they carry: BBQr or uniform resources.

In:  frames (list of codes, each a list of texts of 0 and 1, 1 is dark), or pngs (list of hex of files), or texts.
Out: texts (what the codes say), kind (bbqr, ur or plain), type, hex (the content), parts (how many were needed).

Written from the specifications alone: BBQr.md, BCR-2020-005, BCR-2020-012. Of a uniform resource's parts only those that
are fragments themselves are used; mixtures are checked to be well-formed.
"""

import base64
import json
import sys
import zlib

import cbor2
import png
import zxingcpp

WORDS = """
able acid also apex aqua arch atom aunt away axis back bald barn belt beta bias blue body brag brew bulb buzz calm cash cats
chef city claw code cola cook cost crux curl cusp cyan dark data days deli dice diet door down draw drop drum dull duty each
easy echo edge epic even exam exit eyes fact fair fern figs film fish fizz flap flew flux foxy free frog fuel fund gala game
gear gems gift girl glow good gray grim guru gush gyro half hang hard hawk heat help high hill holy hope horn huts iced idea
idle inch inky into iris iron item jade jazz join jolt jowl judo jugs jump junk jury keep keno kept keys kick kiln king kite
kiwi knob lamb lava lazy leaf legs liar limp lion list logo loud love luau luck lung main many math maze memo menu meow mild
mint miss monk nail navy need news next noon note numb obey oboe omit onyx open oval owls paid part peck play plus poem pool
pose puff puma purr quad quiz race ramp real redo rich road rock roof ruby ruin runs rust safe saga scar sets silk skew slot
soap solo song stub surf swan taco task taxi tent tied time tiny toil tomb toys trip tuna twin ugly undo unit urge user vast
very veto vial vibe view visa void vows wall wand warm wasp wave waxy webs what when whiz wolf work yank yawn yell yoga yurt
zaps zero zest zinc zone zoom
""".split()
VALUES = {word[0] + word[3]: value for value, word in enumerate(WORDS)}
ALPHANUMERIC = set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")


def read_image(pixels, height, width):
    image = memoryview(pixels).cast("B", (height, width))
    codes = zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode, try_invert=False)
    assert len(codes) == 1, f"{len(codes)} codes"
    return codes[0].text


def read_rows(rows, scale=4):
    pixels = b"".join(
        bytes(0 if module == "1" else 255 for module in row for _ in range(scale)) * scale for row in rows
    )
    return read_image(pixels, len(rows) * scale, len(rows[0]) * scale)


def read_png(data):
    width, height, rows, _ = png.Reader(bytes=data).read()
    return read_image(b"".join(bytes(row) for row in rows), height, width)


def join_bbqr(texts):
    heads = {text[:6] for text in texts}
    assert len(heads) == 1, heads
    head = heads.pop()
    assert head[2] == "2", head
    parts = {}
    for text in texts:
        assert set(text) <= ALPHANUMERIC
        data = text[8:]
        decoded = base64.b32decode(data + "=" * (-len(data) % 8))
        assert parts.setdefault(int(text[6:8], 36), decoded) == decoded
    count = int(head[4:6], 36)
    assert sorted(parts) == list(range(count)), f"{sorted(parts)} of {count}"
    assert len({len(parts[index]) for index in range(count - 1)}) <= 1
    return head[3], b"".join(parts[index] for index in range(count)), count


def bytewords(text):
    data = bytes(VALUES[text[index : index + 2]] for index in range(0, len(text), 2))
    assert zlib.crc32(data[:-4]).to_bytes(4, "big") == data[-4:]
    return data[:-4]


def join_ur(texts):
    parts, kinds, extents = {}, set(), set()
    for text in texts:
        assert set(text) <= ALPHANUMERIC
        scheme, kind, *rest = text.lower().replace("ur:", "ur/", 1).split("/")
        assert scheme == "ur"
        kinds.add(kind)
        if len(rest) == 1:
            message = bytewords(rest[0])
            return kind, cbor2.loads(message), 1
        number, count, length, checksum, data = cbor2.loads(bytewords(rest[1]))
        assert rest[0] == f"{number}-{count}"
        extents.add((count, length, checksum, len(data)))
        if number <= count:
            parts[number] = data
    assert len(kinds) == 1 and len(extents) == 1
    count, length, checksum, _ = extents.pop()
    assert sorted(parts) == list(range(1, count + 1)), f"{sorted(parts)} of {count}"
    message = b"".join(parts[number] for number in range(1, count + 1))
    assert not any(message[length:])
    message = message[:length]
    assert zlib.crc32(message) == checksum
    return kinds.pop(), cbor2.loads(message), count


request = json.load(sys.stdin)
texts = request.get("texts", [])
texts += [read_rows(rows) for rows in request.get("frames", [])]
texts += [read_png(bytes.fromhex(data)) for data in request.get("pngs", [])]
if texts[0].startswith("B$"):
    kind, (sort, content, parts) = "bbqr", join_bbqr(texts)
elif texts[0].lower().startswith("ur:"):
    kind, (sort, content, parts) = "ur", join_ur(texts)
else:
    kind, sort, content, parts = "plain", "", texts[0].encode(), len(texts)
json.dump({"texts": texts, "kind": kind, "type": sort, "hex": content.hex(), "parts": parts}, sys.stdout)
