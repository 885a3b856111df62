"""A watch-only descriptor wallet of Core's, as far as tapkit uses one: raw() descriptors with a checksum."""

from core_json import RPCError, bitcoin

CHARSET = ("0123456789()[],'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#\"\\ ")
CHECKSUM = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
GENERATOR = [0xF5DEE51989, 0xA9FDCA3312, 0x1BAB10E32D, 0x3706B1677A, 0x644D626FFD]


def checksum(text):
    """The eight characters after `#` (BIP-380)."""
    symbols, groups = [], []
    for character in text:
        position = CHARSET.find(character)
        symbols.append(position & 31)
        groups.append(position >> 5)
        if len(groups) == 3:
            symbols.append(groups[0] * 9 + groups[1] * 3 + groups[2])
            groups = []
    if len(groups) == 1:
        symbols.append(groups[0])
    elif len(groups) == 2:
        symbols.append(groups[0] * 3 + groups[1])
    value = 1
    for symbol in symbols + [0] * 8:
        top = value >> 35
        value = ((value & 0x7FFFFFFFF) << 5) ^ symbol
        for bit in range(5):
            value ^= GENERATOR[bit] if (top >> bit) & 1 else 0
    value ^= 1
    return "".join(CHECKSUM[(value >> (5 * (7 - i))) & 31] for i in range(8))


class Wallet:
    def __init__(self, chain):
        self.chain, self.scripts = chain, []

    def rpc_getwalletinfo(self):
        return {"walletname": "", "format": "sqlite", "txcount": len(self.txids()), "private_keys_enabled": False,
                "descriptors": True, "scanning": False}

    def rpc_importdescriptors(self, requests):
        answers = []
        for request in requests:
            text, _, given = request["desc"].partition("#")
            if "timestamp" not in request:
                raise RPCError(-3, "Missing required timestamp field for key")
            if given != checksum(text):
                answers.append({"success": False, "error": {"code": -5, "message": "Missing checksum"}})
            elif not text.startswith("raw("):
                answers.append({"success": False, "error": {"code": -5, "message": "this stand-in knows raw()"}})
            else:
                script = bytes.fromhex(text[4:-1])
                if script not in self.scripts:
                    self.scripts.append(script)
                answers.append({"success": True})
        return answers

    def txids(self):
        return list(dict.fromkeys(t for s in self.scripts for t in self.chain.histories.get(s, [])))

    def pays(self, transaction):
        """Whether a coin of the wallet's is spent."""
        spent = (self.chain.places.get(i.outpoint[0]) for i in transaction.inputs)
        return any(p and p[0].outputs[i.outpoint[1]].script in self.scripts for p, i in zip(spent, transaction.inputs))

    def rpc_listunspent(self, minimum=1, maximum=9999999, addresses=None, include_unsafe=True):
        unspent = []
        for txid in self.txids():
            for index, output in enumerate(self.chain.places[txid][0].outputs):
                coin = self.chain.coin((txid, index))
                if coin is None or output.script not in self.scripts:
                    continue
                confirmations = 0 if coin[1] is None else self.chain.height - coin[1] + 1
                if minimum <= confirmations <= maximum:
                    unspent.append({"txid": txid, "vout": index, "scriptPubKey": output.script.hex(),
                                    "amount": bitcoin(output.value), "confirmations": confirmations,
                                    "spendable": False, "solvable": False, "safe": confirmations > 0})
        return unspent

    def rpc_listsinceblock(self, block_hash="", confirmations=1, watch_only=True, removed=True, change=False):
        entries = []
        for txid in self.txids():
            transaction, height = self.chain.places[txid]
            for index, output in enumerate(transaction.outputs):
                # Raw scripts have no address, so whatever comes back to the wallet is change for Core.
                if output.script in self.scripts and self.pays(transaction) and not change:
                    continue
                entry = {"txid": txid, "vout": index, "category": "receive", "amount": bitcoin(output.value),
                         "confirmations": 0 if height is None else self.chain.height - height + 1}
                if height is not None:
                    entry.update(blockheight=height, blockhash=self.chain.blocks[height].hash)
                entries.append(entry)
        return {"transactions": entries, "removed": [], "lastblock": self.chain.blocks[-1].hash}

    def rpc_gettransaction(self, txid, watch_only=True, verbose=False):
        if txid not in self.txids():
            raise RPCError(-5, "Invalid or non-wallet transaction id")
        return {"txid": txid, "hex": self.chain.places[txid][0].serialized().hex()}

    def rpc_listdescriptors(self, private=False):
        return {"wallet_name": "", "descriptors": [
            {"desc": f"raw({s.hex()})#{checksum(f'raw({s.hex()})')}", "timestamp": 0, "active": False}
            for s in self.scripts]}
