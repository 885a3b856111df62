/// Finds the texts of files that are not Swift: the paragraphs of a page, the comments and lines of a script.
enum PageText {
    /// The paragraphs and list items of a Markdown page, without fenced code.
    static func texts(inMarkdown page: String) -> [WordedText] {
        texts(page, isCode: { $0.hasPrefix("```") }, begins: { $0.isEmpty || $0.hasPrefix("- ") || $0.hasPrefix("#") })
    }

    /// The comments of a shell script, or of one for browsers, lines that follow one another as one, and every other line.
    static func texts(inScript script: String) -> [WordedText] {
        texts(script, isCode: { _ in false }, begins: { !$0.hasPrefix("#") && !$0.hasPrefix("//") })
    }

    /// - Parameters:
    ///   - isCode: whether a line starts or ends code that is left out.
    ///   - begins: whether a line, without spaces at its start, starts a new text.
    private static func texts(
        _ content: String, isCode: (Substring) -> Bool, begins: (Substring) -> Bool
    ) -> [WordedText] {
        var texts = [WordedText()]
        var isFenced = false
        for (index, line) in content.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let rest = line.drop { $0 == " " }
            if isCode(rest) {
                isFenced.toggle()
                texts.append(WordedText())
            } else if !isFenced {
                if begins(rest) { texts.append(WordedText()) }
                for byte in rest.utf8 { texts[texts.count - 1].add(byte, line: index + 1) }
                texts[texts.count - 1].add(0x20, line: index + 1)
            }
        }
        return texts.filter { !$0.words.isEmpty }
    }
}
