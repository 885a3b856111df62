import ArgumentParser
import TapProtocol

/// Where the CVC comes from that the card shall have.
struct NewCVCOptions: ParsableArguments {
    @Option(
        name: .customLong("new-cvc-file"),
        help: ArgumentHelp(
            "The new CVC, 6 to 32 digits, is the first line of this file. Otherwise you are asked twice.",
            valueName: "path"))
    var path: String?

    /// Whether a file was named.
    var isGiven: Bool { path != nil }

    /// Reads or asks for the new CVC; its form is checked before the card is asked.
    func cvc(for label: String) throws(Failure) -> CVC {
        if let path { return try SecretInput.cvc(fromFile: path) }
        return try SecretInput.newCVC(prompt: "New CVC for card \(label), 6 to 32 digits: ", option: "--new-cvc-file")
    }
}
