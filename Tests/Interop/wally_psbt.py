"""PSBTs made by wallycore."""

import wallycore as wally

from psbt_plan import THRESHOLD


def master_key(seed, network):
    version = wally.BIP32_VER_MAIN_PRIVATE if network == "main" else wally.BIP32_VER_TEST_PRIVATE
    return wally.bip32_key_from_seed(seed, version, 0)


class Builder:
    def __init__(self, plan):
        self.plan = plan
        self.signers = [(plan.fingerprint, plan.path, wally.bip32_key_from_base58(plan.xpub))]
        if plan.is_multisig:
            for seed in plan.cosigner_seeds:
                master = master_key(seed, plan.network)
                account = wally.bip32_key_from_parent_path(master, plan.path, wally.BIP32_FLAG_KEY_PUBLIC)
                self.signers.append((wally.bip32_key_get_fingerprint(master), plan.path, account))

    def scripts(self, steps):
        """Output script, redeem script, witness script and derivations of the address at some steps."""
        keys = []
        for fingerprint, path, account in self.signers:
            child = wally.bip32_key_from_parent_path(account, steps, wally.BIP32_FLAG_KEY_PUBLIC)
            keys.append((wally.bip32_key_get_pub_key(child), fingerprint, path + steps))
        first = keys[0][0]
        kind = self.plan.kind
        redeem = witness = b""
        multisig = b""
        if self.plan.is_multisig:
            multisig = wally.scriptpubkey_multisig_from_bytes(
                b"".join(key for key, _, _ in keys), THRESHOLD, wally.WALLY_SCRIPT_MULTISIG_SORTED
            )
        if kind == "p2pkh":
            output = wally.scriptpubkey_p2pkh_from_bytes(first, wally.WALLY_SCRIPT_HASH160)
        elif kind == "p2wpkh":
            output = wally.witness_program_from_bytes(first, wally.WALLY_SCRIPT_HASH160)
        elif kind == "p2sh-p2wpkh":
            redeem = wally.witness_program_from_bytes(first, wally.WALLY_SCRIPT_HASH160)
            output = wally.scriptpubkey_p2sh_from_bytes(redeem, wally.WALLY_SCRIPT_HASH160)
        elif kind == "p2sh-multi":
            redeem = multisig
            output = wally.scriptpubkey_p2sh_from_bytes(redeem, wally.WALLY_SCRIPT_HASH160)
        elif kind == "p2wsh-multi":
            witness = multisig
            output = wally.witness_program_from_bytes(witness, wally.WALLY_SCRIPT_SHA256)
        else:
            witness = multisig
            redeem = wally.witness_program_from_bytes(witness, wally.WALLY_SCRIPT_SHA256)
            output = wally.scriptpubkey_p2sh_from_bytes(redeem, wally.WALLY_SCRIPT_HASH160)
        return output, redeem, witness, keys

    def build(self):
        plan = self.plan
        unsigned = wally.tx_init(2, plan.lock_time, len(plan.inputs), 2)
        previous = []
        ours = [self.scripts(planned.steps) for planned in plan.inputs]
        for planned, mine in zip(plan.inputs, ours):
            transaction = wally.tx_init(2, 0, 1, 3)
            wally.tx_add_raw_input(
                transaction, planned.previous_txid, planned.previous_vout, 0xFFFFFFFF, None, None, 0
            )
            for amount, script in planned.outputs(mine[0]):
                wally.tx_add_raw_output(transaction, amount, script, 0)
            previous.append(transaction)
            wally.tx_add_raw_input(
                unsigned, wally.tx_get_txid(transaction), planned.vout, planned.sequence, None, None, 0
            )
        change = self.scripts(plan.change_steps)
        outputs = [(plan.payment_amount, plan.payment_script), (plan.change_amount, change[0])]
        if plan.change_first:
            outputs.reverse()
        for amount, script in outputs:
            wally.tx_add_raw_output(unsigned, amount, script, 0)

        psbt = wally.psbt_from_tx(unsigned, 0, 0)
        for number, (planned, transaction, mine) in enumerate(zip(plan.inputs, previous, ours)):
            if plan.full_previous:
                wally.psbt_set_input_utxo(psbt, number, transaction)
            if plan.witness_utxo:
                wally.psbt_set_input_witness_utxo_from_tx(psbt, number, transaction, planned.vout)
            _, redeem, witness, keys = mine
            if redeem:
                wally.psbt_set_input_redeem_script(psbt, number, redeem)
            if witness:
                wally.psbt_set_input_witness_script(psbt, number, witness)
            wally.psbt_set_input_keypaths(psbt, number, keypath_map(keys))
        number = 0 if plan.change_first else 1
        _, redeem, witness, keys = change
        if redeem:
            wally.psbt_set_output_redeem_script(psbt, number, redeem)
        if witness:
            wally.psbt_set_output_witness_script(psbt, number, witness)
        wally.psbt_set_output_keypaths(psbt, number, keypath_map(keys))
        # In version 2 it calls inputs and outputs modifiable.
        wally.psbt_set_version(psbt, 0, plan.version)
        return wally.psbt_to_base64(psbt, 0), [bytes(mine[0]) for mine in ours]


def keypath_map(keys):
    keypaths = wally.map_keypath_public_key_init(len(keys))
    for key, fingerprint, path in keys:
        wally.map_keypath_add(keypaths, key, fingerprint, path)
    return keypaths


def cosign(text, seed, network):
    """Adds the signatures of the key with this seed; returns the PSBT and how many there were to add."""
    psbt = wally.psbt_from_base64(text, wally.WALLY_PSBT_PARSE_FLAG_STRICT)
    before = signature_count(psbt)
    wally.psbt_sign_bip32(psbt, master_key(seed, network), wally.EC_FLAG_GRIND_R)
    return wally.psbt_to_base64(psbt, 0), signature_count(psbt) - before


def signature_count(psbt):
    return sum(wally.psbt_get_input_signatures_size(psbt, i) for i in range(wally.psbt_get_num_inputs(psbt)))
