"""Reads with HWI's own code what was answered in its place.

In:  descriptors: [text]; xpubs: [text]; psbts: [Base64]; messages: [{message, signature, public_key}]; chain.
Out: descriptors: per text its first ten scripts, the text as HWI writes it, and whether the checksum is HWI's;
     xpubs: per text what HWI decodes; psbts: per PSBT how many partial signatures each input has, and whether HWI writes the
     same bytes; messages: per message whether Core's rule holds, by the key that wallycore recovers.
"""

import base64
import json
import sys

import hwilib_curve
import wallycore as wally
from hwilib.common import hash256
from hwilib.descriptor import AddChecksum, parse_descriptor
from hwilib.key import ExtendedKey
from hwilib.psbt import PSBT
from hwilib._serialize import ser_string

request = json.load(sys.stdin)


def descriptor(text):
    parsed = parse_descriptor(text)
    scripts = [parsed.expand(index).output_script.hex() for index in range(10)] if "*" in text else []
    return {"text": parsed.to_string(), "checksum": AddChecksum(text.split("#")[0]) == text, "scripts": scripts}


def psbt(text):
    parsed = PSBT()
    parsed.deserialize(text)
    return {"signatures": [len(single.partial_sigs) for single in parsed.inputs], "same": parsed.serialize() == text}


def message(entry):
    digest = hash256(ser_string(b"Bitcoin Signed Message:\n") + ser_string(entry["message"].encode()))
    signature = base64.b64decode(entry["signature"])
    # Core's verifymessage takes P2PKH headers alone: 31 to 34 for compressed keys.
    return 31 <= signature[0] <= 34 and wally.ec_sig_to_public_key(digest, signature).hex() == entry["public_key"]


json.dump(
    {
        "descriptors": [descriptor(text) for text in request.get("descriptors", [])],
        "xpubs": [ExtendedKey.deserialize(text).get_printable_dict() for text in request.get("xpubs", [])],
        "psbts": [psbt(text) for text in request.get("psbts", [])],
        "messages": [message(entry) for entry in request.get("messages", [])],
    },
    sys.stdout,
)
