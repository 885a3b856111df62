"""Bitcoin Core's own script verification, from libbitcoinkernel, under any of its flags.

The library's C interface takes the flags of consensus alone and tells no reasons. `VerifyScript` behind it takes all flags and
names the error; it is called with objects that the C interface made. Where the parts of an input lie is checked for every
transaction, and under the flags of consensus both ways in must agree.

In, a line for each question: spends: [{tx (hex), spent: [{amount_sat, script}] in the order of the inputs, trials: [{input,
flags: [name, …]}]}].
Out, a line for each: results: for each spend and each of its trials the name of the error, `OK` without one, or `PARSE`.
"""

import ctypes
import json
import sys

import pbk
import pbk.capi.bindings as bindings
from pbk.script import PrecomputedTransactionData, ScriptVerificationFlags, ScriptVerifyException

# script/interpreter.h
FLAGS = {
    name: 1 << bit
    for bit, name in enumerate(
        "P2SH STRICTENC DERSIG LOW_S NULLDUMMY SIGPUSHONLY MINIMALDATA DISCOURAGE_UPGRADABLE_NOPS CLEANSTACK "
        "CHECKLOCKTIMEVERIFY CHECKSEQUENCEVERIFY WITNESS DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM MINIMALIF NULLFAIL "
        "WITNESS_PUBKEYTYPE CONST_SCRIPTCODE TAPROOT DISCOURAGE_UPGRADABLE_TAPROOT_VERSION DISCOURAGE_OP_SUCCESS "
        "DISCOURAGE_UPGRADABLE_PUBKEYTYPE".split()
    )
}
CONSENSUS = int(ScriptVerificationFlags.ALL)
STANDARD = sum(FLAGS.values()) & ~FLAGS["SIGPUSHONLY"]

# script/script_error.h
ERRORS = (
    "OK UNKNOWN_ERROR EVAL_FALSE OP_RETURN SCRIPTNUM SCRIPT_SIZE PUSH_SIZE OP_COUNT STACK_SIZE SIG_COUNT PUBKEY_COUNT VERIFY "
    "EQUALVERIFY CHECKMULTISIGVERIFY CHECKSIGVERIFY NUMEQUALVERIFY BAD_OPCODE DISABLED_OPCODE INVALID_STACK_OPERATION "
    "INVALID_ALTSTACK_OPERATION UNBALANCED_CONDITIONAL NEGATIVE_LOCKTIME UNSATISFIED_LOCKTIME SIG_HASHTYPE SIG_DER "
    "MINIMALDATA SIG_PUSHONLY SIG_HIGH_S SIG_NULLDUMMY PUBKEYTYPE CLEANSTACK MINIMALIF SIG_NULLFAIL "
    "DISCOURAGE_UPGRADABLE_NOPS DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM DISCOURAGE_UPGRADABLE_TAPROOT_VERSION "
    "DISCOURAGE_OP_SUCCESS DISCOURAGE_UPGRADABLE_PUBKEYTYPE WITNESS_PROGRAM_WRONG_LENGTH WITNESS_PROGRAM_WITNESS_EMPTY "
    "WITNESS_PROGRAM_MISMATCH WITNESS_MALLEATED WITNESS_MALLEATED_P2SH WITNESS_UNEXPECTED WITNESS_PUBKEYTYPE "
    "SCHNORR_SIG_SIZE SCHNORR_SIG_HASHTYPE SCHNORR_SIG TAPROOT_WRONG_CONTROL_SIZE TAPSCRIPT_VALIDATION_WEIGHT "
    "TAPSCRIPT_CHECKMULTISIG TAPSCRIPT_MINIMALIF TAPSCRIPT_EMPTY_PUBKEY OP_CODESEPARATOR SIG_FINDANDDELETE"
).split()

POINTER = ctypes.c_void_p
# CTxIn: the outpoint, the scriptSig, the sequence number, the witness.
INPUT_SIZE, SCRIPT_SIG_OFFSET, WITNESS_OFFSET = 112, 40, 88
CHECKER = "GenericTransactionSignatureCheckerI12CTransactionE"
FAIL_WHERE_DATA_ARE_MISSING = 1


def _function(name, result, *arguments):
    function = bindings.BITCOINKERNEL_LIB[name]
    function.restype = result
    function.argtypes = arguments
    return function


_verify = _function(
    "_Z12VerifyScriptRK7CScriptS1_PK14CScriptWitness19script_verify_flagsRK20BaseSignatureCheckerP13ScriptError_t",
    ctypes.c_bool, POINTER, POINTER, POINTER, ctypes.c_uint64, POINTER, POINTER,
)
_make_checker = _function(
    f"_ZN34{CHECKER}C1EPKS0_jRKlRK26PrecomputedTransactionData19MissingDataBehavior",
    None, POINTER, POINTER, ctypes.c_uint, POINTER, POINTER, ctypes.c_int,
)
_destroy_checker = _function(f"_ZN34{CHECKER}D1Ev", None, POINTER)
# Larger than any checker.
_checker = ctypes.create_string_buffer(1 << 14)


def _address(wrapped):
    return ctypes.cast(wrapped._as_parameter_, POINTER).value


def _field(address, offset=0):
    return POINTER.from_address(address + offset).value


class Spending:
    """A transaction and the outputs that it spends: (amount in satoshis, script) in the order of its inputs."""

    def __init__(self, transaction, spent):
        self.amounts = [amount for amount, _ in spent]
        self.scripts = [pbk.ScriptPubkey(script) for _, script in spent]
        self.outputs = [pbk.TransactionOutput(*pair) for pair in zip(self.scripts, self.amounts)]
        self.transaction = pbk.Transaction(transaction)
        self.data = PrecomputedTransactionData(self.transaction, self.outputs)
        # The handle holds a shared pointer, the transaction begins with the vector of its inputs.
        self.core = _field(_address(self.transaction))
        self.inputs = _field(self.core)
        size = _field(self.core, 8) - self.inputs
        if size != INPUT_SIZE * len(spent):
            raise ValueError(f"{size} bytes of inputs spend {len(spent)} outputs")

    def verdict(self, number, flags):
        """The name of the error with which an input fails under flags, or `OK`."""
        here = self.inputs + INPUT_SIZE * number
        error = ctypes.c_int(-1)
        amount = ctypes.c_int64(self.amounts[number])
        _make_checker(
            _checker, self.core, number, ctypes.addressof(amount), _address(self.data), FAIL_WHERE_DATA_ARE_MISSING
        )
        is_valid = _verify(
            here + SCRIPT_SIG_OFFSET, _address(self.scripts[number]), here + WITNESS_OFFSET, flags,
            ctypes.addressof(_checker), ctypes.addressof(error),
        )
        _destroy_checker(_checker)
        name = ERRORS[error.value]
        if is_valid != (name == "OK"):
            raise ValueError(f"the verdict is {is_valid}, the error {name}")
        if flags == CONSENSUS and is_valid != self.is_valid_by_consensus(number):
            raise ValueError("both ways into the library disagree")
        return name

    def is_valid_by_consensus(self, number):
        try:
            return bool(
                self.scripts[number].verify(
                    self.amounts[number], self.transaction, self.data, number, ScriptVerificationFlags.ALL
                )
            )
        except ScriptVerifyException:
            return False


def bits(names):
    """The flags with these names."""
    return sum(FLAGS[name] for name in set(names))


def results(spend):
    try:
        spending = Spending(
            bytes.fromhex(spend["tx"]),
            [(output["amount_sat"], bytes.fromhex(output["script"])) for output in spend["spent"]],
        )
    except RuntimeError:
        return ["PARSE"] * len(spend["trials"])
    return [spending.verdict(trial["input"], bits(trial["flags"])) for trial in spend["trials"]]


if __name__ == "__main__":
    for line in sys.stdin:
        answer = {"results": [results(spend) for spend in json.loads(line)["spends"]]}
        print(json.dumps(answer), flush=True)
