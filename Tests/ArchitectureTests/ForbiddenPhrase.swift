/// A phrase that a native reader stumbles over, or a second word for what has a word, and what to write instead.
///
/// The words to write are those of the glossary (`TapManager.docc/Glossary.md`).
struct ForbiddenPhrase {
    let phrase: String
    let instead: String
    /// Words before it that make it right.
    let allowedAfter: Set<String>
    /// Words after it that make it right.
    let allowedBefore: Set<String>
    private let words: [String]

    init(_ phrase: String, _ instead: String, after: Set<String> = [], before: Set<String> = []) {
        self.phrase = phrase
        self.instead = instead
        allowedAfter = after
        allowedBefore = before
        words = WordedText(phrase).words.map(\.text)
    }

    /// Whether the phrase starts with the word at an index, and nothing around it makes it right.
    private func isFound(in text: [WordedText.Word], at start: Int) -> Bool {
        let end = start + words.count
        guard end <= text.count, zip(words, text[start..<end]).allSatisfy({ $0 == $1.text }) else { return false }
        let before = start > 0 && allowedAfter.contains(text[start - 1].text)
        return !before && !(end < text.count && allowedBefore.contains(text[end].text))
    }

    /// The forbidden phrases in a text, each with the line on which it starts.
    static func found(in text: WordedText) -> [(line: Int, phrase: ForbiddenPhrase)] {
        text.words.indices.flatMap { index in
            (byFirstWord[text.words[index].text] ?? []).filter { $0.isFound(in: text.words, at: index) }
                .map { (text.words[index].line, $0) }
        }
    }

    private static let byFirstWord = Dictionary(grouping: all) { $0.words.first ?? "" }
}

extension ForbiddenPhrase {
    static let all: [ForbiddenPhrase] = [
        // Questions and answers.
        Self("not confirmed; nothing was done", "Cancelled. Nothing was …"),
        Self("not confirmed", "cancelled (a question), unconfirmed (a transaction)"),
        Self("nobody watching", "Anyone who sees this … can take the money"),
        Self("once and for all", "by default"),
        // Cards and readers.
        Self("card is away", "Card removed"),
        Self("taken away", "removed"),
        Self("lay it back", "put it back on the reader"),
        Self("lay the card back", "put the card back on the reader"),
        Self("lay the card on", "put the card on"),
        Self("card lies on", "card is on"),
        Self("cards lie on", "cards are on"),
        Self("several cards would do", "more than one card matches"),
        // CVCs.
        Self("security delay", "lockout"),
        Self("security delays", "lockouts"),
        Self("will be heard", "You can enter a CVC now"),
        Self("present CVC", "current CVC"),
        // Slots and backups.
        Self("opened slot", "unsealed slot"),
        Self("opened slots", "unsealed slots"),
        Self("slot was opened", "slot is unsealed"),
        Self("slot is opened", "slot is unsealed"),
        Self("slot was not opened", "slot is not unsealed"),
        Self("open the slot", "unseal the slot"),
        Self("open a slot", "unseal a slot"),
        Self("opens the backup", "decrypts the backup"),
        Self("open the backup", "decrypt the backup"),
        // Transactions.
        Self("no PSBT", "not a PSBT", after: ["and", "are", "has", "is"]),
        Self("throw out", "evict"),
        Self("thrown out", "evicted"),
        Self("tree of scripts", "script tree"),
        Self("looks through the blocks", "scans the blocks"),
        Self("look through the blocks", "scan the blocks"),
        Self("looked through", "scanned"),
        // Any text.
        Self(
            "is no", "is not a", after: ["there"],
            before: ["longer", "more", "less", "larger", "smaller", "higher", "lower", "further", "other", "need"]),
        Self("are no", "are not", after: ["there"], before: ["longer", "more", "less", "other"]),
        Self("has not the", "does not have the"),
        Self("makes no sense", "is invalid"),
        Self("none at all", "none"),
        Self("heed", "follow"),
        Self("heeds", "follows"),
        Self("heeded", "followed"),
        Self("be it", "whether"),
        Self("does not suffice", "is not enough"),
        Self("do not suffice", "are not enough"),
        Self("of no effect", "without effect"),
        Self("for want of", "without"),
        Self("says nothing of", "says nothing about"),
        Self("is known of", "is known about"),
        Self("is told of", "is told about"),
        Self("tells of", "reports"),
        Self("stands twice", "appears twice"),
        Self("is there twice", "appears twice"),
        Self("must not stand", "is not allowed"),
        Self("stands behind", "follows"),
        Self("stands in front", "comes before"),
        Self("what stands in", "the contents of"),
        Self("as it stands there", "as written"),
        Self("says otherwise", "differs"),
        Self("another number of", "the number of … differs"),
        Self("known to come from somewhere", "with a known origin"),
        Self("without end", "endless"),
        Self("all the same", "anyway", before: ["size", "destination"]),
        Self("if need be", "if necessary"),
        Self("unasked", "without being asked"),
        Self("goes on", "continues", before: ["for"]),
    ]
}
