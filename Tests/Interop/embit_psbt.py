"""PSBTs made by embit."""

from embit import bip32, ec, script
from embit.networks import NETWORKS
from embit.psbt import PSBT, DerivationPath
from embit.transaction import Transaction, TransactionInput, TransactionOutput

from psbt_plan import THRESHOLD


def master_key(seed, network):
    return bip32.HDKey.from_seed(seed, version=NETWORKS[network]["xprv"])


class Builder:
    def __init__(self, plan):
        self.plan = plan
        self.signers = [(plan.fingerprint, plan.path, bip32.HDKey.from_string(plan.xpub))]
        if plan.is_multisig:
            for seed in plan.cosigner_seeds:
                master = master_key(seed, plan.network)
                self.signers.append((master.my_fingerprint, plan.path, master.derive(plan.path).to_public()))

    def scripts(self, steps):
        """Output script, redeem script, witness script and derivations of the address at some steps."""
        keys = [(fingerprint, path, account.derive(steps).key) for fingerprint, path, account in self.signers]
        derivations = {key: DerivationPath(fingerprint, path + steps) for fingerprint, path, key in keys}
        pubkeys = sorted((key for _, _, key in keys), key=lambda key: key.sec())
        kind = self.plan.kind
        redeem = witness = None
        if kind == "p2pkh":
            output = script.p2pkh(pubkeys[0])
        elif kind == "p2wpkh":
            output = script.p2wpkh(pubkeys[0])
        elif kind == "p2sh-p2wpkh":
            redeem = script.p2wpkh(pubkeys[0])
            output = script.p2sh(redeem)
        elif kind == "p2sh-multi":
            redeem = script.multisig(THRESHOLD, pubkeys)
            output = script.p2sh(redeem)
        elif kind == "p2wsh-multi":
            witness = script.multisig(THRESHOLD, pubkeys)
            output = script.p2wsh(witness)
        else:
            witness = script.multisig(THRESHOLD, pubkeys)
            redeem = script.p2wsh(witness)
            output = script.p2sh(redeem)
        return output, redeem, witness, derivations

    def build(self):
        plan = self.plan
        ours = [self.scripts(planned.steps) for planned in plan.inputs]
        previous = [
            Transaction(
                2,
                [TransactionInput(planned.previous_txid, planned.previous_vout)],
                [TransactionOutput(amount, script.Script(data)) for amount, data in planned.outputs(mine[0].data)],
            )
            for planned, mine in zip(plan.inputs, ours)
        ]
        change = self.scripts(plan.change_steps)
        outputs = [
            TransactionOutput(plan.payment_amount, script.Script(plan.payment_script)),
            TransactionOutput(plan.change_amount, change[0]),
        ]
        if plan.change_first:
            outputs.reverse()
        unsigned = Transaction(
            2,
            [
                TransactionInput(transaction.txid(), planned.vout, sequence=planned.sequence)
                for transaction, planned in zip(previous, plan.inputs)
            ],
            outputs,
            plan.lock_time,
        )
        psbt = PSBT(unsigned, version=plan.version or None)
        for scope, planned, transaction, mine in zip(psbt.inputs, plan.inputs, previous, ours):
            if plan.full_previous:
                scope.non_witness_utxo = transaction
            if plan.witness_utxo:
                scope.witness_utxo = transaction.vout[planned.vout]
            self.describe(scope, mine)
        self.describe(psbt.outputs[0 if plan.change_first else 1], change)
        return psbt.to_base64(), [bytes(mine[0].data) for mine in ours]

    @staticmethod
    def describe(scope, scripts):
        _, scope.redeem_script, scope.witness_script, derivations = scripts
        scope.bip32_derivations.update(derivations)


def cosign(text, seed, network):
    """Adds the signatures of the key with this seed; returns the PSBT and how many there were to add."""
    psbt = PSBT.from_string(text)
    count = psbt.sign_with(master_key(seed, network))
    return psbt.to_base64(), count
