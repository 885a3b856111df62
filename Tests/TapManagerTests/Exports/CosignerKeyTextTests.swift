import Bitcoin
import TestSupport
import Testing

@testable import TapManager

/// Keys as cosigners send them.
@Suite struct CosignerKeyTextTests {
    @Test func aKeyOnALineIsRead() throws {
        var generator = SeededGenerator()
        let key = try RandomPolicy.keys(1, &generator)[0]
        for text in ["\(key)", "\(key)\n", "\n  \(key) \r\n\n", "\(key)/<0;1>/*\n"] {
            #expect(try CosignerKeyText(parsing: text).key == key)
        }
        let cases: [(String, CosignerKeyText.Fault)] = [
            ("", .lines(0)), ("\(key)\n\(key)\n", .lines(2)), (key.key.text, .key(.noOrigin)),
            ("BSMS 1.0\n\(key)", .record), ("BSMS 1.0\n00\n\(key)\nname\nAAAA", .signature),
        ]
        for (text, fault) in cases {
            #expect(throws: fault, "\(text)") {
                try CosignerKeyText(parsing: text)
            }
        }
    }

    /// Keys and records are read in time that grows as they do.
    @Test func theirTimeIsLinear() throws {
        var generator = SeededGenerator()
        let key = try RandomPolicy.keys(1, &generator)[0].description
        let (record, accents) = ("BSMS 1.0\n00\n\(key)\n", "\u{316}\u{301}")
        for (what, start, piece, end) in [
            ("line ends", key, "\n", ""), ("spaces", "", " ", key), ("keys", "", "\(key)\n", ""),
            ("letters", "", "x", ""), ("flags", "", "\u{1F1E6}", ""), ("accents", "", accents, ""),
            ("steps of an origin", "[00000000", "/0", "]\(key)"), ("lines of a record", record, "x\n", ""),
            ("accents of its version", "BSMS 1.0", accents, ""), ("letters of its name", record, "x", "\nAAAA"),
            ("letters of its signature", record + "x\n", "A", ""),
        ] {
            try Scaling.expectLinear(what, upTo: 1 << 16) { size in
                start + String(repeating: piece, count: size) + end
            } work: { text in
                _ = try? CosignerKeyText(parsing: text)
            }
        }
    }

    /// The key records of BIP-129 are read, and nothing in them can be altered.
    @Test func signedRecordsAreReadAsTheyWereSigned() throws {
        for row in try Vectors.load("bips/bip129.json", kinds: ["key_record"]) {
            let record = try row.text("record")
            let fingerprint = try #require(Fingerprint(try row.bytes("fingerprint")))
            let key = PolicyKey(
                origin: KeyOrigin(fingerprint: fingerprint, path: try DerivationPath(parsing: row.text("path"))),
                key: try ExtendedPublicKey(parsing: row.text("key")))
            let read = try CosignerKeyText(parsing: record + "\n")
            let description = try row.text("description")
            #expect(read.key == key && read.name == (description.isEmpty ? nil : description))
            var lines = record.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            for (place, other) in [(1, "01"), (2, lines[2].replacing("[\(fingerprint)", with: "[00000001")), (3, "x")] {
                let original = lines[place]
                lines[place] = other
                #expect(throws: CosignerKeyText.Fault.signature, "\(place)") {
                    try CosignerKeyText(parsing: lines.joined(separator: "\n"))
                }
                lines[place] = original
            }
        }
    }
}
