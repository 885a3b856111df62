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

    /// The labels of some keys that can be taken for that of another one of them.
    func shared(among keys: [DescriptorKey]) -> Set<String> {
        var labels: [String: String] = [:]
        for key in keys {
            guard let label = self[key], case .extended(let extended) = key.material else { continue }
            labels[extended.text] = label
        }
        let seen = labels.map { (key: $0, label: $1, skeleton: NameSkeleton($1)) }
        let shared = seen.filter { one in seen.contains { $0.key != one.key && $0.skeleton.isLike(one.skeleton) } }
        return Set(shared.map(\.label))
    }

    /// Whether it could be a card's name, has a letter or digit, and nothing that looks like the end of the quotation, like
    /// several names, like a fingerprint, or like nothing at all, nothing that turns the line around, and no letters by which
    /// one name imitates another.
    private static func isShown(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        return CardRecord.isName(text) && text.contains { $0.isLetter || $0.isNumber }
            && !hasFingerprint(text) && !isMixed(text)
            && !text.split(separator: " ").contains { joining.contains($0.lowercased()) }
            && scalars.indices.allSatisfy { isShown(scalars, $0) }
    }

    /// Whether eight hexadecimal digits stand together, as in a fingerprint; with a decimal one among them, also if there is
    /// something between them.
    private static func hasFingerprint(_ text: String) -> Bool {
        text.contains(/[0-9a-fA-F]{8}/)
            || text.filter { $0.isLetter || $0.isNumber }.split { !$0.isHexDigit }.contains {
                $0.count >= 8 && $0.contains(where: \.isNumber)
            }
    }

    /// Whether letters or digits of other scripts than East Asia's stand beside Latin ones, as they do in hardly any name.
    ///
    /// Spec: UTS 39, section 5.2, Highly Restrictive.
    private static func isMixed(_ text: String) -> Bool {
        let latin = /\p{Script=Latin}/
        let eastAsian = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Bopomofo}|\p{Script=Hangul}/
        guard text.contains(latin) else { return false }
        return text.contains { character in
            let text = "\(character)"
            return (character.isLetter && !text.contains(latin) && !text.contains(eastAsian))
                || (character.isNumber && !character.isASCII)
        }
    }

    /// Words that join names.
    private static let joining: Set<String> = ["and", "of", "or"]

    private static func isShown(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
        let scalar = scalars[index]
        if apostrophes.contains(scalar) {
            return [index - 1, index + 1].allSatisfy {
                scalars.indices.contains($0) && scalars[$0].properties.isAlphabetic
            }
        }
        if likeQuotationMarks.contains(scalar) || separators.contains(scalar)
            || (rightToLeft + likeLatin).contains(where: { $0.contains(scalar.value) })
        {
            return false
        }
        if scalar.isASCII || dashes.contains(scalar) || scalar.properties.isEmojiPresentation { return true }
        guard !scalar.properties.isDefaultIgnorableCodePoint else { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber: return true
        case .nonspacingMark, .spacingMark: return index > 0 && scalars[index - 1].properties.isAlphabetic
        default: return false
        }
    }

    private static let apostrophes: Set<Unicode.Scalar> = ["'", "’"]
    private static let dashes: Set<Unicode.Scalar> = ["–", "—"]
    /// What could stand between names.
    private static let separators: Set<Unicode.Scalar> = [",", ";", ":", "/", "&", "+", "|", "=", "<", ">"]
    /// Letters and digits that look like others: phonetic, Cherokee and Coptic ones, clicks, syllabics, ligatures,
    /// forms for mathematics, letters in circles, wide letters, Lisu's.
    private static let likeLatin: [ClosedRange<UInt32>] = [
        0x132...0x133, 0x1C0...0x1CC, 0x1F1...0x1F3, 0x250...0x2AF, 0x13A0...0x13FF, 0x1400...0x167F,
        0x1D00...0x1DBF, 0x1EFA...0x1EFB, 0x2100...0x214F, 0x2460...0x24FF, 0x2C80...0x2CFF, 0xA4D0...0xA4FF,
        0xA720...0xA7FF, 0xAB30...0xABBF, 0xFB00...0xFB06, 0xFF00...0xFFEF,
        0x1_D400...0x1_D7FF, 0x1_F100...0x1_F1FF,
    ]
    /// Letters that look like quotation marks, and the grave accent.
    private static let likeQuotationMarks: Set<Unicode.Scalar> = ["`", "\u{A78B}", "\u{A78C}", "\u{144A}", "\u{16CC}"]
    /// Hebrew, Arabic and their neighbours, and their presentation forms.
    private static let rightToLeft: [ClosedRange<UInt32>] = [
        0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF,
    ]
}
