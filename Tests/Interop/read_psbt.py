"""Reads an unsigned PSBT with five libraries.

In:  psbt (Base64), tx (hex, unsigned).
Out: per library: same_transaction (it is about tx), fee_sat (null where the library does not tell), inputs and outputs (for
     each how many keys have an origin), extended_keys (how many; null where the library does not tell). A PSBT that a
     library refuses ends the script with an error. btclib also tells weight: of the transaction once it is signed, with
     signatures of 72 bytes, or null where there is more than one way to sign. BDK reads version 0 only, and gets wallycore's conversion.
"""

import json
import sys

import bdkpython
import wallycore as wally
from btclib.exceptions import BTClibException
from btclib_wallet.psbt.psbt import Psbt
from embit.psbt import PSBT
from hwilib.psbt import PSBT as HWIPSBT

request = json.load(sys.stdin)
text = request["psbt"]
unsigned = request["tx"]


def with_embit():
    psbt = PSBT.from_string(text)
    psbt.verify()
    count = lambda scope: len(scope.bip32_derivations) + len(scope.taproot_bip32_derivations)
    return {
        "same_transaction": psbt.tx.serialize().hex() == unsigned,
        "fee_sat": psbt.fee(),
        "inputs": [count(scope) for scope in psbt.inputs],
        "outputs": [count(scope) for scope in psbt.outputs],
        "extended_keys": len(psbt.xpubs),
    }


def with_wallycore():
    psbt = wally.psbt_from_base64(text, wally.WALLY_PSBT_PARSE_FLAG_STRICT)
    skeleton = wally.psbt_extract(psbt, wally.WALLY_PSBT_EXTRACT_NON_FINAL)
    # It counts no x-only keys.
    return {
        "same_transaction": wally.tx_to_hex(skeleton, 0) == unsigned,
        "fee_sat": None,
        "inputs": [wally.psbt_get_input_keypaths_size(psbt, i) for i in range(wally.psbt_get_num_inputs(psbt))],
        "outputs": [wally.psbt_get_output_keypaths_size(psbt, i) for i in range(wally.psbt_get_num_outputs(psbt))],
        "extended_keys": None,
    }


def with_bdkpython():
    source = wally.psbt_from_base64(text, wally.WALLY_PSBT_PARSE_FLAG_STRICT)
    if wally.psbt_get_version(source):
        wally.psbt_set_version(source, 0, 0)
    psbt = bdkpython.Psbt(wally.psbt_to_base64(source, 0))
    plain = bdkpython.Psbt.from_unsigned_tx(bdkpython.Transaction(bytes.fromhex(unsigned)))
    described = json.loads(psbt.json_serialize())
    # Not from its own objects: its Python cannot hold leaves of a tree of scripts.
    count = lambda scope: len(scope["bip32_derivation"]) + len(scope["tap_key_origins"])
    return {
        "same_transaction": described["unsigned_tx"] == json.loads(plain.json_serialize())["unsigned_tx"],
        "fee_sat": psbt.fee(),
        "inputs": [count(scope) for scope in described["inputs"]],
        "outputs": [count(scope) for scope in described["outputs"]],
        "extended_keys": len(described["xpub"]),
    }


def with_hwi():
    psbt = HWIPSBT()
    psbt.deserialize(text)
    count = lambda scope: len(scope.hd_keypaths) + len(scope.tap_bip32_paths)
    transaction = psbt.get_unsigned_tx().serialize_without_witness().hex()
    # Of version 2 it forgets the version and the lock time of the transaction.
    ends = slice(8, -8) if psbt.version == 2 else slice(None)
    return {
        "same_transaction": transaction[ends] == unsigned[ends],
        "fee_sat": None,
        "inputs": [count(scope) for scope in psbt.inputs],
        "outputs": [count(scope) for scope in psbt.outputs],
        "extended_keys": len(psbt.xpub),
    }


def with_btclib():
    psbt = Psbt.b64decode(text)
    psbt.assert_valid()
    psbt.assert_signable()
    try:
        weight = psbt.weight_estimate()
    except BTClibException:
        weight = None
    count = lambda scope: len(scope.hd_key_paths) + len(scope.taproot_hd_key_paths)
    return {
        "same_transaction": psbt.tx.serialize(include_witness=False).hex() == unsigned,
        "fee_sat": None,
        "inputs": [count(scope) for scope in psbt.inputs],
        "outputs": [count(scope) for scope in psbt.outputs],
        "extended_keys": len(psbt.hd_key_paths),
        "weight": weight,
    }


json.dump(
    {
        "embit": with_embit(),
        "wallycore": with_wallycore(),
        "bdkpython": with_bdkpython(),
        "hwi": with_hwi(),
        "btclib": with_btclib(),
    },
    sys.stdout,
)
