import Bitcoin

/// Label files.
enum LabelTarget: FuzzTarget {
    static let name = "label"

    static func run(_ bytes: [UInt8]) throws {
        let file = try LabelFile(parsing: bytes)
        let written = file.bytes
        let again = required("what is written is read") { try LabelFile(parsing: written) }
        expectSame(again.labels, file.labels, "labels that are written are the same")
        expectSame(again.ignoredLines, [], "nothing that is written is ignored")
        expectSame(again.bytes, written, "labels are written in one way")
        for label in file.labels {
            expect(!label.line.utf8.contains(UInt8(ascii: "\n")), "a label is one line")
        }
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        let escapes =
            #"{"type":"addr","ref":"a\\b","label":"\"\\\/\b\f\n\r\t\u00e9\u2028\ud83d\ude00","x":[1,{"y":null}]}"#
        let lines = try vectors.texts(in: "bips/bip329.json").filter { $0.hasPrefix("{") } + [escapes]
        return lines.map { Array($0.utf8) }
    }
}
