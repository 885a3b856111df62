import Bitcoin
import TapManager

/// The answer of `tapkit export --json`, unless the exported file itself is the answer.
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

    init(_ export: Export, _ format: ExportFormat, isSimulated: Bool, file: String?, qrFiles: [String]?) {
        self.qrFiles = qrFiles
        self.format = format.rawValue
        content = export.text
        self.file = file
        descriptors = export.descriptors
        fingerprint = export.account?.masterFingerprint.description
        path = export.account?.path.description
        xpub = export.account?.key.text
        slip132 = export.account.flatMap { account in
            SLIP132Form(accountPath: account.path).map { account.key.text($0) }
        }
        simulated = isSimulated ? true : nil
        warnings = export.remarks.map(\.words)
    }
}
