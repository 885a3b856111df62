"""JSON as Bitcoin Core writes it: amounts are numbers with eight decimals, which no float gives."""

import json
import re


class RPCError(Exception):
    """An error with Core's number."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = code, message


def bitcoin(satoshis):
    """An amount: a text that `encode` turns into a number."""
    sign = "-" if satoshis < 0 else ""
    return f"@@{sign}{abs(satoshis) // 100_000_000}.{abs(satoshis) % 100_000_000:08d}@@"


def encode(value):
    return re.sub(r'"@@(-?\d+\.\d{8})@@"', r"\1", json.dumps(value, separators=(",", ":"))).encode() + b"\n"
