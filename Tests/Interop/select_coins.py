"""Lets BDK choose coins, for many wallets that each have one transaction's outputs.

In:  descriptor and change_descriptor (public, ranged), sets: [{amounts_sat, payment_sat, payment_script (hex),
     sat_per_kwu}].
Out: choices: per set {inputs (numbers of the amounts), fee_sat, change_sat (null when there is none)}, or null when BDK finds
     that there is not enough.
"""

import json
import sys

import bdkpython as bdk
import wallycore as wally

request = json.load(sys.stdin)
receive = bdk.Descriptor(request["descriptor"], bdk.NetworkKind.TEST)
change = bdk.Descriptor(request["change_descriptor"], bdk.NetworkKind.TEST)


def choice(number, wanted):
    wallet = bdk.Wallet(receive, change, bdk.Network.REGTEST, bdk.Persister.new_in_memory(), 1)
    script = wallet.reveal_next_address(bdk.KeychainKind.EXTERNAL).address.script_pubkey().to_bytes()
    funding = wally.tx_init(2, 0, 1, len(wanted["amounts_sat"]))
    wally.tx_add_raw_input(funding, number.to_bytes(32, "big"), 0, 0xFFFFFFFF, b"\x51", None, 0)
    for amount in wanted["amounts_sat"]:
        wally.tx_add_raw_output(funding, amount, bytes(script), 0)
    transaction = bdk.Transaction(wally.tx_to_bytes(funding, 0))
    wallet.apply_unconfirmed_txs([bdk.UnconfirmedTx(tx=transaction, last_seen=1)])
    payment = bytes.fromhex(wanted["payment_script"])
    builder = (
        bdk.TxBuilder()
        .add_recipient(bdk.Script(payment), bdk.Amount.from_sat(wanted["payment_sat"]))
        .fee_rate(bdk.FeeRate.from_sat_per_kwu(wanted["sat_per_kwu"]))
    )
    try:
        psbt = builder.finish(wallet)
    except bdk.CreateTxError.CoinSelection:
        return None
    made = json.loads(psbt.json_serialize())["unsigned_tx"]
    back = [output["value"] for output in made["output"] if output["script_pubkey"] != wanted["payment_script"]]
    return {
        "inputs": sorted(int(entry["previous_output"].rsplit(":")[1]) for entry in made["input"]),
        "fee_sat": psbt.fee(),
        "change_sat": back[0] if back else None,
    }


json.dump({"choices": [choice(number + 1, wanted) for number, wanted in enumerate(request["sets"])]}, sys.stdout)
