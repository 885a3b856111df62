"""Bitcoin Core's JSON-RPC as far as ElectrumX and tapkit call it. Strict: unknown methods and wrong parameters are
refused with Core's numbers. Methods that begin with `test_` are for the tests that own the chain."""

import base64
import hashlib
import json

from chain import BITS, Refusal
from core_json import RPCError, bitcoin, encode
from core_wallet import Wallet
from transactions import Transaction

VERSION = 310_000


class Core:
    def __init__(self, chain, credentials):
        self.chain, self.wallets = chain, {}
        self.authorization = "Basic " + base64.b64encode(credentials.encode()).decode()
        self.calls = []

    # HTTP

    def answer(self, method, path, headers, body):
        if headers.get("Authorization") != self.authorization:
            return 401, "text/html", b""
        if method != "POST":
            return 405, "text/plain", b"JSONRPC server handles only POST requests"
        wallet = None
        if path.startswith("/wallet/"):
            wallet = path[len("/wallet/"):]
        elif path != "/":
            return 404, "text/plain", b""
        try:
            request = json.loads(body)
        except ValueError:
            return 500, "application/json", encode(self.failure(None, RPCError(-32700, "Parse error")))
        if isinstance(request, list):
            return 200, "application/json", encode([self.reply(r, wallet) for r in request])
        reply = self.reply(request, wallet)
        error = reply["error"]
        status = 200 if error is None else {-32600: 400, -32601: 404}.get(error["code"], 500)
        return status, "application/json", encode(reply)

    def failure(self, identifier, error):
        return {"result": None, "error": {"code": error.code, "message": error.message}, "id": identifier}

    def reply(self, request, wallet):
        identifier = request.get("id") if isinstance(request, dict) else None
        try:
            if not isinstance(request, dict) or not isinstance(request.get("method"), str):
                raise RPCError(-32600, "Missing method" if isinstance(request, dict) else "Invalid Request object")
            parameters = request.get("params", [])
            if not isinstance(parameters, list):
                raise RPCError(-32600, "Params must be an array or object")
            return {"result": self.call(request["method"], parameters, wallet), "error": None, "id": identifier}
        except RPCError as error:
            return self.failure(identifier, error)
        except Refusal as refusal:
            return self.failure(identifier, RPCError(refusal.code, refusal.reason))

    def call(self, method, parameters, wallet):
        self.calls = (self.calls + [method])[-1000:]
        owner = self
        if wallet is not None and hasattr(Wallet, f"rpc_{method}"):
            if wallet not in self.wallets:
                raise RPCError(-18, "Requested wallet does not exist or is not loaded")
            owner = self.wallets[wallet]
        handler = getattr(owner, f"rpc_{method}", None)
        if handler is None:
            raise RPCError(-32601, "Method not found")
        code = handler.__func__.__code__
        most, least = code.co_argcount - 1, code.co_argcount - 1 - len(handler.__func__.__defaults__ or ())
        if not least <= len(parameters) <= most:
            raise RPCError(-1, f"{method}: wrong number of parameters")
        return handler(*parameters)

    # The chain

    def rpc_getblockcount(self):
        return self.chain.height

    def rpc_getbestblockhash(self):
        return self.chain.blocks[-1].hash

    def rpc_getblockhash(self, height):
        expect(height, int)
        if not 0 <= height <= self.chain.height:
            raise RPCError(-8, "Block height out of range")
        return self.chain.blocks[height].hash

    def rpc_getblockchaininfo(self):
        tip = self.chain.blocks[-1]
        return {"chain": "regtest", "blocks": tip.height, "headers": tip.height, "bestblockhash": tip.hash,
                "bits": f"{BITS:08x}", "difficulty": 4.656542373906925e-10, "time": tip.time, "mediantime": tip.time,
                "verificationprogress": 1, "initialblockdownload": False, "size_on_disk": 1, "pruned": False,
                "warnings": []}

    def block(self, block_hash):
        expect(block_hash, str)
        for block in self.chain.blocks:
            if block.hash == block_hash:
                return block
        raise RPCError(-5, "Block not found")

    def rpc_getblock(self, block_hash, verbosity=1):
        block = self.block(block_hash)
        if verbosity in (0, False):
            return block.raw.hex()
        if verbosity not in (1, True):
            raise RPCError(-8, "this stand-in knows verbosity 0 and 1")
        return {"hash": block.hash, "height": block.height, "time": block.time,
                "tx": [t.txid for t in block.transactions]}

    def rpc_getblockheader(self, block_hash, verbose=True):
        block = self.block(block_hash)
        if verbose is False:
            return block.raw[:80].hex()
        return {"hash": block.hash, "height": block.height, "time": block.time}

    def rpc_getrawtransaction(self, txid, verbosity=0, block_hash=None):
        expect_hash(txid)
        transaction, height = self.chain.places.get(txid, (None, None))
        if block_hash is not None and (transaction is None or self.block(block_hash).height != height):
            raise RPCError(-5, "No such transaction found in the provided block. Use gettransaction for wallet transactions.")
        if transaction is None:
            raise RPCError(-5, "No such mempool or blockchain transaction. Use gettransaction for wallet transactions.")
        raw = transaction.serialized().hex()
        if verbosity in (0, False):
            return raw
        fields = {"txid": txid, "hash": transaction.wtxid, "hex": raw}
        if height is not None:
            block = self.chain.blocks[height]
            fields.update(blockhash=block.hash, confirmations=self.chain.height - height + 1, time=block.time)
        return fields

    def rpc_getindexinfo(self):
        state = {"synced": True, "best_block_height": self.chain.height}
        return {"txindex": state, "txospenderindex": state}

    def rpc_scantxoutset(self, action, objects=None):
        if action == "abort":
            return False
        if action != "start" or not isinstance(objects, list):
            raise RPCError(-8, f"Invalid action '{action}'" if action != "start" else "scanobjects argument is required")
        scripts = {}
        for item in objects:
            text = item["desc"] if isinstance(item, dict) else item
            expect(text, str)
            if not text.startswith("raw(") or not text.endswith(")"):
                raise RPCError(-5, "this stand-in knows raw() without a checksum")
            scripts[bytes.fromhex(text[4:-1])] = text
        unspents = [
            {"txid": outpoint[0], "vout": outpoint[1], "scriptPubKey": output.script.hex(),
             "desc": scripts[output.script], "amount": bitcoin(output.value), "coinbase": is_coinbase,
             "height": height, "blockhash": self.chain.blocks[height].hash,
             "confirmations": self.chain.height - height + 1}
            for outpoint, (output, height, is_coinbase) in self.chain.coins.items() if output.script in scripts]
        total = sum(self.chain.coins[(u["txid"], u["vout"])][0].value for u in unspents)
        return {"success": True, "txouts": len(self.chain.coins), "height": self.chain.height,
                "bestblock": self.chain.blocks[-1].hash, "unspents": unspents, "total_amount": bitcoin(total)}

    # The mempool

    def rpc_getrawmempool(self, verbose=False):
        if verbose is not False:
            raise RPCError(-8, "this stand-in gives ids only")
        return list(self.chain.mempool)

    def rpc_gettxspendingprevout(self, outputs, options=None):
        answers = []
        for output in outputs:
            expect_hash(output["txid"])
            expect(output["vout"], int)
            answer = {"txid": output["txid"], "vout": output["vout"]}
            spender = self.chain.spent_in_mempool.get((output["txid"], output["vout"]))
            answers.append({**answer, "spendingtxid": spender} if spender else answer)
        return answers

    def rpc_getmempoolinfo(self):
        return {"loaded": True, "size": len(self.chain.mempool), "bytes": 0, "usage": 0, "total_fee": bitcoin(0),
                "maxmempool": 300_000_000, "mempoolminfee": bitcoin(self.chain.relay_fee),
                "minrelaytxfee": bitcoin(self.chain.relay_fee), "incrementalrelayfee": bitcoin(1000),
                "unbroadcastcount": 0, "fullrbf": True}

    def rpc_getnetworkinfo(self):
        return {"version": VERSION, "subversion": "/stand-in:31.0.0/", "protocolversion": 70016, "localrelay": True,
                "networkactive": True, "connections": 0, "relayfee": bitcoin(self.chain.relay_fee),
                "incrementalfee": bitcoin(1000), "warnings": []}

    def rpc_estimatesmartfee(self, blocks=None, mode="CONSERVATIVE"):
        expect(blocks, int)
        if not 1 <= blocks <= 1008:
            raise RPCError(-8, "Invalid conf_target, must be between 1 and 1008")
        for target in sorted(self.chain.estimates):
            if target >= blocks:
                return {"feerate": bitcoin(self.chain.estimates[target]), "blocks": target}
        return {"errors": ["Insufficient data or no feerate found"], "blocks": blocks}

    def parse(self, text):
        expect(text, str)
        try:
            return Transaction.parse(bytes.fromhex(text))
        except (ValueError, KeyError):
            raise RPCError(-22, "TX decode failed. Make sure the tx has at least one input.") from None

    def rpc_testmempoolaccept(self, transactions, max_fee_rate=None):
        if not isinstance(transactions, list) or len(transactions) != 1:
            raise RPCError(-8, "this stand-in tests one transaction")
        transaction = self.parse(transactions[0])
        answer = {"txid": transaction.txid, "wtxid": transaction.wtxid}
        if transaction.txid in self.chain.mempool:
            return [{**answer, "allowed": False, "reject-reason": "txn-already-in-mempool"}]
        if self.is_known(transaction):
            return [{**answer, "allowed": False, "reject-reason": "txn-already-known"}]
        try:
            fee = self.chain.check(transaction)
        except Refusal as refusal:
            reason = "missing-inputs" if refusal.code == -25 else refusal.reason
            return [{**answer, "allowed": False, "reject-reason": reason}]
        return [{**answer, "allowed": True, "vsize": transaction.virtual_size, "fees": {"base": bitcoin(fee)}}]

    def is_known(self, transaction):
        return any((transaction.txid, index) in self.chain.coins for index in range(len(transaction.outputs)))

    def rpc_sendrawtransaction(self, text, max_fee_rate=None):
        transaction = self.parse(text)
        if self.is_known(transaction):
            raise RPCError(-27, "Transaction outputs already in utxo set")
        if transaction.txid not in self.chain.mempool:
            self.chain.accept(transaction)
        return transaction.txid

    # Wallets and tests

    def rpc_createwallet(self, name, disable_private_keys=False, blank=False):
        if not disable_private_keys or not blank:
            raise RPCError(-4, "this stand-in makes blank watch-only wallets")
        self.wallets[name] = Wallet(self.chain)
        return {"name": name}

    def rpc_test_fund(self, script, satoshis):
        txid, index = self.chain.fund(bytes.fromhex(script), satoshis)
        return {"txid": txid, "vout": index}

    def rpc_test_mine(self, count):
        return self.chain.mine(count)

    def rpc_test_reorganize(self, depth):
        self.chain.reorganize(depth)
        return self.chain.height

    def rpc_test_estimate(self, blocks, satoshis):
        self.chain.estimates[blocks] = satoshis
        return None

    def rpc_test_mempool(self):
        return [[t.txid, hashlib.sha256(t.outputs[0].script).digest()[::-1].hex()]
                for t in self.chain.mempool.values()]

    def rpc_test_calls(self):
        return self.calls


def expect(value, kind):
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise RPCError(-3, f"JSON value of type {type(value).__name__} is not of expected type {kind.__name__}")


def expect_hash(text):
    expect(text, str)
    if len(text) != 64 or any(c not in "0123456789abcdefABCDEF" for c in text):
        raise RPCError(-8, f"parameter must be of length 64 (not {len(text)}, for '{text[:80]}')")
