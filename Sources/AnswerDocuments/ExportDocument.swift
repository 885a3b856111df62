import Bitcoin
import TapManager

/// An account or a wallet, exported for another program, unless the exported file itself is the answer.
package struct ExportDocument: Encodable {
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

    /// An export in a format.
    /// - Parameters:
    ///   - format: its name for people and programs.
    ///   - warnings: the export's remarks in the front end's words.
    ///   - file: where it was written; `nil`: nowhere.
    ///   - qrFiles: the images of its QR codes; `nil`: none were asked for.
    package init(
        _ export: Export, format: String, warnings: [String], isSimulated: Bool, file: String?, qrFiles: [String]?
    ) {
        self.qrFiles = qrFiles
        self.format = format
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
        self.warnings = warnings
    }
}
