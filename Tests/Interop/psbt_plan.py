"""What a test PSBT is to hold, decided from a seed before any library is asked."""

import hashlib
import random

MULTISIG = ("p2sh-multi", "p2wsh-multi", "p2sh-p2wsh-multi")
SINGLE = ("p2pkh", "p2wpkh", "p2sh-p2wpkh")
HARDENED = 0x80000000
THRESHOLD = 2
COSIGNERS = 2


def parse_path(text):
    """The numbers of a path such as m/84h/1h/0h."""
    steps = text.split("/")[1:]
    return [int(step.rstrip("h'")) + (HARDENED if step[-1] in "h'" else 0) for step in steps]


class Plan:
    """The request of `make_psbt.py` with everything left open settled."""

    def __init__(self, request):
        self.kind = request["type"]
        if self.kind not in MULTISIG + SINGLE:
            raise ValueError(f"unknown type {self.kind}")
        self.network = request["network"]
        self.xpub = request["xpub"]
        self.fingerprint = bytes.fromhex(request["fingerprint"])
        self.path = parse_path(request["path"])
        self.full_previous = request.get("previous", "full") == "full" or self.kind in ("p2pkh", "p2sh-multi")
        self.witness_utxo = self.kind not in ("p2pkh", "p2sh-multi")
        self.is_multisig = self.kind in MULTISIG
        self.version = request.get("version", 0)

        dice = random.Random(request["seed"])
        self.cosigner_seeds = [
            hashlib.sha512(f"{request['seed']} cosigner {number}".encode()).digest() for number in range(COSIGNERS)
        ]
        self.inputs = [PlannedInput(dice, number) for number in range(request["inputs"])]
        total = sum(planned.amount for planned in self.inputs)
        self.fee = 400 * len(self.inputs) + 200
        self.payment_amount = (total - self.fee) * dice.randrange(30, 60) // 100
        self.payment_script = b"\x00\x14" + dice.randbytes(20)
        self.change_amount = total - self.fee - self.payment_amount
        self.change_steps = [1, dice.randrange(50)]
        self.change_first = dice.random() < 0.5
        # A height that nodes of tests have reached.
        self.lock_time = dice.choice([0, 100])


class PlannedInput:
    """A coin, and the transaction that it came with."""

    def __init__(self, dice, number):
        self.steps = [0, number * 7 % 101]
        self.amount = dice.randrange(50_000, 5_000_000)
        self.vout = dice.randrange(3)
        self.other_scripts = [b"\x00\x14" + dice.randbytes(20) for _ in range(2)]
        self.other_amounts = [dice.randrange(1_000, 1_000_000) for _ in range(2)]
        self.previous_txid = dice.randbytes(32)
        self.previous_vout = dice.randrange(4)
        self.sequence = dice.choice([0xFFFFFFFD, 0xFFFFFFFE])

    def outputs(self, script):
        """The coin's transaction's outputs as (amount, script), ours at `vout`."""
        outputs = list(zip(self.other_amounts, self.other_scripts))
        outputs.insert(self.vout, (self.amount, script))
        return outputs
