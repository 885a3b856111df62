"""Finds the key that signed a message in the old way ("Bitcoin Signed Message").

In:  message (text), signature (Base64, 65 bytes).
Out: pubkey (hex, compressed).
"""

import base64
import json
import sys

import wallycore as wally

request = json.load(sys.stdin)
digest = wally.format_bitcoin_message(request["message"].encode(), wally.BITCOIN_MESSAGE_FLAG_HASH)
signature = base64.b64decode(request["signature"], validate=True)
# The header also names an address type, which is not part of the signature.
recoverable = bytes([27 + (signature[0] - 27) % 4 + 4]) + signature[1:]
json.dump({"pubkey": bytes(wally.ec_sig_to_public_key(digest, recoverable)).hex()}, sys.stdout)
