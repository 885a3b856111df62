/// Finds tap links in pasted text: inside quotes, brackets or sentences, or broken across lines.
///
/// A link's parts are taken as they are, valid or not; `LinkFields` parses them strictly.
struct LinkFinder {
    /// A link found in a text.
    struct Found: Hashable {
        let host: LinkHost
        /// Everything from `#` to the first character that cannot belong to a link, without line breaks.
        let fragment: String

        /// Spellings of the same host make the same link.
        static func == (left: Self, right: Self) -> Bool {
            left.host.product == right.host.product && left.fragment == right.fragment
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(host.product)
            hasher.combine(fragment)
        }
    }

    private static let schemes = ["https://", "http://"]
    private static let lineBreak: Unicode.Scalar = "\n"
    /// More than on any card, where the longest has 175 characters.
    private static let longestFragment = 512

    /// The text, with each run of white space reduced to one space, or to one line break if it contains any.
    private let text: [Unicode.Scalar]

    /// All links in a text, in order, without duplicates.
    static func links(in text: String) -> [Found] {
        let finder = Self(text)
        var found: [Found] = []
        var seen: Set<Found> = []
        var place = 0
        while place < finder.text.count {
            guard let (link, end) = finder.link(at: place) else {
                place += 1
                continue
            }
            if seen.insert(link).inserted { found.append(link) }
            place = end
        }
        return found
    }

    /// The host of the first link to a page called `start` on any other host: ASCII, at most 60 characters.
    static func foreignHost(in text: String) -> String? {
        let finder = Self(text)
        for place in finder.text.indices where finder.end(of: LinkHost.path, at: place) != nil {
            let host = finder.text[..<place].suffix(60).reversed().prefix { $0.isHostCharacter }
            let name = String(String.UnicodeScalarView(host.reversed()))
            // If the maker's host is part of another address, or has another scheme, reporting it would be misleading.
            if !name.isEmpty, LinkHost(rawValue: name.lowercased()) == nil { return name }
        }
        return nil
    }

    private init(_ text: String) {
        var scalars: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars {
            guard scalar.isLinkSpace else {
                scalars.append(scalar)
                continue
            }
            let isBreak = scalar != " " && scalar != "\t"
            if let last = scalars.last, last == " " || last == Self.lineBreak {
                if isBreak { scalars[scalars.count - 1] = Self.lineBreak }
            } else {
                scalars.append(isBreak ? Self.lineBreak : " ")
            }
        }
        self.text = scalars
    }

    /// The link that begins at a position, and where it ends.
    private func link(at start: Int) -> (Found, end: Int)? {
        // Every link begins with h(ttp), w(ww), or its host.
        guard let first = text[start].lowercase, "hwgts".unicodeScalars.contains(first) else { return nil }
        let before = start > 0 ? text[start - 1] : " "
        var place = start
        if let end = Self.schemes.lazy.compactMap({ self.end(of: $0, at: start) }).first { place = end }
        guard !(place > start ? before.continuesScheme : before.continuesHost) else { return nil }
        if let end = end(of: "www.", at: place) { place = end }
        for host in LinkHost.allCases {
            guard let hostEnd = end(of: host.rawValue, at: place),
                let end = end(of: LinkHost.path, at: hostEnd, foldingCase: false)
            else { continue }
            let (fragment, fragmentEnd) = fragment(at: end)
            return (Found(host: host, fragment: fragment), fragmentEnd)
        }
        return nil
    }

    /// Where a word that begins at a position ends; line breaks inside it are ignored.
    private func end(of word: String, at start: Int, foldingCase: Bool = true) -> Int? {
        var place = start
        for wanted in word.unicodeScalars {
            if place > start, place < text.count, text[place] == Self.lineBreak { place += 1 }
            guard place < text.count else { return nil }
            let scalar = foldingCase ? text[place].lowercase : text[place]
            if scalar != wanted {
                // The first character of a word that continues another may also follow a line break.
                guard place == start, text[place] == Self.lineBreak, place + 1 < text.count,
                    (foldingCase ? text[place + 1].lowercase : text[place + 1]) == wanted
                else { return nil }
                place += 1
            }
            place += 1
        }
        return place
    }

    /// The text of a link after its `#`, and where it ends.
    private func fragment(at start: Int) -> (String, end: Int) {
        var taken: [Unicode.Scalar] = []
        var place = start
        while place < text.count {
            let scalar = text[place]
            if scalar.isLinkCharacter {
                taken.append(scalar)
            } else if scalar != Self.lineBreak || !goesOn(taken, behind: place) {
                break
            }
            place += 1
        }
        while let last = taken.last, last.endsSentence { taken.removeLast() }
        return (String(String.UnicodeScalarView(taken)), place)
    }

    /// Whether a link continues after a line break: it does while its signature is incomplete.
    private func goesOn(_ taken: [Unicode.Scalar], behind lineBreak: Int) -> Bool {
        guard lineBreak + 1 < text.count, text[lineBreak + 1].isLinkCharacter, taken.count < Self.longestFragment else {
            return false
        }
        guard !taken.isEmpty else { return text[(lineBreak + 2)...].first { $0 != Self.lineBreak } == "=" }
        guard let name = taken.firstRange(of: Array("&s=".unicodeScalars)) else { return true }
        return taken.count - name.upperBound < LinkFields.signatureDigits
    }
}

extension Unicode.Scalar {
    fileprivate var isLinkSpace: Bool {
        self == " " || self == "\t" || self == "\n" || self == "\r" || value == 0x0B || value == 0x0C
    }

    fileprivate var lowercase: Unicode.Scalar? {
        ("A"..."Z").contains(self) ? Unicode.Scalar(value + 0x20) : self
    }

    private var isASCIILetterOrDigit: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self)
    }

    /// Whether a link that starts after this character belongs to something else, such as another host's path.
    fileprivate var continuesScheme: Bool { isASCIILetterOrDigit || "-.@/\\%".unicodeScalars.contains(self) }

    /// The same for a link without a scheme; a preceding letter of any script makes it another host.
    fileprivate var continuesHost: Bool {
        continuesScheme || self == "_" || (!isASCII && (properties.isAlphabetic || properties.numericType != nil))
    }

    fileprivate var isHostCharacter: Bool { isASCIILetterOrDigit || self == "-" || self == "." }

    /// Whether a link may contain this character, valid or not. Quotes, brackets, commas and non-ASCII characters end
    /// it.
    fileprivate var isLinkCharacter: Bool {
        isASCIILetterOrDigit || "-._~!$&*+;=:@/?%#".unicodeScalars.contains(self)
    }

    /// Whether this character, at a link's end, belongs to the surrounding sentence.
    fileprivate var endsSentence: Bool { ".!?;:*_~".unicodeScalars.contains(self) }
}
