extension StringProtocol {
    /// Whether a letter goes on behind its first sign for longer than in any writing: with ever more accents, joiners or flags.
    ///
    /// Swift compares texts letter by letter, and takes the square of the time for such a one, so texts from outside are refused
    /// for it before they are compared. Takes time linear in the text.
    package var hasEndlessLetter: Bool {
        // Most texts are ASCII, and servers send some of many megabytes.
        guard utf8.contains(where: { $0 >= 0x80 }) else { return false }
        var continuations = 0
        for scalar in unicodeScalars {
            guard !scalar.isASCII, scalar.continuesLetter else {
                continuations = 0
                continue
            }
            continuations += 1
            if continuations > 64 { return true }
        }
        return false
    }
}

extension Unicode.Scalar {
    /// Whether the sign may belong to the letter before it, as accents do.
    ///
    /// Spec: Unicode Standard Annex 29, "Grapheme Cluster Boundary Rules", GB9, GB9a, GB12 and GB13.
    fileprivate var continuesLetter: Bool {
        switch value {
        case 0x200D, 0x1F1E6...0x1F1FF: true
        default: properties.isGraphemeExtend || properties.generalCategory == .spacingMark
        }
    }
}
