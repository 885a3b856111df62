"""Transactions as bytes, as far as an index of scripts reads them."""

import hashlib
from dataclasses import dataclass, field


def double_sha256(data):
    return hashlib.sha256(hashlib.sha256(data).digest()).digest()


def compact_size(number):
    if number < 0xFD:
        return bytes([number])
    if number <= 0xFFFF:
        return b"\xfd" + number.to_bytes(2, "little")
    if number <= 0xFFFFFFFF:
        return b"\xfe" + number.to_bytes(4, "little")
    return b"\xff" + number.to_bytes(8, "little")


class Reader:
    """Takes bytes from the front; `ValueError` when there are too few."""

    def __init__(self, data):
        self.data, self.position = data, 0

    def take(self, count):
        piece = self.data[self.position:self.position + count]
        if len(piece) != count:
            raise ValueError("truncated")
        self.position += count
        return piece

    def number(self, width):
        return int.from_bytes(self.take(width), "little")

    def compact_size(self):
        first = self.number(1)
        return first if first < 0xFD else self.number({0xFD: 2, 0xFE: 4, 0xFF: 8}[first])

    def sized(self):
        return self.take(self.compact_size())


@dataclass(frozen=True)
class Input:
    outpoint: tuple  # (txid as people see it, index)
    script: bytes
    sequence: int
    witness: tuple = ()


@dataclass(frozen=True)
class Output:
    value: int
    script: bytes


@dataclass(frozen=True)
class Transaction:
    version: int
    inputs: tuple
    outputs: tuple
    lock_time: int = 0
    _cache: dict = field(default_factory=dict, compare=False, hash=False)

    @staticmethod
    def parse(data):
        """Reads a transaction from a `Reader`, or one that fills the bytes."""
        reader = data if isinstance(data, Reader) else Reader(data)
        version, has_witness = reader.number(4), False
        count = reader.compact_size()
        if count == 0 and reader.data[reader.position:reader.position + 1] == b"\x01":
            reader.take(1)
            has_witness, count = True, reader.compact_size()
        inputs = []
        for _ in range(count):
            txid, index = reader.take(32)[::-1].hex(), reader.number(4)
            inputs.append(Input((txid, index), reader.sized(), reader.number(4)))
        outputs = tuple(Output(reader.number(8), reader.sized()) for _ in range(reader.compact_size()))
        if has_witness:
            inputs = [
                Input(i.outpoint, i.script, i.sequence, tuple(reader.sized() for _ in range(reader.compact_size())))
                for i in inputs]
        transaction = Transaction(version, tuple(inputs), outputs, reader.number(4))
        if reader is not data and reader.position != len(reader.data):
            raise ValueError("trailing bytes")
        return transaction

    def serialized(self, with_witness=True):
        witness = with_witness and any(i.witness for i in self.inputs)
        parts = [self.version.to_bytes(4, "little"), b"\x00\x01" if witness else b"", compact_size(len(self.inputs))]
        for i in self.inputs:
            parts += [bytes.fromhex(i.outpoint[0])[::-1], i.outpoint[1].to_bytes(4, "little"),
                      compact_size(len(i.script)), i.script, i.sequence.to_bytes(4, "little")]
        parts.append(compact_size(len(self.outputs)))
        for o in self.outputs:
            parts += [o.value.to_bytes(8, "little"), compact_size(len(o.script)), o.script]
        if witness:
            for i in self.inputs:
                parts.append(compact_size(len(i.witness)))
                parts += [compact_size(len(item)) + item for item in i.witness]
        return b"".join(parts) + self.lock_time.to_bytes(4, "little")

    @property
    def txid(self):
        if "txid" not in self._cache:
            self._cache["txid"] = double_sha256(self.serialized(False))[::-1].hex()
        return self._cache["txid"]

    @property
    def wtxid(self):
        return double_sha256(self.serialized())[::-1].hex()

    @property
    def weight(self):
        return 3 * len(self.serialized(False)) + len(self.serialized())

    @property
    def is_coinbase(self):
        return len(self.inputs) == 1 and self.inputs[0].outpoint == ("00" * 32, 0xFFFFFFFF)
