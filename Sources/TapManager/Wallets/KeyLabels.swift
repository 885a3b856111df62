import Bitcoin

/// The user's labels of extended keys, as far as they can stand in quotation marks beside a key.
///
/// Spec: BIP-329, type `xpub`.
struct KeyLabels: Sendable {
    private let texts: [String: String]

    init(_ labels: [StoredLabel]) {
        let extended = labels.lazy.filter { $0.type == Label.Kind.extendedKey.rawValue && Self.isShown($0.label) }
        texts = Dictionary(extended.map { ($0.reference, $0.label) }) { first, _ in first }
    }

    /// The label of a descriptor's key.
    subscript(key: DescriptorKey) -> String? {
        guard !texts.isEmpty, case .extended(let extended) = key.material else { return nil }
        return texts[extended.text]
    }

    /// Whether it could be a card's name, has a letter or digit, and nothing that looks like a quotation mark, or like nothing
    /// at all.
    private static func isShown(_ text: String) -> Bool {
        CardRecord.isName(text) && text.contains { $0.isLetter || $0.isNumber } && !text.contains("''")
            && text.unicodeScalars.allSatisfy { $0.isASCII || $0 == "’" || isVisible($0.properties) }
    }

    private static func isVisible(_ scalar: Unicode.Scalar.Properties) -> Bool {
        scalar.isEmojiPresentation
            || scalar.isAlphabetic && scalar.generalCategory != .modifierLetter && !scalar.isDefaultIgnorableCodePoint
    }
}
