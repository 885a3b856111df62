import Terminal

extension CommandHint {
    /// The commands of the machine's own shell that hints name.
    enum Shell {
        static let installService = "sudo apt-get install pcscd"
        static let startService = "sudo systemctl enable --now pcscd.socket"
        static let startServiceAlone = "sudo /etc/init.d/pcscd start"
        static let restartBoth = "sudo systemctl restart pcscd.socket pcscd.service"
        static let restartServiceAlone = "sudo /etc/init.d/pcscd restart"
        static let restartService = "sudo systemctl restart pcscd"
        static let all = [
            installService, startService, startServiceAlone, restartBoth, restartServiceAlone, restartService,
        ]
    }

    /// A hint as a terminal shows it: each of those commands on a line of its own that is never broken, so that it can be
    /// copied.
    static func screen(_ hint: String) -> [ScreenLine] {
        var screen: [ScreenLine] = []
        var rest = Substring(hint)
        while let found = firstCommand(in: rest) {
            screen += line(rest[..<found.lowerBound])
            screen.append(ScreenLine(whole: "    \(rest[found])"))
            rest = rest[found.upperBound...]
            // The end of the sentence is no part of the command.
            if rest.hasPrefix(".") { rest = rest.dropFirst() }
        }
        return screen + line(rest)
    }

    private static func firstCommand(in text: Substring) -> Range<Substring.Index>? {
        let found = Shell.all.compactMap { text.firstRange(of: $0) }
        // A longer command may begin with a shorter one.
        let whole = found.filter { range in
            let rest = text[range.upperBound...]
            return rest.isEmpty || rest == "." || rest.hasPrefix(" ") || rest.hasPrefix(". ")
        }
        return whole.min { $0.lowerBound < $1.lowerBound }
    }

    private static func line(_ text: Substring) -> [ScreenLine] {
        let words = text.drop { $0 == " " }
        guard let last = words.lastIndex(where: { $0 != " " }) else { return [] }
        return [ScreenLine("  \(words[...last])")]
    }
}
