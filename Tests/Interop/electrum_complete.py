"""Debian's Electrum on a PSBT, as its window does when one is loaded: what it adds from the wallet, whether it is complete.

Request: {"wallet": file on regtest, "psbt": Base64}. Answer: {"complete": bool, "tx": hex or PSBT}.
To be run with Debian's Python, which has Electrum.
"""

import inspect
import json
import sys
import tempfile

from electrum import constants
from electrum.simple_config import SimpleConfig
from electrum.storage import WalletStorage
from electrum.transaction import tx_from_any
from electrum.util import create_and_start_event_loop
from electrum.wallet import Wallet
from electrum.wallet_db import WalletDB


def open_wallet(path, config):
    text = WalletStorage(path).read()
    # Debian 12 has 4.3, Debian 13 has 4.5.
    if "manual_upgrades" in inspect.signature(WalletDB).parameters:
        return Wallet(WalletDB(text, manual_upgrades=False), None, config=config)
    return Wallet(WalletDB(text, upgrade=True), config=config)


def main():
    request = json.load(sys.stdin)
    constants.set_regtest()
    loop, stop, thread = create_and_start_event_loop()
    try:
        with tempfile.TemporaryDirectory() as folder:
            config = SimpleConfig({"electrum_path": folder, "regtest": True})
            transaction = tx_from_any(request["psbt"])
            transaction.add_info_from_wallet(open_wallet(request["wallet"], config))
            json.dump({"complete": transaction.is_complete(), "tx": transaction.serialize()}, sys.stdout)
    finally:
        loop.call_soon_threadsafe(stop.set_result, 1)
        thread.join()


main()
