import Bitcoin

/// Data for another program, which reads it with its camera.
package struct QRContent: Sendable {
    /// What it is.
    package enum Kind: Sendable {
        case psbt, transaction, json, text
    }

    let kind: Kind
    let bytes: [UInt8]

    /// Text that is shown as it is when it fits into one code; `nil` if it is not text.
    var plainText: String? {
        switch kind {
        case .psbt, .transaction: nil
        case .json, .text: String(validating: bytes, as: UTF8.self)
        }
    }
}

extension QRContent {
    /// A PSBT.
    package init(_ psbt: PSBT) { self.init(kind: .psbt, bytes: psbt.encoded(as: .binary)) }

    /// A transaction.
    package init(_ transaction: Transaction) { self.init(kind: .transaction, bytes: transaction.serialized()) }

    /// Text, or JSON.
    package init(text: String, isJSON: Bool = false) {
        self.init(kind: isJSON ? .json : .text, bytes: Array(text.utf8))
    }
}
