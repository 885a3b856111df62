"""Reads exports by the rules of their formats, and derives addresses with embit, BDK and hwilib.

In:  network (main, test, signet, regtest), count, exports: for each format its text.
Out: per format and library: receive and change, so many addresses each. What a library refuses ends the script with an
     error. hwilib knows no multipath descriptors.
"""

import json
import re
import sys

import bdkpython
import hwilib_curve
from embit import bip32
from embit.descriptor import Descriptor
from embit.descriptor.checksum import add_checksum
from embit.networks import NETWORKS
from embit.script import Script
from hwilib.descriptor import parse_descriptor

request = json.load(sys.stdin)
network = NETWORKS[request["network"]]
bdk_network = {
    "main": bdkpython.Network.BITCOIN,
    "test": bdkpython.Network.TESTNET,
    "signet": bdkpython.Network.SIGNET,
    "regtest": bdkpython.Network.REGTEST,
}[request["network"]]
bdk_kind = bdkpython.NetworkKind.MAIN if request["network"] == "main" else bdkpython.NetworkKind.TEST
count = request["count"]

SINGLE = {"xpub": "pkh({})", "ypub": "sh(wpkh({}))", "zpub": "wpkh({})"}
MULTI = {"xpub": "sh({})", "Ypub": "sh(wsh({}))", "Zpub": "wsh({})"}
COLDCARD = {"p2pkh": "xpub", "p2wpkh-p2sh": "ypub", "p2wpkh": "zpub", "p2sh-p2wsh": "Ypub", "p2wsh": "Zpub"}


derived = {}


def addresses(library, text, derive):
    """The addresses of a descriptor that a library has read; those of the same keys are derived once only."""
    place = (library, re.sub(r"\[[^]]*]|#.*", "", text))
    if place not in derived:
        derived[place] = [derive(index) for index in range(count)]
    return derived[place]


def with_embit(text):
    descriptor = Descriptor.from_string(text)
    return addresses("embit", text, lambda index: descriptor.derive(index).address(network))


def with_bdk(text):
    descriptor = bdkpython.Descriptor(text, bdk_kind)
    return addresses("bdkpython", text, lambda index: str(descriptor.derive_address(index, bdk_network)))


def with_hwilib(text):
    descriptor = parse_descriptor(text)
    return addresses(
        "hwilib", text, lambda index: Script(descriptor.expand(index).output_script).address(network)
    )


LIBRARIES = {"embit": with_embit, "bdkpython": with_bdk, "hwilib": with_hwilib}


def branches(receive, change):
    """A descriptor of each branch."""
    return {name: {"receive": read(receive), "change": read(change)} for name, read in LIBRARIES.items()}


def multipath(text):
    """One descriptor for both branches, taken apart by the libraries themselves."""
    descriptor = Descriptor.from_string(text)
    assert descriptor.num_branches == 2
    single = bdkpython.Descriptor(text, bdk_kind).to_single_descriptors()
    assert len(single) == 2
    embit = [
        addresses(f"embit {branch}", text, lambda i: descriptor.derive(i, branch_index=branch).address(network))
        for branch in range(2)
    ]
    bdk = [with_bdk(str(one)) for one in single]
    return {
        name: {"receive": receive, "change": change}
        for name, (receive, change) in {"embit": embit, "bdkpython": bdk}.items()
    }


def by_slip132(keys, threshold=None):
    """Keys with version bytes that name the script, each with its origin or none."""
    forms = set()
    expressions = []
    for origin, text in keys:
        key = bip32.HDKey.from_string(text)
        matching = [name for name in ("xpub", "ypub", "zpub", "Ypub", "Zpub") if network[name] == key.version]
        forms.add(matching[0])
        plain = key.to_base58(version=network["xpub"])
        expressions.append((f"[{origin}]" if origin else "") + plain)
    (form,) = forms
    return by_form(form, expressions, threshold)


def by_form(form, expressions, threshold=None):
    def text(branch):
        below = [f"{expression}/{branch}/*" for expression in expressions]
        if threshold is None:
            return add_checksum(SINGLE[form].format(*below))
        return add_checksum(MULTI[form].format(f"sortedmulti({threshold},{','.join(below)})"))

    return branches(text(0), text(1))


def origin(fingerprint, path):
    return fingerprint.lower() + path.removeprefix("m").replace("'", "h")


def descriptors(text):
    (line,) = text.splitlines()
    return multipath(line)


def split(text):
    return branches(*text.splitlines())


def core(text):
    found = {entry["internal"]: entry["desc"] for entry in json.loads(text)}
    return branches(found[False], found[True])


def sparrow(text):
    # Comments are passed over; a descriptor ends at the first empty line.
    paragraphs = re.sub(r"(?m)^#.*\n", "", text).split("\n\n")
    return multipath([part for part in paragraphs if part.strip()][0].strip())


def specter(text):
    receive = json.loads(text)["descriptor"]
    return branches(receive, add_checksum(receive.split("#")[0].replace("/0/*", "/1/*")))


def electrum(text):
    file = json.loads(text)
    stores = [file["keystore"]] if file["wallet_type"] == "standard" else []
    threshold = None
    if not stores:
        threshold, total = map(int, file["wallet_type"].split("of"))
        stores = [file[f"x{number}/"] for number in range(1, total + 1)]
    assert all(store["type"] == "bip32" and store["xprv"] is None for store in stores)
    return by_slip132(
        [(origin(store["root_fingerprint"], store["derivation"]), store["xpub"]) for store in stores], threshold
    )


def coldcard(text):
    file = json.loads(text)
    ((name, section),) = [(name, value) for name, value in file.items() if name.startswith("bip")]
    assert bip32.HDKey.from_string(file["xpub"]).my_fingerprint.hex().upper() == file["xfp"]
    assert bip32.HDKey.from_string(section["xpub"]).my_fingerprint.hex().upper() == section["xfp"]
    place = origin(file["xfp"], section["deriv"])
    if name.startswith("bip48"):
        return by_slip132([(place, section["_pub"])], threshold=1)
    answer = by_form(COLDCARD[section["name"]], [f"[{place}]{section['xpub']}"])
    assert section["first"] == answer["embit"]["receive"][0]
    if "_pub" in section:
        assert answer == by_slip132([(place, section["_pub"])])
    return answer


def slip132(text):
    return by_slip132([(None, line) for line in text.splitlines()])


def cosigner(text):
    (line,) = text.splitlines()
    return by_form("Zpub", [line], threshold=1)


def coldcard_multisig(text):
    threshold, total, form, path, expressions = None, None, None, None, []
    for line in text.splitlines():
        key, _, value = map(str.strip, line.partition(":"))
        if key == "Policy":
            threshold, total = map(int, value.split(" of "))
        elif key == "Format":
            form = {"P2SH": "xpub", "P2WSH-P2SH": "Ypub", "P2WSH": "Zpub"}[value]
        elif key == "Derivation":
            path = value
        elif re.fullmatch("[0-9A-F]{8}", key):
            expressions.append(f"[{origin(key, path)}]{value}")
    assert len(expressions) == total
    return by_form(form, expressions, threshold)


READERS = {
    "descriptors": descriptors,
    "split": split,
    "core": core,
    "sparrow": sparrow,
    "specter": specter,
    "electrum": electrum,
    "coldcard": coldcard,
    "slip132": slip132,
    "cosigner": cosigner,
    "coldcard-multisig": coldcard_multisig,
}

json.dump({format: READERS[format](text) for format, text in request["exports"].items()}, sys.stdout)
