"""What the node's blocks and mempool hold, by script: the index that Esplora has and the node has not."""

from dataclasses import dataclass

from node import Refusal
from transactions import Reader, Transaction, double_sha256


@dataclass
class Block:
    raw: bytes
    height: int
    transactions: list

    @staticmethod
    def parse(raw, height):
        reader = Reader(raw)
        reader.take(80)
        return Block(raw, height, [Transaction.parse(reader) for _ in range(reader.compact_size())])

    @property
    def hash(self):
        return double_sha256(self.raw[:80])[::-1].hex()

    @property
    def version(self):
        return int.from_bytes(self.raw[:4], "little", signed=True)

    @property
    def time(self):
        return int.from_bytes(self.raw[68:72], "little")


class Mirror:
    def __init__(self, node):
        self.node = node
        self.known = {}  # hash -> block
        self.blocks = []
        self.mempool = {}  # txid -> transaction, in order of arrival
        self.state = None
        # A lie that a test has it tell: transactions that the node does not have, with the height at which each was told.
        self.invented = []

    @property
    def height(self):
        return self.blocks[-1].height

    def update(self):
        """Reads from the node what has changed."""
        tip, waiting = self.node.calls([("getbestblockhash", ()), ("getrawmempool", ())])
        state = tip, sorted(waiting), len(self.invented)
        if state == self.state:
            return
        if not self.blocks or self.blocks[-1].hash != tip:
            self.read_blocks()
        self.read_mempool(waiting)
        self.index()
        self.state = state

    def read_blocks(self):
        height = self.node.call("getblockcount")
        hashes = self.node.calls([("getblockhash", (h,)) for h in range(height + 1)])
        # A block may be replaced while it is asked for: the next look finds out.
        hashes = hashes[:next((h for h, text in enumerate(hashes) if isinstance(text, Refusal)), len(hashes))]
        missing = [(h, text) for h, text in enumerate(hashes) if text not in self.known]
        for (h, text), raw in zip(missing, self.node.calls([("getblock", (text, 0)) for _, text in missing])):
            self.known[text] = Block.parse(bytes.fromhex(raw), h)
        self.blocks = [self.known[text] for text in hashes]

    def read_mempool(self, waiting):
        new = [txid for txid in waiting if txid not in self.mempool]
        kept = {txid: t for txid, t in self.mempool.items() if txid in waiting}
        for txid, raw in zip(new, self.node.calls([("getrawtransaction", (txid,)) for txid in new])):
            if not isinstance(raw, Refusal):
                kept[txid] = Transaction.parse(bytes.fromhex(raw))
        self.mempool = kept

    def index(self):
        self.coins = {}  # outpoint -> (output, height, is coinbase)
        self.places = {}  # txid -> (transaction, height or None)
        self.histories = {}  # script -> [txid], oldest first
        self.spent_in_mempool = {}  # outpoint -> txid
        for block in self.blocks:
            for transaction in block.transactions:
                self.record(transaction, block.height)
        for transaction, height in self.invented:
            self.record(transaction, height + 1 if height < self.height else None)
        # A child may have been told of before its parent.
        self.places.update((txid, (transaction, None)) for txid, transaction in self.mempool.items())
        for transaction in self.mempool.values():
            self.record(transaction, None)

    def record(self, transaction, height):
        self.places[transaction.txid] = (transaction, height)
        scripts = [o.script for o in transaction.outputs]
        for i in transaction.inputs:
            if i.outpoint[0] in self.places:
                scripts.append(self.places[i.outpoint[0]][0].outputs[i.outpoint[1]].script)
            if height is None:
                self.spent_in_mempool[i.outpoint] = transaction.txid
            else:
                self.coins.pop(i.outpoint, None)
        for index, output in enumerate(transaction.outputs):
            if not output.script.startswith(b"\x6a"):
                self.coins[(transaction.txid, index)] = (output, height, transaction.is_coinbase)
        for script in dict.fromkeys(scripts):
            self.histories.setdefault(script, []).append(transaction.txid)

    def coin(self, outpoint):
        """An unspent output with its height (None: mempool) and whether it is a coinbase's."""
        return None if outpoint in self.spent_in_mempool else self.coins.get(outpoint)
