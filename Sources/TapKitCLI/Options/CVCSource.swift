import Settings
import TapProtocol
import Terminal

/// The file that CVCs are read from.
struct CVCSource {
    private let path: String

    /// The named file; `nil`: none was named.
    init?(option: String?) {
        guard let setting = Setting(option: option, variable: "TAPKIT_CVC_FILE") else { return nil }
        path = setting.text
    }

    /// Whether it is standard input.
    var isStandardInput: Bool { InputFile.isStandardInput(path) }

    /// Whether it is standard input at a terminal.
    var isTyped: Bool { SecretInput.isTyped(path) }

    /// The CVCs in the file, for runs with several cards; `-` has only one, on its first line.
    /// - Returns: `nil` if it is standard input at a terminal: then the user is asked.
    func file() throws(Failure) -> CVCFile? {
        guard !isTyped else { return nil }
        return path == "-"
            ? CVCFile(try SecretInput.cvc(in: CVCFile.source(path))) : try CVCFile(path: path)
    }
}
