"""The addresses of multipath descriptors, as embit and BDK (rust-miniscript) derive them.

In:  network (main, test, regtest), count, descriptors: [text, …].
Out: results: for each descriptor and library (embit, bdk): for each branch so many addresses; null if it is refused.
     bdk also says whether rust-miniscript calls it sane.
"""

import json
import sys

import bdkpython as bdk
from embit.descriptor import Descriptor
from embit.networks import NETWORKS

request = json.load(sys.stdin)
count = request["count"]
network = NETWORKS[request["network"]]
bdk_network = {"main": bdk.Network.BITCOIN, "test": bdk.Network.TESTNET, "regtest": bdk.Network.REGTEST}[
    request["network"]
]
bdk_kind = bdk.NetworkKind.MAIN if request["network"] == "main" else bdk.NetworkKind.TEST


def by_embit(text):
    try:
        descriptor = Descriptor.from_string(text)
        return [
            [descriptor.derive(index, branch_index=branch).address(network) for index in range(count)]
            for branch in range(descriptor.num_branches)
        ]
    except Exception:  # it raises all sorts for what it does not read
        return None


def by_bdk(text):
    try:
        descriptor = bdk.Descriptor(text, bdk_kind)
        descriptor.sanity_check()
        return [
            [str(branch.derive_address(index, bdk_network)) for index in range(count)]
            for branch in descriptor.to_single_descriptors()
        ]
    except bdk.DescriptorError:
        return None


json.dump(
    {"results": [{"embit": by_embit(text), "bdk": by_bdk(text)} for text in request["descriptors"]]}, sys.stdout
)
