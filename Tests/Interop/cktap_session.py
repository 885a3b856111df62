"""Runs commands of the maker's reference client one after the other in one process, as its command line would.

Its start-up takes longer than most of its commands, so a session of twenty is twenty times as quick this way.

In:  root (hex: the factory root to accept), commands (list of lists of arguments).
     Two commands are not the command line's, which fails at them by its own fault; they use the same library:
     ["api-pubkey", SLOT] where `address --pubkey --slot` looks for a variable that is not there, and
     ["api-setup", CHAIN_CODE, CVC] where `setup --chain-code` refuses every chain code.
Out: runs (list of status, output, error); the session goes on after a command that failed.
"""

import json
import sys

from cktap.cli import get_card, main
from click.testing import CliRunner


def slot_pubkey(slot):
    """The key of a slot, counted from 1, from the status or from `dump`."""
    card = get_card(only_satscard=True)
    if int(slot) - 1 == card.active_slot:
        return card.get_address(incl_pubkey=True)[0].hex()
    answer = card.send("dump", slot=int(slot) - 1)
    return answer["pubkey"].hex() if "pubkey" in answer else ""


def setup_with_chain_code(chain_code, cvc):
    """What `setup --chain-code` would send, and the address that it would show."""
    card = get_card(only_satscard=True)
    _, answer = card.send_auth("new", cvc, slot=card.active_slot, chain_code=bytes.fromhex(chain_code))
    card.active_slot = answer["slot"]
    return card.get_address()


def run(root, arguments):
    api = {"api-pubkey": slot_pubkey, "api-setup": setup_with_chain_code}.get(arguments[0])
    if api:
        return {"status": 0, "output": f"{api(*arguments[1:])}\n", "error": ""}
    result = CliRunner().invoke(main, ["--root-cert-pubkey", root, *arguments])
    failure = "" if result.exception is None else repr(result.exception)
    return {"status": result.exit_code, "output": result.stdout, "error": result.stderr + failure}


request = json.load(sys.stdin)
json.dump({"runs": [run(request["root"], arguments) for arguments in request["commands"]]}, sys.stdout)
