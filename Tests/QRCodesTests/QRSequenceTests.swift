import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

@testable import QRCodes

/// Contents divided into codes, and put together again by a judge that knows the specifications only.
@Suite struct QRSequenceTests {
    @Test func capacitiesAreTheLibrarysAndTheSpecifications() throws {
        for row in try Vectors.load("coinkite/bbqr.json") {
            #expect(QRCode.alphanumericCapacity(version: try #require(row["version"])) == row["characters"])
        }
        for version in 1...40 {
            let capacity = QRCode.alphanumericCapacity(version: version)
            let text = String(repeating: "A", count: capacity)
            #expect(try QRCode(text, level: .low).size == QRCode.size(ofVersion: version))
            guard version < 40 else { continue }
            #expect(try QRCode(text + "A", level: .low).size == QRCode.size(ofVersion: version + 1))
        }
        #expect(QRCode.alphanumericCapacity(version: 0) == 0 && QRCode.alphanumericCapacity(version: 41) == 0)
    }

    @Test(arguments: QRFormat.allCases, [4, 6, 20])
    func whateverIsDividedComesTogether(_ format: QRFormat, _ limit: Int) async throws {
        var random = SeededGenerator()
        for count in [0, 1, 50, 600, limit < 20 ? 3_000 : 20_000] {
            let bytes = random.bytes(count...count)
            let sequence = try QRSequence(QRContent(bytes), format, limit: limit)
            var texts: [String] = []
            for index in 0..<sequence.count {
                let code = try sequence.code(index)
                #expect(QRCode.version(ofSize: code.size) == sequence.version && sequence.version <= limit)
                texts.append(sequence.text(index))
            }
            let answer = try await PythonEnvironment.shared().run(
                "join_qr.py", ["texts": texts.shuffled(using: &random)])
            #expect(answer["hex"] as? String == Hex.encode(bytes))
            #expect(answer["kind"] as? String == format.rawValue)
            #expect(answer["type"] as? String == (format == .bbqr ? "T" : "bytes"))
            #expect(answer["parts"] as? Int == sequence.count)
        }
    }

    /// A fountain goes on with mixtures that fit into the codes; BBQr begins again.
    @Test func whatFollowsTheLastCode() throws {
        let bytes = [UInt8](repeating: 7, count: 900)
        let fountain = try QRSequence(QRContent(bytes), .ur, limit: 6)
        for index in [0, fountain.count, fountain.count * 30, 70_000] {
            #expect(try fountain.code(index).size == QRCode.size(ofVersion: 6))
            #expect(fountain.text(index).hasPrefix("UR:BYTES/\(index + 1)-\(fountain.count)/"))
        }
        let parts = try QRSequence(QRContent(bytes), .bbqr, limit: 6)
        #expect(parts.text(parts.count) == parts.text(0) && parts.text(1) != parts.text(0))
    }

    @Test func textThatFitsIsShownAsItIs() throws {
        let text = "wpkh([dd3bf850/84h/1h/0h]tpub/<0;1>/*)#tyfweswf"
        #expect(try QRSequence(QRContent(text: text), .ur, limit: 10).text(0) == text)
        let long = String(repeating: text, count: 40)
        #expect(try QRSequence(QRContent(text: long), .bbqr, limit: 10).text(0).hasPrefix("B$2U"))
        #expect(try QRSequence(QRContent(text: long, isJSON: true), .bbqr, limit: 10).text(0).hasPrefix("B$2J"))
        // What a reader would have to guess the characters of is not shown as text.
        #expect(try QRSequence(QRContent(text: "Zoë"), .bbqr, limit: 10).text(0).hasPrefix("B$2U0100"))
    }

    @Test func whatTakesTooManyCodesIsRefused() {
        let bytes = [UInt8](repeating: 7, count: 100_000)
        for format in QRFormat.allCases {
            #expect(throws: QRCodeError.tooManyCodes(bytes: 100_000)) {
                try QRSequence(QRContent(bytes), format, limit: 4)
            }
        }
    }
}

extension QRContent {
    /// Bytes as those of a transaction.
    init(_ bytes: [UInt8]) { self.init(kind: .transaction, bytes: bytes) }
}
