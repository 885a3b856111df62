"""Makes a PSBT that an account key and, for multisig, two generated cosigners have to sign.

In:  library (embit | wallycore), seed, network (main | test), type (see psbt_plan), xpub, fingerprint, path, inputs
     (how many), previous (full | witness-only), version (of the PSBT: 0 | 2).
Out: psbt (Base64), fee_sat, spent: [{amount_sat, script}], cosigner_seeds (hex).
"""

import json
import sys

import embit_psbt
import wally_psbt
from psbt_plan import Plan

request = json.load(sys.stdin)
plan = Plan(request)
library = {"embit": embit_psbt, "wallycore": wally_psbt}[request["library"]]
text, scripts = library.Builder(plan).build()
answer = {
    "psbt": text,
    "fee_sat": plan.fee,
    "spent": [
        {"amount_sat": planned.amount, "script": script.hex()} for planned, script in zip(plan.inputs, scripts)
    ],
    "cosigner_seeds": [seed.hex() for seed in plan.cosigner_seeds] if plan.is_multisig else [],
}
json.dump(answer, sys.stdout)
