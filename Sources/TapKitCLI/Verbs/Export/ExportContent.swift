import Bitcoin
import TapManager

/// What an export is, and what has to be said of it.
struct ExportContent {
    /// The file itself.
    let text: String
    /// The wallet's descriptors, as the format `descriptors` has them.
    var descriptors: [String] = []
    /// The card's account.
    var account: Account?
    /// What people should know.
    var warnings: [String] = []
    /// Whether it is known to be of a simulated card.
    var isSimulated = false

    init(text: String) { self.text = text }

    /// The file as a QR code has it: without the end of its last line.
    var codeText: String { text.hasSuffix("\n") ? String(text.dropLast()) : text }
}

/// The answer of `tapkit export --json`, unless that is the file itself.
struct ExportDocument: Encodable {
    let format: String
    let content: String
    let file: String?
    let descriptors: [String]
    let fingerprint: String?
    let path: String?
    let xpub: String?
    let slip132: String?
    let simulated: Bool?
    let warnings: [String]
    let qrFiles: [String]?

    init(_ content: ExportContent, _ format: ExportFormat, file: String?, qrFiles: [String]?) {
        self.qrFiles = qrFiles
        self.format = format.rawValue
        self.content = content.text
        self.file = file
        descriptors = content.descriptors
        fingerprint = content.account?.masterFingerprint.description
        path = content.account?.path.description
        xpub = content.account?.key.text
        slip132 = content.account.flatMap { account in
            SLIP132Form(accountPath: account.path).map { account.key.text($0) }
        }
        simulated = content.isSimulated ? true : nil
        warnings = content.warnings
    }
}
