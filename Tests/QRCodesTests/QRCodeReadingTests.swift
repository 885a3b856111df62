import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

@testable import QRCodes

/// Another project's reader reads the codes in every form in which they are shown.
@Suite struct QRCodeReadingTests {
    private static let texts = [
        "BITCOIN:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
        "bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "bitcoin:1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH?amount=20.3&label=Zo%C3%AB%20%26%20co",
        "BITCOIN:TB1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KXPJZSX?amount=0.00012345",
        "BITCOIN:BC1P0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQZK5JJ0", "1",
        // The largest code there is.
        String(repeating: "bitcoin:1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH?", count: 54),
    ]

    @Test(arguments: texts) func thePNGIsRead(_ text: String) async throws {
        let code = try QRCode(text)
        for pixels in [1, 4, 8] {
            let answer = try await read(["png": Hex.encode(try code.png(modulePixels: pixels))])
            // Below two pixels a module a photographed code is not to be read, but the image is right.
            if pixels > 1 { #expect(answer.codes == [text]) }
            let enlarged = code.rows(margin: 4).flatMap { row in
                let line = row.map { String(repeating: $0, count: pixels) }.joined()
                return [String](repeating: line, count: pixels)
            }
            #expect(answer.rows == enlarged)
            #expect(answer.fields["depth"] as? Int == 8 && answer.fields["channels"] as? Int == 1)
        }
    }

    @Test(arguments: texts) func theSVGIsRead(_ text: String) async throws {
        let code = try QRCode(text)
        let answer = try await read(["svg": code.svg()])
        #expect(answer.codes == [text])
        #expect(answer.rows == code.rows(margin: 4))
    }

    /// With either margin, and in either form.
    @Test(arguments: texts) func whatATerminalShowsIsRead(_ text: String) async throws {
        let code = try QRCode(text)
        for (style, columns) in [(.coloured, nil), (.plain, code.size + 4)] as [(QRCode.TerminalStyle, Int?)] {
            let shown = try code.terminalText(style, columns: columns)
            let rows = try QRCode.rows(shownBy: shown, coloured: style == .coloured)
            #expect(try await read(["rows": rows]).codes == [text])
        }
    }

    /// The judge sees a fault that error correction cannot mend.
    @Test func aDamagedCodeIsNotRead() async throws {
        let code = try QRCode(Self.texts[0])
        let rows = code.rows(margin: 4).enumerated().map { row, modules in
            String(
                modules.enumerated().map { column, module in
                    column > 16 && row > 16 && (column + row) % 3 == 0 ? (module == "1" ? "0" : "1") : module
                })
        }
        #expect(try await read(["rows": rows]).codes.isEmpty)
    }

    private struct Answer {
        let fields: [String: Any]
        /// The texts of the QR codes found.
        let codes: [String]
        /// The image as the judge saw it.
        let rows: [String]
    }

    private func read(_ request: [String: Any]) async throws -> Answer {
        let fields = try await PythonEnvironment.shared().run("read_qr.py", request)
        let codes = try #require(fields["codes"] as? [[String: String]])
        #expect(codes.allSatisfy { $0["level"] == "M" && $0["format"]?.hasPrefix("QRCode") == true }, "\(codes)")
        return Answer(
            fields: fields, codes: codes.compactMap { $0["text"] }, rows: try #require(fields["rows"] as? [String]))
    }
}
