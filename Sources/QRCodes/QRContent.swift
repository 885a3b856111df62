import Bitcoin

/// What goes to another program through its camera.
package struct QRContent: Sendable {
    /// What it is.
    package enum Kind: Sendable {
        case psbt, transaction, json, text
    }

    let kind: Kind
    let bytes: [UInt8]

    /// A content from its parts.
    init(kind: Kind, bytes: [UInt8]) { (self.kind, self.bytes) = (kind, bytes) }

    /// A PSBT.
    package init(_ psbt: PSBT) { (kind, bytes) = (.psbt, psbt.encoded(as: .binary)) }

    /// A transaction.
    package init(_ transaction: Transaction) { (kind, bytes) = (.transaction, transaction.serialized()) }

    /// Text, or JSON.
    package init(text: String, isJSON: Bool = false) { (kind, bytes) = (isJSON ? .json : .text, Array(text.utf8)) }

    /// Text that is shown as it is when it fits into one code; `nil` for what is no text.
    var plainText: String? {
        switch kind {
        case .psbt, .transaction: nil
        case .json, .text: String(validating: bytes, as: UTF8.self)
        }
    }
}
