extension SourceFile {
    /// Comments of public declarations that say nothing but the declaration's name, or where to read on, with the line from 1.
    var emptyComments: [(line: Int, comment: String)] {
        var comment: [Substring] = []
        var found: [(Int, String)] = []
        for (number, line) in lines.enumerated() {
            let line = line.drop { $0 == " " }
            if line.hasPrefix("///") {
                comment.append(line.dropFirst(3).drop { $0 == " " })
                continue
            }
            if line.hasPrefix("public "), comment.count == 1, let only = comment.first, Self.isEmpty(only, line) {
                found.append((number + 1, String(only)))
            }
            comment = []
        }
        return found
    }

    private static func isEmpty(_ comment: Substring, _ declaration: Substring) -> Bool {
        if comment.contains(/\bfrom (its|their) parts\b/) || comment.wholeMatch(of: /What `\w+` says\./) != nil {
            return true
        }
        guard let name = declaration.firstMatch(of: /\b(?:var|let|func|struct|enum|class|actor|protocol|case) `?(\w+)/)
        else {
            return false
        }
        // `lockingScript` says as much as "The locking script."
        let words = comment.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
        let said = words.drop { ["a", "an", "the", "its", "their"].contains($0) }.joined()
        return said == name.1.lowercased()
    }
}
