import ArgumentParser
import TapProtocol

/// Where the card's present CVC comes from.
struct CVCOptions: ParsableArguments {
    @Option(
        name: .customLong("cvc-file"),
        help: ArgumentHelp(
            "The CVC is the first line of this file; - for standard input. Otherwise you are asked. [TAPKIT_CVC_FILE]",
            valueName: "path"))
    var path: String?

    /// Reads or asks for the CVC, once; its form is checked before the card is asked.
    func cvc(for cardIdent: String) throws(Failure) -> CVC {
        if let path = path ?? EnvironmentVariable.value("TAPKIT_CVC_FILE") {
            return try SecretInput.cvc(fromFile: path)
        }
        return try SecretInput.cvc(prompt: "CVC of card \(cardIdent): ", option: "--cvc-file")
    }

    /// Whether a file was named, so that nobody has to be asked.
    var isGiven: Bool { (path ?? EnvironmentVariable.value("TAPKIT_CVC_FILE")) != nil }

    /// Whether the CVC is read from standard input, which then cannot carry anything else.
    var readsStandardInput: Bool { (path ?? EnvironmentVariable.value("TAPKIT_CVC_FILE")) == "-" }
}
