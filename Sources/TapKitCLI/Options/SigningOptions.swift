import ArgumentParser
import Bitcoin
import TapManager
import Terminal

/// Which PSBT is signed, and where the result goes; the same for every signer.
struct SigningOptions: ParsableArguments {
    @Argument(help: "The PSBT: binary, Base64 or hexadecimal; - for standard input.", completion: .file())
    var file: String

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "The output file for the signed PSBT; - for standard output, where --extract replaces it. Default: FILE "
                + "with .signed before its extension; standard output if FILE is standard input or <(…).",
            valueName: "out"), completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The encoding of the signed PSBT: binary, base64 or hex; default: that of the input.", valueName: "form"))
    var form: PSBTForm?

    /// Whether the PSBT comes from standard input, so that nothing else can.
    var readsStandardInput: Bool { InputFile.isStandardInput(file) }

    /// Where the PSBT comes from, and where the result goes.
    func target(_ overwriting: OverwritingOption) -> PSBTFiles {
        PSBTFiles(input: file, output: output, form: form?.fileForm, overwriting: overwriting.force)
    }
}

/// The encoding of a PSBT.
enum PSBTForm: String, ExpressibleByArgument, CaseIterable {
    case binary
    case base64
    case hex

    var fileForm: PSBT.FileForm {
        switch self {
        case .binary: .binary
        case .base64: .base64
        case .hex: .hexadecimal
        }
    }
}

/// The rules for signing.
struct SigningRules: ParsableArguments {
    @Flag(help: "Also print the complete transaction, ready to broadcast; fails if signatures are missing.")
    var extract = false

    @Flag(
        help:
            "Do not finalize complete inputs, for programs that do it themselves (Electrum)."
    )
    var noFinalize = false

    @Flag(help: "Refuse inputs whose amounts are not proven by their previous transactions.")
    var strict = false

    @Flag(help: "Allow sighash types other than ALL, with a warning.")
    var allowSighash = false

    @Option(
        help: ArgumentHelp(
            "Sign only for the wallet in this file, which tapkit wallet register wrote, and only with the card that "
                + "registered it; repeatable.", valueName: "file"), completion: .file())
    var registration: [String] = []

    /// What the user allows or forbids beyond the fixed rules.
    func policy() throws -> SigningPolicy {
        var policy = SigningPolicy()
        policy.registrations = try RegistrationFile.readSigned(registration)
        policy.requiresRegistration = !registration.isEmpty
        policy.requiresProvenAmounts = strict
        policy.allowsOtherSighashes = allowSighash
        return policy
    }
}
