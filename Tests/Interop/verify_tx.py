"""Runs the scripts of a transaction against the outputs that it spends, with every rule for relay switched on.

In:  tx (hex), spent: [{amount_sat, script}] in the order of the inputs.
Out: per judge either true or the reason.
"""

import json
import sys

from bitcointx.core import CTransaction
from bitcointx.core.script import CScript
from bitcointx.core.scripteval import (
    STANDARD_SCRIPT_VERIFY_FLAGS,
    UNHANDLED_SCRIPT_VERIFY_FLAGS,
    EvalScriptError,
    VerifyScript,
    VerifyScriptError,
)
from btclib.exceptions import BTClibException
from btclib.script.engine import verify_transaction
from btclib.script.engine.flags import ScriptFlag
from btclib.script.script_pub_key import ScriptPubKey
from btclib.tx.tx import Tx
from btclib.tx.tx_out import TxOut
from script_kernel import CONSENSUS, STANDARD, Spending

request = json.load(sys.stdin)
raw = bytes.fromhex(request["tx"])
spent = [(output["amount_sat"], bytes.fromhex(output["script"])) for output in request["spent"]]


def bitcointx_verdict():
    transaction = CTransaction.deserialize(raw)
    if len(transaction.vin) != len(spent):
        return f"{len(transaction.vin)} inputs spend {len(spent)} outputs"
    flags = STANDARD_SCRIPT_VERIFY_FLAGS - UNHANDLED_SCRIPT_VERIFY_FLAGS
    for number, (amount, script) in enumerate(spent):
        witness = transaction.wit.vtxinwit[number].scriptWitness if transaction.wit.vtxinwit else None
        try:
            VerifyScript(
                transaction.vin[number].scriptSig, CScript(script), transaction, number, flags, amount, witness
            )
        except (VerifyScriptError, EvalScriptError) as error:
            return f"input {number}: {error}"
    return True


def btclib_verdict():
    flags = ScriptFlag(0)
    for flag in ScriptFlag:
        flags |= flag
    prevouts = [TxOut(amount, ScriptPubKey(script)) for amount, script in spent]
    try:
        verify_transaction(prevouts, Tx.parse(raw), flags)
    except BTClibException as error:
        return str(error)
    return True


def kernel_verdict():
    """Bitcoin Core itself, by consensus and by the rules for relay."""
    try:
        spending = Spending(raw, spent)
    except (RuntimeError, ValueError) as error:
        return str(error) or "no transaction"
    for number in range(len(spent)):
        for flags in (CONSENSUS, STANDARD):
            if (name := spending.verdict(number, flags)) != "OK":
                return f"input {number}: {name}"
    return True


json.dump(
    {"bitcointx": bitcointx_verdict(), "btclib": btclib_verdict(), "kernel": kernel_verdict()}, sys.stdout
)
