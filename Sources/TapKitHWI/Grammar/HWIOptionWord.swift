/// A word that starts with a hyphen, as options do: `--name`, `--name=value`, `-n`, `-nvalue`, `-n=value`, and
/// one-letter flags combined in one word, also before such an option.
///
/// Spec: Python, `argparse`, "Option value syntax" and "Argument abbreviations (prefix matching)".
struct HWIOptionWord: Equatable {
    /// The options in it, in order. All but the last one are flags.
    let options: [HWIOption]
    /// The byte of the word at which the last one's value starts; `nil`: its value, if it takes one, is the next word.
    let valueStart: Int?

    /// A word that may refer to several options.
    struct Ambiguity: Error, Equatable {
        let name: String
        let meanings: [HWIOption]
    }

    private static let hyphen = UInt8(ascii: "-")
    private static let equals = UInt8(ascii: "=")

    /// - Parameter tables: the available options; an unambiguous match in an earlier table has precedence over later
    ///   ones.
    /// - Returns: `nil` for a word with an unknown option, and for a word that is not an option.
    init?(_ word: [UInt8], _ tables: [[HWIOption]]) throws(Ambiguity) {
        guard word.count > 1, word[0] == Self.hyphen else { return nil }
        if word[1] == Self.hyphen {
            let end = word.firstIndex(of: Self.equals)
            let name = String(decoding: word[2..<max(2, end ?? word.count)], as: UTF8.self)
            guard let option = try Self.option(named: name, tables) else { return nil }
            (options, valueStart) = ([option], end.map { $0 + 1 })
            return
        }
        var options: [HWIOption] = []
        for index in 1..<word.count {
            let letter = Character(Unicode.Scalar(word[index]))
            guard let option = tables.lazy.joined().first(where: { $0.short == letter }) else { return nil }
            options.append(option)
            guard option.value != .flag else { continue }
            let start = index + 1 < word.count && word[index + 1] == Self.equals ? index + 2 : index + 1
            (self.options, valueStart) = (options, index + 1 < word.count ? start : nil)
            return
        }
        (self.options, valueStart) = (options, nil)
    }

    /// The option with this name, or the only one that starts with it.
    private static func option(named name: String, _ tables: [[HWIOption]]) throws(Ambiguity) -> HWIOption? {
        // Only names in ASCII mean anything, and others may have characters with endless accents, which take
        // long to compare.
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        if let option = tables.lazy.joined().first(where: { $0.long.contains(name) }) { return option }
        for table in tables {
            let meant = table.filter { !$0.isOurs && $0.key.hasPrefix(name) }
            guard meant.count < 2 else { throw Ambiguity(name: name, meanings: meant) }
            if let option = meant.first { return option }
        }
        return nil
    }
}
