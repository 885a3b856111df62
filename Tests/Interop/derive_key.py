"""Derives from an extended key; embit and wallycore must agree.

In:  key (xprv or xpub in Base58Check), path (m/…, from that key).
Out: xpub, pubkey and chain_code (hex) at the path; fingerprint (hex) of the key that was given.
"""

import json
import sys

import wallycore as wally
from embit import bip32

from psbt_plan import parse_path

request = json.load(sys.stdin)
path = parse_path(request["path"])

given = bip32.HDKey.from_string(request["key"])
derived = given.derive(path).to_public() if given.is_private else given.derive(path)

wally_given = wally.bip32_key_from_base58(request["key"])
wally_derived = (
    wally.bip32_key_from_parent_path(wally_given, path, wally.BIP32_FLAG_KEY_PUBLIC) if path else wally_given
)
wally_xpub = wally.bip32_key_to_base58(wally_derived, wally.BIP32_FLAG_KEY_PUBLIC)
if derived.to_base58() != wally_xpub:
    raise ValueError(f"embit: {derived.to_base58()}, wallycore: {wally_xpub}")

answer = {
    "xpub": wally_xpub,
    "pubkey": derived.key.sec().hex(),
    "chain_code": derived.chain_code.hex(),
    "fingerprint": given.my_fingerprint.hex(),
}
json.dump(answer, sys.stdout)
