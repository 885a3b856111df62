/// A mistyped word, and which of some names was probably meant.
package enum TypingSlip {
    /// The name that is one or two typos away, less than half of the word, or else the only one that begins like this;
    /// `nil` if there is none, or the word is too short to tell.
    package static func name(for typed: String, among names: [String]) -> String? {
        let typed = typed.lowercased()
        guard typed.count > 1 else { return nil }
        let near = names.compactMap { name in count(from: typed, to: name).map { (name: name, slips: $0) } }
        let begun = names.filter { $0.hasPrefix(typed) }
        return near.min { ($0.slips, $0.name) < ($1.slips, $1.name) }?.name ?? (begun.count == 1 ? begun[0] : nil)
    }

    /// All names are less than half as long.
    private static let longest = 40

    /// How many letters are missing, extra, wrong, or swapped with their neighbour; `nil` if more than two, or half of
    /// the word.
    private static func count(from typed: some StringProtocol, to name: some StringProtocol) -> Int? {
        let count = distance(from: Array(typed.prefix(longest)), to: Array(name))
        return count <= 2 && count * 2 < typed.count ? count : nil
    }

    private static func distance(from typed: [Character], to name: [Character]) -> Int {
        guard !typed.isEmpty, !name.isEmpty else { return max(typed.count, name.count) }
        var rows = [Array(0...name.count)]
        for row in 1...typed.count {
            var current = [row]
            for column in 1...name.count {
                let isSame = typed[row - 1] == name[column - 1]
                var least = min(
                    rows[row - 1][column] + 1, current[column - 1] + 1, rows[row - 1][column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, typed[row - 1] == name[column - 2], typed[row - 2] == name[column - 1] {
                    least = min(least, rows[row - 2][column - 2] + 1)
                }
                current.append(least)
            }
            rows.append(current)
        }
        return rows[typed.count][name.count]
    }
}
