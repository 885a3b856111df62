extension Character {
    /// The most combining marks, joiners or flags that one character of text from outside may have.
    package static let maximumMarkCount = 64
}

extension StringProtocol {
    /// Whether a character goes on for longer than in any script: with endless combining marks, joiners or flags.
    ///
    /// Swift compares strings by character, in time quadratic in a character's length. So text from outside is checked with
    /// this before it is compared. Takes time linear in the text.
    package var hasEndlessLetter: Bool {
        // Most text is ASCII, and servers send many megabytes of it.
        let isASCII = utf8.withContiguousStorageIfAvailable { $0.allSatisfy { $0 < 0x80 } }
        guard !(isASCII ?? utf8.allSatisfy { $0 < 0x80 }) else { return false }
        var continuations = 0
        for scalar in unicodeScalars {
            guard !scalar.isASCII, scalar.continuesLetter else {
                continuations = 0
                continue
            }
            continuations += 1
            if continuations > Character.maximumMarkCount { return true }
        }
        return false
    }
}

extension Unicode.Scalar {
    /// Whether the scalar may extend the character before it, as accents do.
    ///
    /// Spec: Unicode Standard Annex 29, "Grapheme Cluster Boundary Rules", GB9, GB9a, GB12 and GB13.
    fileprivate var continuesLetter: Bool {
        switch value {
        case 0x200D, 0x1F1E6...0x1F1FF: true
        default: properties.isGraphemeExtend || properties.generalCategory == .spacingMark
        }
    }
}
