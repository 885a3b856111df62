import Foundation
import TestSupport
import Testing

/// Cards that answer nonsense, on the real PC/SC service.
@Suite struct BrokenCardTests {
    /// The card is laid down as a person would do it: once more when nothing is seen, for a busy service overlooks a card
    /// that comes just after another one was taken away.
    private func status(of answer: @escaping @Sendable ([UInt8]) -> CardReply) async throws -> Subprocess {
        try await VirtualReaderSlot.withLease { slot in
            let card = VirtualCard(port: slot.port, answer: answer)
            defer { card.pull() }
            var triesLeft = 6
            while true {
                try card.insert()
                let run = try await Subprocess.run(
                    Subprocess.tapkit, ["status", "--json", "--wait=10", "--reader", "pcsc:\(slot.readerName)"],
                    environment: Workshop.nothing)
                triesLeft -= 1
                if run.status != 75 || triesLeft == 0 { return run }
                card.pull()
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    private static let nonsense: [(name: String, answer: [UInt8], code: String)] = [
        ("another card", [0x6A, 0x82], "not_a_tap_card"),
        ("garbage", [0xFF, 0xFF, 0xFF, 0x90, 0x00], "bad_response"),
        ("nothing", [0x90, 0x00], "bad_response"),
        ("an empty map", [0xA0, 0x90, 0x00], "bad_response"),
        ("a huge length", [0xBB, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x90, 0x00], "bad_response"),
        ("deep nesting", [UInt8](repeating: 0x81, count: 250) + [0x90, 0x00], "bad_response"),
        ("an endless map", [0xBF, 0x90, 0x00], "bad_response"),
    ]

    @Test(arguments: nonsense.indices)
    func nonsenseIsRefused(_ index: Int) async throws {
        let (_, answer, code) = Self.nonsense[index]
        let run = try await status { _ in .answer(answer) }
        try run.expectFailure(74, code)
        #expect(try !run.hint().isEmpty)
    }
}
