import Bitcoin

/// A multisig account as the text file that COLDCARD and similar devices import: `Name`, `Policy`, `Format`, and each
/// key after its path.
///
/// Source: COLDCARD, "Multisig Wallets > Import from File".
package struct ColdcardMultisigExport: Sendable {
    private let name: String
    private let kind: MultisigKind
    private let threshold: Int
    private let keys: [(origin: KeyOrigin, key: ExtendedPublicKey)]
    private static let maximumKeyCount = 15
    /// COLDCARD truncates longer names.
    private static let maximumNameLength = 20

    /// An export of a wallet.
    /// - Throws: `ExportError`, also `.multisigOnly`, `.noOrigin`, `.tooManyKeys`.
    package init(_ source: ExportSource) throws(ExportError) {
        let account = try source.account
        guard case .multisig(let kind, let threshold) = account.form else { throw .multisigOnly }
        guard account.keys.count <= Self.maximumKeyCount else { throw .tooManyKeys(limit: Self.maximumKeyCount) }
        var keys: [(origin: KeyOrigin, key: ExtendedPublicKey)] = []
        for (index, key) in account.keys.enumerated() {
            guard let origin = key.origin else { throw .noOrigin(index + 1) }
            keys.append((origin, key.key))
        }
        // A colon would end the name's line in some programs; others only support ASCII.
        name = String(
            String.UnicodeScalarView(
                source.label.unicodeScalars.filter { $0.isASCII && $0.value >= 0x20 && $0 != ":" }
                    .prefix(Self.maximumNameLength)))
        self.kind = kind
        self.threshold = threshold
        self.keys = keys
    }

    /// The file's complete text, with a newline at the end. Contains only public keys.
    package var text: String {
        let head = ["Name: \(name)", "Policy: \(threshold) of \(keys.count)", "Format: \(format)", ""]
        let paths = Set(keys.map(\.origin.path))
        var lines = head
        if let path = paths.first, paths.count == 1 { lines += ["Derivation: \(path.apostropheText)"] }
        for (origin, key) in keys {
            if paths.count > 1 { lines += ["Derivation: \(origin.path.apostropheText)"] }
            lines.append("\(origin.fingerprint.description.uppercased()): \(key.text)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var format: String {
        switch kind {
        case .p2sh: "P2SH"
        // Every program knows this spelling, but not all know the other one.
        case .p2shP2WSH: "P2WSH-P2SH"
        case .p2wsh: "P2WSH"
        }
    }
}
