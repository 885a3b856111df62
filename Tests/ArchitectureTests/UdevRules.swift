import Foundation

/// A file of udev rules, read strictly: what udev would only warn about in its log is an error here.
///
/// Covers what tapkit's rules use of udev(7).
struct UdevRules {
    /// A line that udev would not take as it is meant.
    struct Malformed: Error, CustomStringConvertible {
        let line: Int
        let problem: String
        var description: String { "line \(line): \(problem)" }
    }

    /// `KEY{attribute}operator"value"`.
    struct Item: Equatable {
        let key: String
        let attribute: String?
        let `operator`: String
        let value: String

        var isMatch: Bool { ["==", "!="].contains(self.operator) }
    }

    /// The rules in order, each a list of items.
    let rules: [[Item]]

    /// Operators that each key allows.
    private static let operators: [String: Set<String>] = [
        "ACTION": ["==", "!="], "SUBSYSTEM": ["==", "!="], "KERNEL": ["==", "!="],
        "ATTR{}": ["==", "!="], "ATTRS{}": ["==", "!="], "ENV{}": ["==", "!=", "=", "+="],
        "TAG": ["==", "!=", "+="], "GROUP": ["=", ":="], "MODE": ["=", ":="], "LABEL": ["="], "GOTO": ["="],
    ]

    /// Reads a file's text.
    /// - Throws: `Malformed`.
    init(_ text: String) throws {
        var rules: [[Item]] = []
        for (number, line) in Self.joinedLines(text) {
            guard line.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw Malformed(line: number, problem: "a character that is not printable ASCII")
            }
            if line.isEmpty || line.hasPrefix("#") { continue }
            let items = try line.components(separatedBy: ", ").map { try Self.item($0, number) }
            try Self.check(items, number)
            rules.append(items)
        }
        self.rules = rules
        try checkLabels()
    }

    /// Lines with their numbers; a backslash at the end takes the next line in.
    private static func joinedLines(_ text: String) -> [(Int, String)] {
        var lines: [(Int, String)] = []
        var open: (number: Int, text: String)?
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            let whole = (open?.text ?? "") + line
            let number = open?.number ?? index + 1
            if line.hasSuffix("\\") {
                open = (number, String(whole.dropLast()))
            } else {
                open = nil
                lines.append((number, whole))
            }
        }
        if let open { lines.append((open.number, open.text + "\\")) }
        return lines
    }

    private static func item(_ text: String, _ line: Int) throws -> Item {
        let pattern = /([A-Z]+)(?:\{([A-Za-z0-9_\/]+)\})?(==|!=|\+=|:=|=)"([^"\\]*)"/
        guard let match = text.wholeMatch(of: pattern) else {
            throw Malformed(line: line, problem: "not an item: \(text)")
        }
        let attribute = match.2.map(String.init)
        guard let allowed = operators[String(match.1) + (attribute == nil ? "" : "{}")] else {
            throw Malformed(line: line, problem: "unknown key: \(text)")
        }
        guard allowed.contains(String(match.3)) else { throw Malformed(line: line, problem: "operator: \(text)") }
        let item = Item(
            key: String(match.1), attribute: attribute, operator: String(match.3), value: String(match.4))
        try checkValue(item, line)
        return item
    }

    /// Values that udev takes silently although they cannot be meant.
    private static func checkValue(_ item: Item, _ line: Int) throws {
        let isGood =
            switch (item.key, item.attribute) {
            case ("ATTR", "idVendor"), ("ATTRS", "idVendor"): item.value.wholeMatch(of: /[0-9a-f]{4}/) != nil
            case ("ATTR", "idProduct"), ("ATTRS", "idProduct"):
                item.value.wholeMatch(of: /[0-9a-f]{4}(\|[0-9a-f]{4})*/) != nil
            case ("MODE", _): item.value.wholeMatch(of: /0[0-7]{3}/) != nil
            case ("GROUP", _): ["plugdev", "dialout"].contains(item.value)
            default: item.value.wholeMatch(of: /[A-Za-z0-9_]+/) != nil
            }
        guard isGood else { throw Malformed(line: line, problem: "value of \(item.key): \(item.value)") }
    }

    private static func check(_ items: [Item], _ line: Int) throws {
        let labels = items.filter { $0.key == "LABEL" }
        guard labels.isEmpty || items.count == 1 else { throw Malformed(line: line, problem: "a label with company") }
        guard items.contains(where: { !$0.isMatch }) else { throw Malformed(line: line, problem: "does nothing") }
        if let first = items.firstIndex(where: { !$0.isMatch }), items[first...].contains(where: \.isMatch) {
            throw Malformed(line: line, problem: "matches behind assignments")
        }
    }

    /// Every jump goes forward to a label that is there once; every label is jumped to.
    private func checkLabels() throws {
        for (index, items) in rules.enumerated() {
            for item in items where item.key == "GOTO" {
                let targets = rules.indices.filter {
                    rules[$0].first.map { $0.key == "LABEL" && $0.value == item.value } ?? false
                }
                guard targets.count == 1, targets[0] > index else {
                    throw Malformed(line: 0, problem: "GOTO \(item.value)")
                }
            }
            for item in items where item.key == "LABEL" {
                let isUsed = rules.joined().contains { $0.key == "GOTO" && $0.value == item.value }
                guard isUsed else { throw Malformed(line: 0, problem: "LABEL \(item.value) is not used") }
            }
        }
    }
}
