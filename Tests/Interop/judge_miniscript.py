"""What independent programs say of miniscript expressions, for P2WSH or for a leaf of taproot below an internal key.

In: expressions: [text, …]; internal_key: hexadecimal, for a leaf of taproot; parts: [text, …], of any kind.
Out: results: for each, wally: the script (hex), or null if it is not read; embit: the script that is hashed, for taproot
the output's (hex), or null; bdk: whether rust-miniscript calls it safe to use, and then the script's address on a test
network and the most weight that spending adds. types: for each part its kind and those of its properties z, o, n, d and u
that embit knows, as BIP-379 writes them, or null.
"""

import io
import json
import sys

import bdkpython as bdk
import wallycore as wally
from embit.descriptor import Descriptor
from embit.descriptor.miniscript import Miniscript


def by_wally(text, internal_key):
    flags = wally.WALLY_MINISCRIPT_ONLY | (wally.WALLY_MINISCRIPT_TAPSCRIPT if internal_key else 0)
    try:
        parsed = wally.descriptor_parse(text, None, wally.WALLY_NETWORK_NONE, flags)
        return wally.descriptor_to_script(parsed, 0, 0, 0, 0, 0, 0).hex()
    except ValueError:
        return None


def descriptor(text, internal_key):
    return f"tr({internal_key},{text})" if internal_key else f"wsh({text})"


def by_embit(text, internal_key):
    try:
        parsed = Descriptor.from_string(descriptor(text, internal_key))
        return (parsed.script_pubkey() if internal_key else parsed.witness_script()).data.hex()
    except Exception:  # it raises all sorts for what it does not read
        return None


def by_bdk(text, internal_key):
    try:
        parsed = bdk.Descriptor(descriptor(text, internal_key), bdk.NetworkKind.TEST)
        parsed.sanity_check()
        address = parsed.derive_address(0, bdk.Network.REGTEST)
        return {"address": str(address), "weight": parsed.max_weight_to_satisfy()}
    except bdk.DescriptorError:
        return None


def type_by_embit(text, is_tapscript):
    try:
        parsed = Miniscript.read_from(io.BytesIO(text.encode()), taproot=is_tapscript)
        parsed.verify()
        return parsed.type + "".join(sorted(set(parsed.properties)))
    except Exception:
        return None


request = json.load(sys.stdin)
key = request.get("internal_key")
results = [
    {"wally": by_wally(text, key), "embit": by_embit(text, key), "bdk": by_bdk(text, key)}
    for text in request["expressions"]
]
types = [type_by_embit(text, key is not None) for text in request.get("parts", [])]
json.dump({"results": results, "types": types}, sys.stdout)
