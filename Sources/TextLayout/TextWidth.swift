/// How many terminal columns a text takes.
package enum TextWidth {
    /// Combining marks take none, wide characters two. A character that some terminals draw narrow and others wide
    /// counts as narrow.
    package static func columns(of text: some StringProtocol) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }

    /// The start of a text that takes at most this many columns.
    package static func prefix(of text: String, columns: Int) -> String {
        String(cut(text.unicodeScalars, columns: columns))
    }

    /// The end of a text that takes at most this many columns.
    package static func suffix(of text: String, columns: Int) -> String {
        String(String.UnicodeScalarView(cut(text.unicodeScalars.reversed(), columns: columns).reversed()))
    }

    private static func cut(_ scalars: some Sequence<Unicode.Scalar>, columns: Int) -> String.UnicodeScalarView {
        var (kept, used) = (String.UnicodeScalarView(), 0)
        for scalar in scalars {
            used += self.columns(of: scalar)
            guard used <= columns else { break }
            kept.append(scalar)
        }
        return kept
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        switch scalar.value {
        // Hangul, CJK, full-width forms, pictures. Spec: Unicode, UAX #11, "East Asian Width" W and F.
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
            0x1F900...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }
}
