"""HWI's own device tests, unchanged, with tapkit in place of HWI and a simulated card in place of the emulator.

peers-hwi.py HWI-FOLDER TAPKIT BITCOIND FOLDER [TEST]

.ci/peers calls this, in its own namespaces. HWI-FOLDER contains HWI's source; the tests call the command `hwi`, which this
puts into FOLDER and into PATH. TEST is a part of the names of the tests to run.
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import unittest

hwi, tapkit, bitcoind, folder = sys.argv[1:5]
only = sys.argv[5] if len(sys.argv) > 5 else ""
os.chdir(folder)
# HWI's tests without hwilib's own device drivers.
sys.path[:0] = [os.path.join(hwi, "test"), hwi]

from embit import bip32, networks  # noqa: E402
import test_device as peer  # noqa: E402

CVC = "582049137265"
CARD = os.path.join(folder, "card.json")
NAMES = ("TestDeviceConnect", "TestGetDescriptors", "TestGetKeypool", "TestDisplayAddress", "TestSignMessage", "TestSignTx",
         "TestRegisterDescriptor")


def run(*arguments):
    return json.loads(subprocess.run([tapkit, *arguments, "--json"], check=True, stdout=subprocess.PIPE).stdout)


class Card(peer.DeviceEmulator):
    """A simulated TAPSIGNER. embit computes what HWI's tests need to know about the device from the card's file."""

    def __init__(self):
        super().__init__()
        made = run("sim", "new", CARD, "--cvc", CVC, "--product", "tapsigner", "--wait-ms", "0")
        with open("cvc", "w", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(CVC + "\n")
        os.environ.update(
            TAPKIT_READER=f"sim:{CARD}", TAPKIT_ROOT_KEY=made["root_key"], TAPKIT_DATA_DIR=os.path.join(folder, "data"))
        run("setup", "--yes", "--keep-cvc", "--cvc-file", "cvc", "--backup", "backup.aes")
        run("xpub", "--cvc-file", "cvc")
        self.kept = {name: self.content(name) for name in [CARD] + glob.glob("data/*")}
        master = self.master()
        self.type = "tapsigner"
        self.path = f"sim:{CARD}"
        self.fingerprint = master.my_fingerprint.hex()
        account = master.derive("m/44h/1h/0h").to_public()
        # A TAPSIGNER does not report its parent's fingerprint.
        account.fingerprint = bytes(4)
        self.master_xpub = account.to_base58(version=networks.NETWORKS["test"]["xpub"])
        self.password = CVC
        self.supports_ms_display = True
        self.supports_xpub_ms_display = True
        self.supports_unsorted_ms = True
        self.supports_taproot = False
        self.strict_bip48 = False
        self.include_xpubs = True
        self.supports_device_multiple_multisig = True
        self.supports_legacy = True

    def master(self):
        key = json.loads(self.content(CARD))["content"]["key"]["master"]
        return bip32.HDKey(bip32.ec.PrivateKey(bytes.fromhex(key["master_key"])), bytes.fromhex(key["chain_code"]))

    @staticmethod
    def content(name):
        with open(name, "rb") as file:
            return file.read()

    def start(self):
        """Restores the card and the store to their state after setup, for each test."""
        super().start()
        shutil.rmtree("data", ignore_errors=True)
        os.mkdir("data", mode=0o700)
        for name, content in self.kept.items():
            with open(name, "wb") as file:
                file.write(content)


def suite(node, card):
    cases = [(["legacy"], ["legacy"], True, True), (["segwit"], ["segwit"], True, True),
             (["legacy", "segwit"], ["legacy", "segwit"], True, True)]
    options = {"TestDeviceConnect": {"detect_type": "tapsigner"}, "TestSignTx": {"signtx_cases": cases},
               "TestRegisterDescriptor": {"returns_registration": True}}
    # Only the development version registers descriptors.
    for name in (name for name in NAMES if hasattr(peer, name)):
        tests = peer.DeviceTestCase.parameterize(
            getattr(peer, name), node, emulator=card, interface="cli", **options.get(name, {}))
        yield from (test for test in tests if only in test.id())


def main():
    os.makedirs("bin")
    with open("bin/hwi", "w", encoding="ascii") as file:
        file.write(f'#!/bin/sh\nexec "{tapkit}" hwi "$@"\n')
    os.chmod("bin/hwi", 0o755)
    os.environ["PATH"] = f"{folder}/bin:{os.environ['PATH']}"
    card = Card()
    node = peer.Bitcoind.create(bitcoind)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(unittest.TestSuite(suite(node, card)))
    sys.exit(not result.wasSuccessful())


main()
