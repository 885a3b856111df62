"""What independent programs say of miniscript expressions for P2WSH.

In: expressions: [text, …].
Out: results: for each, wally and embit: the script (hex), or null if it is not read; bdk: whether rust-miniscript
calls it safe to use, and then the script's address on a test network and the most weight that spending adds.
"""

import json
import sys

import bdkpython as bdk
import wallycore as wally
from embit.descriptor import Descriptor


def by_wally(text):
    try:
        parsed = wally.descriptor_parse(text, None, wally.WALLY_NETWORK_NONE, wally.WALLY_MINISCRIPT_ONLY)
        return wally.descriptor_to_script(parsed, 0, 0, 0, 0, 0, 0).hex()
    except ValueError:
        return None


def by_embit(text):
    try:
        return Descriptor.from_string(f"wsh({text})").witness_script().data.hex()
    except Exception:  # it raises all sorts for what it does not read
        return None


def by_bdk(text):
    try:
        descriptor = bdk.Descriptor(f"wsh({text})", bdk.NetworkKind.TEST)
        descriptor.sanity_check()
        address = descriptor.derive_address(0, bdk.Network.REGTEST)
        return {"address": str(address), "weight": descriptor.max_weight_to_satisfy()}
    except bdk.DescriptorError:
        return None


request = json.load(sys.stdin)
results = [
    {"wally": by_wally(text), "embit": by_embit(text), "bdk": by_bdk(text)} for text in request["expressions"]
]
json.dump({"results": results}, sys.stdout)
