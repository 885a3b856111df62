"""Calls an external signer with the command lines, standard input and expectations of Bitcoin Core.

In:  command (as -signer names it), chain, account, coin (of the paths), psbts: [Base64].
Out: signer {fingerprint, name}; receive, internal (descriptors); addresses: [{desc, address}], as Core asks for them;
     refused: messages for descriptors that are not the signer's; signed: per PSBT the PSBT for each of the ways in which
     versions of Core have written it to standard input.
What Core would not put up with ends the script with an error.

Source: Bitcoin Core, doc/external-signer.md and src/external_signer.cpp of version 31, src/common/run_command.cpp.
"""

import json
import subprocess
import sys

from embit import bip32, script
from embit.networks import NETWORKS
from hwilib.descriptor import AddChecksum, parse_descriptor
from hwilib.psbt import PSBT

request = json.load(sys.stdin)
# Core splits what -signer names at spaces.
signer = request["command"].split()
chain = request["chain"]
network = NETWORKS[chain if chain in NETWORKS else "test"]


def run(arguments, standard_input=""):
    """The first line of the answer as JSON; another status than 0 is an error, whatever was answered."""
    process = subprocess.run(signer + arguments, input=standard_input.encode(), capture_output=True, check=False)
    if process.returncode != 0:
        raise SystemExit(f"{arguments} returned {process.returncode}: {process.stderr.decode()}")
    return json.loads(process.stdout.decode().split("\n")[0])


def enumerate_signers():
    found = []
    answer = run(["enumerate"])
    if not isinstance(answer, list):
        raise SystemExit("enumerate: not an array")
    for entry in answer:
        if entry.get("error") is not None:
            raise SystemExit(f"enumerate: {entry['error']}")
        fingerprint = entry["fingerprint"]
        if not isinstance(fingerprint, str) or len(fingerprint) != 8:
            raise SystemExit(f"enumerate: fingerprint {fingerprint}")
        if all(fingerprint != other["fingerprint"] for other in found):
            found.append({"fingerprint": fingerprint, "name": entry.get("model", "")})
    return found


signers = enumerate_signers()
if len(signers) != 1:
    raise SystemExit(f"{len(signers)} signers")
fingerprint = signers[0]["fingerprint"]
common = ["--fingerprint", fingerprint, "--chain", chain]

# createwallet … external_signer=true
descriptors = run(common + ["getdescriptors", "--account", str(request["account"])])
for branch in ("receive", "internal"):
    if not descriptors[branch]:
        raise SystemExit(f"no descriptors in {branch}")
    for text in descriptors[branch]:
        body, checksum = text.split("#")
        if AddChecksum(body) != text:
            raise SystemExit(f"checksum of {text}")
        parse_descriptor(text)

# walletdisplayaddress: Core infers the descriptor of one address, the whole path in its origin.
KINDS = {
    44: (lambda key: f"pkh({key})", script.p2pkh),
    49: (lambda key: f"sh(wpkh({key}))", lambda key: script.p2sh(script.p2wpkh(key))),
    84: (lambda key: f"wpkh({key})", script.p2wpkh),
}
addresses = []
for text in descriptors["receive"]:
    key = text[text.index("[") : text.index("/*")]
    origin, rest = key[1:].split("]")
    xpub = rest.split("/")[0]
    purpose = int(origin.split("/")[1].rstrip("h'"))
    wrap, pay = KINDS[purpose]
    for index in (0, 5):
        public = bip32.HDKey.from_string(xpub).derive([0, index]).key
        # Versions of Core write hardened steps with h or with an apostrophe.
        for mark in ("h", "'"):
            path = origin.replace("h", mark)
            single = AddChecksum(wrap(f"[{path}/0/{index}]{public.sec().hex()}"))
            answer = run(common + ["displayaddress", "--desc", single])
            expected = pay(public).address(network)
            if answer.get("address") != expected:
                raise SystemExit(f"{single}: {answer}, not {expected}")
            addresses.append({"desc": single, "address": answer["address"]})

# What is not the signer's.
stranger = bip32.HDKey.from_seed(b"\x07" * 32).to_public()
path = f"84h/{request['coin']}h/0h/0/0"
refused = []
for text in (
    f"wpkh([00000000/{path}]{stranger.sec().hex()})",
    f"wpkh([{fingerprint}/{path}]{stranger.sec().hex()})",
    f"wpkh({stranger.sec().hex()})",
):
    answer = run(common + ["displayaddress", "--desc", AddChecksum(text)])
    if "address" in answer or not isinstance(answer.get("error"), str):
        raise SystemExit(f"{text}: {answer}")
    refused.append(answer["error"])

# send, bumpfee
signed = []
for psbt in request["psbts"]:
    results = []
    for line in (f'signtx "{psbt}"', f"signtx {psbt}", f"signtx {psbt}\n"):
        answer = run(["--stdin"] + common, line)
        if isinstance(answer.get("error"), str):
            raise SystemExit(answer["error"])
        PSBT().deserialize(answer["psbt"])
        results.append(answer["psbt"])
    signed.append(results)

# Every call with its command on standard input.
if run(["--stdin"], "enumerate\n")[0]["fingerprint"] != fingerprint:
    raise SystemExit("enumerate on standard input")
if run(["--stdin"] + common, f"getdescriptors --account {request['account']}\n\n") != descriptors:
    raise SystemExit("getdescriptors on standard input")
last = addresses[-1]
if run(["--stdin"] + common, f"displayaddress --desc \"{last['desc']}\"")["address"] != last["address"]:
    raise SystemExit("displayaddress on standard input")
bad = run(["--stdin"] + common, "signtx AAAA")
if not isinstance(bad.get("error"), str):
    raise SystemExit(f"a damaged PSBT: {bad}")

json.dump(
    {
        "signer": signers[0],
        "receive": descriptors["receive"],
        "internal": descriptors["internal"],
        "addresses": addresses,
        "refused": refused,
        "signed": signed,
    },
    sys.stdout,
)
