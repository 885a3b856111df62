"""Esplora's HTTP interface, as its repository publishes it (`API.md`), over a `Mirror` of a node."""

import hashlib
import json
import re

from node import Refusal
from transactions import Transaction

PAGE = 25
MEMPOOL_PAGE = 50
TARGETS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25, 144, 504, 1008]


class Missing(Exception):
    """404 with a text."""


class Esplora:
    def __init__(self, chain):
        self.chain = chain

    def answer(self, method, path, headers, body):
        try:
            self.chain.update()
            if method == "POST" and path == "/tx":
                return 200, "text/plain", self.chain.node.call("sendrawtransaction", body.decode("ascii")).encode()
            if method == "POST" and path == "/tests/invent":
                transaction = Transaction.parse(bytes.fromhex(body.decode("ascii")))
                self.chain.invented.append((transaction, self.chain.height))
                return 200, "text/plain", b""
            if method == "POST":
                return 404, "text/plain", b""
            kind, content = self.get(path)
            return 200, kind, content
        except Missing as missing:
            return 404, "text/plain", str(missing).encode()
        except Refusal as refusal:
            error = json.dumps({"code": refusal.code, "message": refusal.reason}, separators=(",", ":"))
            return 400, "text/plain", f"sendrawtransaction RPC error: {error}".encode()
        except ValueError:
            return 400, "text/plain", b"Invalid hex string"

    def get(self, path):
        tip = self.chain.blocks[-1]
        for pattern, handler in (
                (r"/blocks/tip/height", lambda: str(tip.height)),
                (r"/blocks/tip/hash", lambda: tip.hash),
                (r"/block-height/(\d+)", self.block_hash),
                (r"/block/([0-9a-f]{64})", self.block),
                (r"/scripthash/([0-9a-f]{64})", self.statistics),
                (r"/scripthash/([0-9a-f]{64})/txs", self.first_page),
                (r"/scripthash/([0-9a-f]{64})/txs/chain(?:/([0-9a-f]{64}))?", self.next_page),
                (r"/scripthash/([0-9a-f]{64})/utxo", self.unspent),
                (r"/tx/([0-9a-f]{64})/raw", self.raw),
                (r"/fee-estimates", self.fees)):
            match = re.fullmatch(pattern, path)
            if match:
                answer = handler(*match.groups())
                if isinstance(answer, bytes):
                    return "application/octet-stream", answer
                if isinstance(answer, str):
                    return "text/plain", answer.encode()
                return "application/json", json.dumps(answer, separators=(",", ":")).encode()
        raise Missing("endpoint does not exist")

    def block_hash(self, height):
        if int(height) > self.chain.height:
            raise Missing("Block not found")
        return self.chain.blocks[int(height)].hash

    def block(self, block_hash):
        for block in self.chain.blocks:
            if block.hash == block_hash:
                return {"id": block.hash, "height": block.height, "version": block.version, "timestamp": block.time,
                        "tx_count": len(block.transactions)}
        raise Missing("Block not found")

    def status(self, height):
        if height is None:
            return {"confirmed": False}
        block = self.chain.blocks[height]
        return {"confirmed": True, "block_height": height, "block_hash": block.hash, "block_time": block.time}

    def script(self, script_hash):
        for script in self.chain.histories:
            if hashlib.sha256(script).hexdigest() == script_hash:
                return script
        return None

    def history(self, script_hash):
        """Unconfirmed and confirmed transactions, newest first."""
        txids = self.chain.histories.get(self.script(script_hash), [])
        places = [self.chain.places[txid] for txid in reversed(txids)]
        confirmed = sorted((p for p in places if p[1] is not None), key=lambda p: -p[1])
        return [p for p in places if p[1] is None], confirmed

    def transaction(self, place):
        transaction, height = place
        return {"txid": transaction.txid, "version": transaction.version, "locktime": transaction.lock_time,
                "vin": [{"txid": i.outpoint[0], "vout": i.outpoint[1], "scriptsig": i.script.hex(),
                         "is_coinbase": transaction.is_coinbase, "sequence": i.sequence} for i in transaction.inputs],
                "vout": [{"scriptpubkey": o.script.hex(), "value": o.value} for o in transaction.outputs],
                "size": len(transaction.serialized()), "weight": transaction.weight, "status": self.status(height)}

    def first_page(self, script_hash):
        waiting, confirmed = self.history(script_hash)
        return [self.transaction(p) for p in waiting[:MEMPOOL_PAGE] + confirmed[:PAGE]]

    def next_page(self, script_hash, last):
        _, confirmed = self.history(script_hash)
        ids = [p[0].txid for p in confirmed]
        if last is not None and last not in ids:
            raise Missing("last seen txid not found")
        start = 0 if last is None else ids.index(last) + 1
        return [self.transaction(p) for p in confirmed[start:start + PAGE]]

    def statistics(self, script_hash):
        waiting, confirmed = self.history(script_hash)
        return {"scripthash": script_hash, "chain_stats": self.counts(script_hash, confirmed),
                "mempool_stats": self.counts(script_hash, waiting)}

    def counts(self, script_hash, places):
        script = self.script(script_hash)
        paid = [o.value for t, _ in places for o in t.outputs if o.script == script]
        spent = [self.chain.places[i.outpoint[0]][0].outputs[i.outpoint[1]] for t, _ in places for i in t.inputs
                 if i.outpoint[0] in self.chain.places]
        taken = [o.value for o in spent if o.script == script]
        return {"funded_txo_count": len(paid), "funded_txo_sum": sum(paid), "spent_txo_count": len(taken),
                "spent_txo_sum": sum(taken), "tx_count": len(places)}

    def unspent(self, script_hash):
        script = self.script(script_hash)
        found = []
        for txid in self.chain.histories.get(script, []):
            for index, output in enumerate(self.chain.places[txid][0].outputs):
                coin = self.chain.coin((txid, index))
                if output.script == script and coin is not None:
                    found.append({"txid": txid, "vout": index, "status": self.status(coin[1]), "value": output.value})
        return found

    def raw(self, txid):
        if txid not in self.chain.places:
            raise Missing("Transaction not found")
        return self.chain.places[txid][0].serialized()

    def fees(self):
        answers = self.chain.node.calls([("estimatesmartfee", (target,)) for target in TARGETS])
        return {str(target): float(answer["feerate"] * 100_000) for target, answer in zip(TARGETS, answers)
                if "feerate" in answer}
