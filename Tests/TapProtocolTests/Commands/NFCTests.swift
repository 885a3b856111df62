import ByteCodec
import Testing

@testable import TapProtocol

@Suite struct NFCTests {
    private func link(_ value: CBORValue) throws -> String {
        try OpenSession(.map(try TestCard().status()), .map(["url": value])).session.tapURL()
    }

    @Test func aLinkIsPrintableASCII() throws {
        let longest = "https://tapsigner.com/start#" + String(repeating: "a", count: 1_024 - 28)
        #expect(try link(.text(longest)) == longest)
        for wrong in [longest + "a", "", "https://tapsigner.com/\u{1B}[2J", "https://tapsigner.com/ü", "a b"] {
            guard case .badResponse("nfc", "url", _) = try tapError(from: { try link(.text(wrong)) }) else {
                Issue.record("\(wrong)")
                continue
            }
        }
        guard case .badResponse("nfc", "url", _) = try tapError(from: { try link(.bytes([0x61])) }) else {
            Issue.record("A byte string was taken.")
            return
        }
    }
}
