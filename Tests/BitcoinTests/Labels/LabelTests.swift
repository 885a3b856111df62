import Bitcoin
import Foundation
import TestSupport
import Testing

@Suite struct LabelTests {
    private static let file = "bips/bip329.json"

    private func label(_ line: String) throws -> Label? { try Label(line: Array(line.utf8)[...]) }

    /// What Foundation reads in a line.
    private func members(_ line: String) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
    }

    @Test func everyLineIsReadAndWritten() throws {
        let rows = try Vectors.load(Self.file, kinds: ["line"])
        #expect(rows.count == 80)
        for row in rows {
            let line = try row.text("line")
            let label = try #require(try label(line))
            #expect(try label.kind.rawValue == row.text("type"), "\(row.testDescription)")
            #expect(try label.reference == row.text("ref"), "\(row.testDescription)")
            #expect(label.text == row.fields["label"] as? String ?? "", "\(row.testDescription)")
            #expect(label.origin == row.fields["key_origin"] as? String, "\(row.testDescription)")
            #expect(label.isSpendable == row.fields["spendable"] as? Bool, "\(row.testDescription)")
            // Written, it says the same.
            #expect(try members(label.line) == members(line), "\(row.testDescription)")
            #expect(try self.label(label.line) == label, "\(row.testDescription)")
        }
        let whole = try rows.map { try $0.text("line") }.joined(separator: "\n")
        let read = try LabelFile(parsing: whole.utf8)
        #expect(read.labels.count == 80)
        #expect(try LabelFile(parsing: read.bytes) == read)
    }

    @Test func theRulesAreKept() throws {
        let rules = try #require(try Vectors.load(Self.file, kinds: ["rules"]).first)
        #expect(Set(Label.Kind.allCases.map(\.rawValue)) == Set(try #require(rules.fields["types"] as? [String])))
        for row in try Vectors.load(Self.file, kinds: ["line_tolerated"]) {
            let label = try #require(try label(row.text("line")))
            #expect(try label.isSpendable.map { "\($0)" } == row.text("spendable_text"))
        }
        let ignored = try Vectors.load(Self.file, kinds: ["line_ignored"])
        #expect(!ignored.isEmpty)
        for row in ignored { #expect(try label(row.text("line")) == nil) }
    }

    @Test func optionalFieldsAreKeptAsTheyAre() throws {
        let references = [
            "tx": String(repeating: "0", count: 64), "addr": "bc1q34aq5drpuwy3wgl9lhup9892qp6svr8ldzyy7c",
            "output": String(repeating: "0", count: 64) + ":1",
        ]
        let rows = try Vectors.load(Self.file, kinds: ["optional_field"])
        #expect(rows.count == 8)
        for row in rows {
            let type = try row.text("type")
            let example = try JSONSerialization.data(
                withJSONObject: try #require(row.fields["example"]), options: [.fragmentsAllowed])
            let reference = try #require(references[type])
            let line = """
                {"type":"\(type)","ref":"\(reference)","\(try row.text("key"))":\(String(decoding: example, as: UTF8.self))}
                """
            let label = try #require(try label(line))
            #expect(label.otherFields.map(\.name) == [try row.text("key")])
            #expect(label.line == line)
        }
        // Every digit and space.
        let line = #"{"type":"tx","ref":"\#(references["tx"] ?? "")","rate":{ "USD" : 105620.00e+0 },"x":[1, 2 ,{}]}"#
        #expect(try label(line)?.line == line)
    }

    @Test func wrongLinesAreRefused() throws {
        let rows = try Vectors.load(Self.file, kinds: ["line_invalid"])
        #expect(rows.count == 5)
        let faults: [String: LabelFault] = [
            "ref_missing": .missing("ref"), "type_missing": .missing("type"), "not_an_object": .notObject,
            "not_json": .notJSON(offset: 20), "ref_not_a_string": .notText("ref"),
        ]
        for row in rows {
            let fault = try #require(faults[try row.text("reason")])
            #expect(throws: fault, "\(row.testDescription)") { try label(row.text("line")) }
        }
    }

    @Test(arguments: [
        (#"{"type":"tx","ref":"00"}"#, LabelFault.reference), (#"{"type":"tx","ref":""}"#, .reference),
        (#"{"type":"addr","ref":""}"#, .reference), (#"{"type":"pubkey","ref":"02"}"#, .reference),
        (#"{"type":"output","ref":"TXID"}"#, .reference), (#"{"type":"output","ref":"TXID:"}"#, .reference),
        (#"{"type":"output","ref":"TXID:+1"}"#, .reference),
        (#"{"type":"output","ref":"TXID:4294967296"}"#, .reference),
        (#"{"type":"output","ref":"TXID:1:2"}"#, .reference),
        (#"{"type":"output","ref":"TXID:1","spendable":1}"#, .spendable),
        (#"{"type":"output","ref":"TXID:1","spendable":"no"}"#, .spendable),
        (#"{"type":"tx","ref":"TXID","label":1}"#, .notText("label")),
        (#"{"type":"tx","ref":"TXID","origin":{}}"#, .notText("origin")),
        (#"{"type":"tx","ref":"TXID","ref":"TXID"}"#, .repeated("ref")),
        (#"{"type":"tx","ref":"TXID"} x"#, .notJSON(offset: 87)),
        (#"{"type":"tx","ref":"TXID",}"#, .notJSON(offset: 86)),
        (#"{"type":"tx" "ref":"TXID"}"#, .notJSON(offset: 13)), (#"{type:"tx"}"#, .notJSON(offset: 1)),
        (#"{"type":"\x"}"#, .notJSON(offset: 10)), (#"{"type":"\ud800"}"#, .notJSON(offset: 15)),
        (#"{"type":"\ud800\u0041"}"#, .notJSON(offset: 21)), (#"{"type":"\u12g4"}"#, .notJSON(offset: 13)),
        (#"{"a":01}"#, .notJSON(offset: 6)), (#"{"a":1.}"#, .notJSON(offset: 7)), (#"{"a":.5}"#, .notJSON(offset: 5)),
        (#"{"a":-}"#, .notJSON(offset: 6)), (#"{"a":tru}"#, .notJSON(offset: 8)), (#"{"a":[1,]}"#, .notJSON(offset: 8)),
        ("{\"a\":\"\t\"}", .notJSON(offset: 6)), ("5", .notObject), ("\"x\"", .notObject), ("{", .notJSON(offset: 1)),
        ("{}{}", .notJSON(offset: 2)), (" [1,", .notJSON(offset: 1)), (#"{"a":"\udc00"}"#, .notJSON(offset: 12)),
        ("{\"a\":\"e\(String(repeating: "\u{301}", count: 65))\"}", .endlessLetter),
    ])
    func everyFaultHasItsName(_ line: String, _ fault: LabelFault) {
        let line = line.replacing("TXID", with: String(repeating: "a", count: 64))
        #expect(throws: fault) { try label(line) }
        #expect(!fault.description.isEmpty)
    }

    @Test func textsAreReadAndWrittenWhole() throws {
        let reference = String(repeating: "0", count: 64)
        let line = #"{"type":"tx","ref":"\#(reference)","label":"\u00e4\n\"\\\/\ud83d\ude00 é\u0000\u001b[31m"}"#
        let label = try #require(try label(line))
        #expect(label.text == "ä\n\"\\/😀 é\u{0}\u{1B}[31m")
        #expect(try self.label(label.line) == label)
        #expect(label.line.utf8.allSatisfy { $0 >= 0x20 })
        let none = try #require(try self.label(#"{"type":"tx","ref":"\#(reference)","label":null}"#))
        #expect(none.text.isEmpty)
        // Not UTF-8.
        var bytes = Array(label.line.utf8)
        bytes[bytes.count - 3] = 0xFF
        #expect(throws: LabelFault.self) { try Label(line: bytes[...]) }
    }

    /// What a field that is kept holds is its own affair; names that look the same need not be.
    @Test func whatIsKeptIsNotJudged() throws {
        let fields = #""é":1,"e\#u{301}":2,"x":{"a":1,"a":[{},2.0]}"#
        let line = #"{"type":"addr","ref":"x",\#(fields)}"#
        let label = try #require(try label(line))
        #expect(label.otherFields.count == 3)
        #expect(label.line == line)
        let nested = { (depth: Int) in
            String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
        }
        #expect(try self.label(#"{"type":"addr","ref":"x","a":\#(nested(63))}"#) != nil)
        #expect(throws: LabelFault.tooDeep) {
            try self.label(#"{"type":"addr","ref":"x","a":\#(nested(64))}"#)
        }
        let name = String(repeating: "n", count: 1_000)
        #expect(try self.label(#"{"type":"addr","ref":"x","\#(name)":1}"#)?.otherFields.first?.name == name)
    }

    @Test func filesHaveLinesAndLimits() throws {
        let good = #"{"type":"addr","ref":"x","label":"y"}"#
        let file = "\u{FEFF}\(good)\r\n\n  \r\n{\"type\":\"other\",\"ref\":\"x\"}\n\(good)"
        let read = try LabelFile(parsing: file.utf8)
        #expect(read.labels.count == 2)
        #expect(read.ignoredLines == [4])
        #expect(throws: LabelFileError.line(3, .notObject)) { try LabelFile(parsing: "\(good)\n\n[]\n".utf8) }
        #expect(try LabelFile(parsing: []).labels.isEmpty)
        let long = #"{"type":"addr","ref":"x","label":"\#(String(repeating: "y", count: 65_536))"}"#
        #expect(throws: LabelFileError.line(1, .tooLong)) { try LabelFile(parsing: long.utf8) }
        let deep = #"{"type":"addr","ref":"x","a":"# + String(repeating: "[", count: 10_000)
        #expect(throws: LabelFileError.self) { try LabelFile(parsing: deep.utf8) }
        #expect(throws: LabelFileError.tooLarge(limit: LabelFile.maximumSize)) {
            try LabelFile(parsing: [UInt8](repeating: 0x20, count: LabelFile.maximumSize + 1))
        }
        #expect(throws: LabelFileError.tooManyLines(limit: LabelFile.maximumLineCount)) {
            try LabelFile(parsing: [UInt8](repeating: 0x0A, count: LabelFile.maximumLineCount + 1))
        }
        #expect(LabelFileError.line(3, .notObject).description == "line 3 is not a JSON object")
    }

    /// Damaged lines are read as Foundation reads them, or refused.
    @Test func damagedLinesNeverTrap() throws {
        var generator = SeededGenerator()
        let rows = try Vectors.load(Self.file, kinds: ["line"])
        for _ in 0..<20_000 {
            let line = try #require(rows.randomElement(using: &generator)).text("line")
            let damaged = generator.damaged(Array(line.utf8))
            guard let label = try? Label(line: damaged[...]) else { continue }
            let object = try JSONSerialization.jsonObject(with: Data(damaged)) as? NSDictionary
            #expect(object?["ref"] as? String == label.reference)
        }
    }
}
