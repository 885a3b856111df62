import ArgumentParser
import Bitcoin
import TapManager

/// Which PSBT is signed, where it goes, and by which rules; the same whoever signs.
struct SigningOptions: ParsableArguments {
    @Argument(help: "The PSBT: binary, Base64 or hexadecimal; - for standard input.", completion: .file())
    var file: String

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "Where the signed PSBT goes; - for standard output, where the transaction of --extract takes its place. "
                + "Default: FILE with .signed before its ending.",
            valueName: "out"), completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "How the signed PSBT is written: binary, base64 or hex; default: as it came.", valueName: "form"))
    var form: PSBTForm?

    @OptionGroup var overwriting: OverwritingOption
    @OptionGroup var rules: SigningRules
    @OptionGroup var picture: QRTransferOptions

    /// Whether the PSBT comes from standard input, which then cannot carry anything else.
    var readsStandardInput: Bool { file == "-" }

    /// Where the PSBT comes from and goes.
    var target: SignedFile {
        SignedFile(input: file, output: output, form: form?.fileForm, overwriting: overwriting.force)
    }
}

/// How a PSBT is written.
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

/// By which rules something is signed.
struct SigningRules: ParsableArguments {
    @Flag(help: "Also print the complete transaction, ready to broadcast; fails when signatures are missing.")
    var extract = false

    @Flag(
        help:
            "Leave the signatures as they are also where an input is complete, for programs that finalize themselves (Electrum)."
    )
    var noFinalize = false

    @Flag(help: "Refuse inputs whose amount is not proven by their previous transaction.")
    var strict = false

    @Flag(help: "Sign hash types other than ALL, with a warning.")
    var allowSighash = false

    /// What the person allows or forbids beyond the rules that always hold.
    var policy: SigningPolicy {
        var policy = SigningPolicy()
        policy.requiresProvenAmounts = strict
        policy.allowsOtherSighashes = allowSighash
        return policy
    }
}
