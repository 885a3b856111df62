"""Reads a signed PSBT with three libraries; each judges its signatures and makes the transaction by itself.

In:  unsigned (Base64, as it was made), signed (Base64).
Out: per library: same_transaction (signed spends and pays the same as unsigned), signatures (per input the number of
     partial signatures, each of which verified, or -1 for a finalized input), tx (hex; null when it is not complete or
     the library cannot finalize this script). embit and wallycore also tell the version of the signed PSBT, and
     wallycore its modifiable flags; BDK reads version 0 only, and gets wallycore's conversion. A signature that does not verify, or a PSBT that a library refuses,
     ends the script with an error.
"""

import json
import sys

import bdkpython
import wallycore as wally
from embit import finalizer
from embit.ec import Signature
from embit.psbt import PSBT

request = json.load(sys.stdin)


def with_embit():
    unsigned = PSBT.from_string(request["unsigned"])
    signed = PSBT.from_string(request["signed"])
    signatures = []
    for number, scope in enumerate(signed.inputs):
        if scope.final_scriptsig or scope.final_scriptwitness:
            signatures.append(-1)
            continue
        for key, signature in scope.partial_sigs.items():
            digest = signed.sighash(number, sighash=signature[-1])
            if not key.verify(Signature.parse(signature[:-1]), digest):
                raise ValueError(f"embit: the signature of {key} on input {number} does not verify")
        signatures.append(len(scope.partial_sigs))
    # embit's finalizer does not know bare multisig in P2SH and would make an empty input of it.
    legacy_multisig = any(
        scope.redeem_script and scope.witness_script is None and not scope.redeem_script.script_type()
        for scope in signed.inputs
    )
    transaction = None if legacy_multisig else finalizer.finalize_psbt(signed)
    return {
        "same_transaction": unsigned.tx.serialize() == signed.tx.serialize(),
        "version": signed.version or 0,
        "signatures": signatures,
        "tx": transaction.serialize().hex() if transaction else None,
    }


def with_wallycore(signing_keys):
    unsigned = wally.psbt_from_base64(request["unsigned"], wally.WALLY_PSBT_PARSE_FLAG_STRICT)
    signed = wally.psbt_from_base64(request["signed"], wally.WALLY_PSBT_PARSE_FLAG_STRICT)
    skeleton = wally.psbt_extract(signed, wally.WALLY_PSBT_EXTRACT_NON_FINAL)
    version = wally.psbt_get_version(signed)
    modifiable = wally.psbt_get_tx_modifiable_flags(signed) if version else 0
    signatures = []
    for number in range(wally.psbt_get_num_inputs(signed)):
        if wally.psbt_is_input_finalized(signed, number):
            signatures.append(-1)
            continue
        script = wally.psbt_get_input_signing_script(signed, number)
        script_code = wally.psbt_get_input_scriptcode(signed, number, script)
        digest = wally.psbt_get_input_signature_hash(signed, number, skeleton, script_code, 0)
        # wallycore does not list the keys that have signed, so it is asked for those that embit found.
        for key in signing_keys[number]:
            position = wally.psbt_find_input_signature(signed, number, key)
            if not position:
                raise ValueError(f"wallycore: no signature of {key.hex()} on input {number}")
            signature = wally.psbt_get_input_signature(signed, number, position - 1)
            wally.ec_sig_verify(key, digest, wally.EC_FLAG_ECDSA, wally.ec_sig_from_der(signature[:-1]))
        count = wally.psbt_get_input_signatures_size(signed, number)
        if count != len(signing_keys[number]):
            raise ValueError(f"wallycore: {count} signatures on input {number}, embit: {len(signing_keys[number])}")
        signatures.append(count)
    wally.psbt_finalize(signed, 0)
    transaction = None
    if wally.psbt_is_finalized(signed):
        final = wally.psbt_extract(signed, wally.WALLY_PSBT_EXTRACT_FINAL)
        transaction = wally.tx_to_hex(final, wally.WALLY_TX_FLAG_USE_WITNESS)
    return {
        "same_transaction": wally.psbt_get_id(unsigned, 0) == wally.psbt_get_id(signed, 0),
        "version": version,
        "modifiable": modifiable,
        "signatures": signatures,
        "tx": transaction,
    }


def with_bdkpython():
    unsigned = bdkpython.Psbt(version_0(request["unsigned"]))
    signed = bdkpython.Psbt(version_0(request["signed"]))
    signatures = []
    for scope in signed.input():
        final = scope.final_script_sig is not None or scope.final_script_witness is not None
        signatures.append(-1 if final else len(scope.partial_sigs))
    result = signed.finalize()
    transaction = result.psbt.extract_tx() if result.could_finalize else None
    return {
        "same_transaction": txid(unsigned) == txid(signed),
        "signatures": signatures,
        "tx": bytes(transaction.serialize()).hex() if transaction else None,
    }


def version_0(text):
    psbt = wally.psbt_from_base64(text, wally.WALLY_PSBT_PARSE_FLAG_STRICT)
    if wally.psbt_get_version(psbt) == 0:
        return text
    wally.psbt_set_version(psbt, 0, 0)
    return wally.psbt_to_base64(psbt, 0)


def txid(psbt):
    return json.loads(psbt.json_serialize())["unsigned_tx"]


keys = [[key.sec() for key in scope.partial_sigs] for scope in PSBT.from_string(request["signed"]).inputs]
json.dump(
    {"embit": with_embit(), "wallycore": with_wallycore(keys), "bdkpython": with_bdkpython()},
    sys.stdout,
)
