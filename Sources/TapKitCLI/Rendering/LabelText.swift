import Bitcoin
import TextLayout

/// A label or note as it is shown beside an address. A payee can have written it, in a payment link or a file of labels:
/// it must not look like the address itself, nor like what tapkit says.
enum LabelText {
    /// The label in quotation marks, with none in it.
    /// - Returns: `nil` if the label is empty, or has an address in it.
    static func quoted(_ label: String) -> String? {
        let words = label.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        let hasAddress = words.contains { (try? UncheckedAddress(parsing: $0)) != nil }
        guard !hasAddress, label.contains(where: { !$0.isWhitespace }) else { return nil }
        // By scalars: with a variation selector or an accent, a mark is another character that looks the same.
        var text = String.UnicodeScalarView()
        for scalar in label.unicodeScalars { text.append(isQuotationMark(scalar) ? "'" : scalar) }
        return "“\(TerminalText.neutralized(String(text)))”"
    }

    private static func isQuotationMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isQuotationMark || lookalikes.contains(scalar)
    }

    /// Double primes, and ornaments.
    private static let lookalikes: Set<Unicode.Scalar> = [
        "\u{02BA}", "\u{02EE}", "\u{2033}", "\u{2036}", "\u{275D}", "\u{275E}",
    ]
}
