"""Signs a PSBT with the key of a seed.

In:  library (embit | wallycore), psbt (Base64), seed (hex), network (main | test).
Out: psbt (Base64), signatures (how many were added).
"""

import json
import sys

import embit_psbt
import wally_psbt

request = json.load(sys.stdin)
library = {"embit": embit_psbt, "wallycore": wally_psbt}[request["library"]]
text, count = library.cosign(request["psbt"], bytes.fromhex(request["seed"]), request["network"])
json.dump({"psbt": text, "signatures": count}, sys.stdout)
