"""A regtest chain in memory: real genesis block, valid linkage, merkle roots, proof of work, BIP-34 heights and witness
commitments. Sums, double spends and coinbase maturity are checked; scripts and signatures are not."""

from dataclasses import dataclass

from transactions import Input, Output, Reader, Transaction, compact_size, double_sha256

COIN = 100_000_000
MATURITY = 100
BITS = 0x207FFFFF
ANYONE = b"\x51"  # OP_TRUE: what the faucet's coins are locked with
GENESIS = bytes.fromhex(
    "01000000" + "00" * 32 + "3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a" + "dae5494d" + "ffff7f20"
    + "02000000" + "01" + "01000000" + "01" + "00" * 32 + "ffffffff"
    + "4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365"
    + "636f6e64206261696c6f757420666f722062616e6b73" + "ffffffff" + "01" + "00f2052a01000000"
    + "434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b"
    + "8d578a4c702b6bf11d5fac" + "00000000")


class Refusal(Exception):
    """A transaction that the node does not take, with Core's code and reason."""

    def __init__(self, code, reason):
        super().__init__(reason)
        self.code, self.reason = code, reason


@dataclass
class Block:
    raw: bytes
    height: int
    transactions: list

    @property
    def hash(self):
        return double_sha256(self.raw[:80])[::-1].hex()

    @property
    def time(self):
        return int.from_bytes(self.raw[68:72], "little")


def merkle_root(hashes):
    while len(hashes) > 1:
        if len(hashes) % 2:
            hashes = hashes + hashes[-1:]
        hashes = [double_sha256(hashes[i] + hashes[i + 1]) for i in range(0, len(hashes), 2)]
    return hashes[0]


class Chain:
    def __init__(self):
        reader = Reader(GENESIS)
        reader.take(81)
        # The genesis coin cannot be spent.
        self.blocks = [Block(GENESIS, 0, [Transaction.parse(reader)])]
        self.coins = {}  # outpoint -> (output, height, is coinbase)
        self.mempool = {}  # txid -> transaction, in order of arrival
        self.spent_in_mempool = {}  # outpoint -> txid
        self.places = {}  # txid -> (transaction, height or None)
        self.histories = {}  # script -> [txid], in order of arrival
        self.salt = 0
        self.relay_fee = 1000  # satoshis per 1000 virtual bytes
        self.estimates = {}  # blocks -> satoshis per 1000 virtual bytes
        self.mine(MATURITY + 10)

    @property
    def height(self):
        return self.blocks[-1].height

    def coin(self, outpoint):
        """An unspent output with its height (None: mempool) and whether it is a coinbase's."""
        if outpoint in self.spent_in_mempool:
            return None
        if outpoint in self.coins:
            return self.coins[outpoint]
        parent = self.mempool.get(outpoint[0])
        if parent and outpoint[1] < len(parent.outputs):
            return parent.outputs[outpoint[1]], None, False
        return None

    def conflicts(self, transaction):
        """Waiting transactions that spend the same coins, with those that spend from them."""
        found = {self.spent_in_mempool[i.outpoint]: None for i in transaction.inputs if i.outpoint in self.spent_in_mempool}
        for txid in self.mempool:
            if any(i.outpoint[0] in found for i in self.mempool[txid].inputs):
                found[txid] = None
        return [self.mempool[txid] for txid in found]

    def forget(self, transactions):
        """Takes transactions out of the mempool."""
        for transaction in transactions:
            del self.mempool[transaction.txid]
            del self.places[transaction.txid]
            for i in transaction.inputs:
                self.spent_in_mempool.pop(i.outpoint, None)
            for history in self.histories.values():
                if transaction.txid in history:
                    history.remove(transaction.txid)

    def check(self, transaction):
        """Whether a transaction would be taken; returns its fee."""
        replaced = self.replace(transaction)
        try:
            return self.fee(transaction)
        finally:
            for old in replaced:
                self.accept(old)

    def replace(self, transaction):
        """Makes room for a transaction that replaces others, and returns those; BIP-125, rules 1, 3 and 4."""
        replaced = self.conflicts(transaction)
        if not replaced:
            return []
        if any(all(i.sequence > 0xFFFFFFFD for i in old.inputs) for old in replaced):
            raise Refusal(-26, "txn-mempool-conflict")
        old_fees = sum(self.value_in(old) - sum(o.value for o in old.outputs) for old in replaced)
        self.forget(replaced)
        try:
            fee = self.fee(transaction)
            if fee < old_fees or (fee - old_fees) * 1000 < self.relay_fee * transaction.virtual_size:
                raise Refusal(-26, "insufficient fee")
        except Refusal:
            for old in replaced:
                self.accept(old)
            raise
        return replaced

    def value_in(self, transaction):
        """What a waiting transaction spends."""
        places = (self.places[i.outpoint[0]][0].outputs[i.outpoint[1]] for i in transaction.inputs)
        return sum(output.value for output in places)

    def fee(self, transaction):
        """Checks a transaction against the coins there are; returns its fee."""
        if not transaction.inputs or not transaction.outputs or transaction.is_coinbase:
            raise Refusal(-26, "bad-txns-vin-empty" if not transaction.inputs else "bad-txns-vout-empty")
        outpoints = [i.outpoint for i in transaction.inputs]
        if len(set(outpoints)) != len(outpoints):
            raise Refusal(-26, "bad-txns-inputs-duplicate")
        sum_in = 0
        for outpoint in outpoints:
            if outpoint in self.spent_in_mempool:
                raise Refusal(-26, "txn-mempool-conflict")
            coin = self.coin(outpoint)
            if coin is None:
                raise Refusal(-25, "bad-txns-inputs-missingorspent")
            if coin[2] and self.height + 1 - coin[1] < MATURITY:
                raise Refusal(-26, "bad-txns-premature-spend-of-coinbase")
            sum_in += coin[0].value
        if any(o.value > 21_000_000 * COIN for o in transaction.outputs):
            raise Refusal(-26, "bad-txns-vout-toolarge")
        fee = sum_in - sum(o.value for o in transaction.outputs)
        if fee < 0:
            raise Refusal(-26, "bad-txns-in-belowout")
        if fee * 1000 < self.relay_fee * transaction.virtual_size:
            raise Refusal(-26, "min relay fee not met")
        return fee

    def accept(self, transaction):
        """Takes a transaction into the mempool, in place of those that it replaces."""
        self.replace(transaction)
        self.fee(transaction)
        self.mempool[transaction.txid] = transaction
        for i in transaction.inputs:
            self.spent_in_mempool[i.outpoint] = transaction.txid
        self.record(transaction, None)

    def record(self, transaction, height):
        self.places[transaction.txid] = (transaction, height)
        scripts = [o.script for o in transaction.outputs]
        for i in transaction.inputs:
            if i.outpoint[0] in self.places:
                scripts.append(self.places[i.outpoint[0]][0].outputs[i.outpoint[1]].script)
        for script in dict.fromkeys(scripts):
            history = self.histories.setdefault(script, [])
            if transaction.txid not in history:
                history.append(transaction.txid)

    def fund(self, script, value):
        """Pays a script from the faucet; returns the outpoint."""
        for outpoint in self.faucet():
            output, height, is_coinbase = self.coin(outpoint)
            if output.value > value + 2000 and (not is_coinbase or self.height + 1 - height >= MATURITY):
                change = output.value - value - 1000
                transaction = Transaction(
                    2, (Input(outpoint, b"", 0xFFFFFFFD),), (Output(value, script), Output(change, ANYONE)))
                self.accept(transaction)
                return transaction.txid, 0
        raise Refusal(-6, "the faucet is dry: mine more blocks")

    def faucet(self):
        """Unspent outpoints of the faucet's: those in blocks first, then those that wait, newest first."""
        for outpoint, (output, _, _) in self.coins.items():
            if output.script == ANYONE and outpoint not in self.spent_in_mempool:
                yield outpoint
        for txid in reversed(self.mempool):
            for index, output in enumerate(self.mempool[txid].outputs):
                if output.script == ANYONE and (txid, index) not in self.spent_in_mempool:
                    yield txid, index

    def mine(self, count, takes_mempool=True):
        """Mines blocks, the first of which takes the mempool; returns their hashes."""
        hashes = []
        for _ in range(count):
            self.connect(list(self.mempool.values()) if takes_mempool else [])
            hashes.append(self.blocks[-1].hash)
        return hashes

    def connect(self, transactions):
        height = self.height + 1
        coinbase = self.coinbase(height, transactions)
        everything = [coinbase] + transactions
        root = merkle_root([bytes.fromhex(t.txid)[::-1] for t in everything])
        time = self.blocks[-1].time + 600 if height > 1 else 1_700_000_000
        head = (0x20000000).to_bytes(4, "little") + bytes.fromhex(self.blocks[-1].hash)[::-1] + root \
            + time.to_bytes(4, "little") + BITS.to_bytes(4, "little")
        nonce = next(n for n in range(1 << 32) if double_sha256(head + n.to_bytes(4, "little"))[31] < 0x7F)
        raw = head + nonce.to_bytes(4, "little") + compact_size(len(everything)) \
            + b"".join(t.serialized() for t in everything)
        self.blocks.append(Block(raw, height, everything))
        for transaction in everything:
            self.mempool.pop(transaction.txid, None)
            for i in transaction.inputs:
                self.spent_in_mempool.pop(i.outpoint, None)
                self.coins.pop(i.outpoint, None)
            for index, output in enumerate(transaction.outputs):
                if not output.script.startswith(b"\x6a"):
                    self.coins[(transaction.txid, index)] = (output, height, transaction.is_coinbase)
            self.record(transaction, height)

    def coinbase(self, height, transactions):
        reserved = bytes(32)
        root = merkle_root([bytes(32)] + [bytes.fromhex(t.wtxid)[::-1] for t in transactions])
        commitment = b"\x6a\x24\xaa\x21\xa9\xed" + double_sha256(root + reserved)
        number = height.to_bytes((height.bit_length() + 8) // 8, "little")
        pushed = bytes([0x50 + height]) if height <= 16 else bytes([len(number)]) + number
        salt = self.salt.to_bytes(4, "little")
        subsidy = (50 * COIN) >> (height // 150)
        return Transaction(
            2, (Input(("00" * 32, 0xFFFFFFFF), pushed + b"\x04" + salt, 0xFFFFFFFF, (reserved,)),),
            (Output(subsidy, ANYONE), Output(0, commitment)))

    def reorganize(self, depth):
        """Replaces the last blocks by one more; their transactions go back to the mempool."""
        removed = self.blocks[len(self.blocks) - depth:]
        kept, waiting = self.blocks[:-depth], list(self.mempool.values())
        self.salt += 1
        self.blocks, self.coins, self.places, self.histories = kept[:1], {}, {}, {}
        self.mempool, self.spent_in_mempool = {}, {}
        for block in kept[1:]:
            self.blocks.append(block)
            for transaction in block.transactions:
                for i in transaction.inputs:
                    self.coins.pop(i.outpoint, None)
                for index, output in enumerate(transaction.outputs):
                    if not output.script.startswith(b"\x6a"):
                        self.coins[(transaction.txid, index)] = (output, block.height, transaction.is_coinbase)
                self.record(transaction, block.height)
        self.mine(depth + 1, takes_mempool=False)
        for transaction in [t for b in removed for t in b.transactions[1:]] + waiting:
            self.accept(transaction)
