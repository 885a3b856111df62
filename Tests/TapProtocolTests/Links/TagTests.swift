import SmartCard
import TapSimulator
import Testing

@testable import TapProtocol

/// The link as a telephone reads it, from simulated cards.
@Suite struct TagTests {
    private static let products: [SimulatedProduct] = [.tapsigner, .satscard, .satschip]

    private func reader(_ product: SimulatedProduct, _ interceptor: (any CardInterceptor)? = nil) throws
        -> SimulatedReader
    {
        var options = SimulatedCardOptions(product: product)
        options.seed = [UInt8](repeating: 7, count: 32)
        return SimulatedReader(card: try SimulatedCard(options), interceptor: interceptor)
    }

    @Test(arguments: products) func theTagShowsALinkAsGoodAsTheCommands(product: SimulatedProduct) async throws {
        let card = TapCard(reader: try reader(product))
        let (told, read, after) = try await card.perform { session in
            (try session.tapLink(), try session.tapLink(from: .tag), try session.refreshStatus())
        }
        #expect(told.source == .command && read.source == .tag)
        #expect(read.url.hasPrefix("https://"))
        #expect(told.proven?.publicKey == read.proven?.publicKey)
        #expect(told.proven?.state == read.proven?.state)
        #expect(after.product.rawValue == product.rawValue)
    }

    @Test(arguments: products) func aCardWithoutTheCommandIsReadAsATag(product: SimulatedProduct) async throws {
        let card = TapCard(reader: try reader(product, Refusal(code: 404)))
        #expect(try await card.perform { try $0.tapLink() }.source == .tag)
        await #expect(throws: TapError.self) { try await card.perform { try $0.tapLink(from: .command) } }
    }

    @Test func anotherRefusalIsNoReasonToReadTheTag() async throws {
        let card = TapCard(reader: try reader(.tapsigner, Refusal(code: 406)))
        await #expect(throws: TapError.self) { try await card.perform { try $0.tapLink() } }
    }

    /// Every answer of the tag, cut off anywhere or of the wrong shape, is an error and nothing else, and leaves the card
    /// usable.
    @Test func aTagThatTalksNonsenseIsAnError() async throws {
        var refusals = 0
        for (instruction, number) in [(UInt8(0xA4), 2), (0xA4, 3), (0xB0, 1), (0xA4, 4), (0xB0, 2), (0xB0, 3)] {
            for answer: [UInt8] in [
                [0x90, 0x00], [0x6A, 0x82], [0xFF, 0x90, 0x00], [UInt8](repeating: 0xFF, count: 250) + [0x90, 0x00],
            ] {
                let card = TapCard(reader: try reader(.satscard, Nonsense(instruction, number, answer)))
                // What comes through all the same is a link that was verified.
                let link = try? await card.perform { try $0.tapLink(from: .tag) }
                #expect(link == nil || link?.proven != nil)
                refusals += link == nil ? 1 : 0
                #expect(try await card.perform { try $0.refreshStatus() }.product == .satscard)
            }
        }
        #expect(refusals >= 12)
    }
}

/// Refuses the command `nfc`.
private struct Refusal: CardInterceptor {
    let code: UInt16

    func command(_ exchange: CardExchange) -> CommandInterception {
        guard exchange.name == "nfc" else { return .pass }
        // {"error": "no", "code": code}
        let answer: [UInt8] =
            [0xA2, 0x65] + Array("error".utf8) + [0x62] + Array("no".utf8) + [0x64] + Array("code".utf8)
            + [0x19, UInt8(code >> 8), UInt8(code & 0xFF)]
        return .answer(answer + [0x90, 0x00])
    }
}

/// Answers the Nth command with an instruction byte by other bytes.
private final class Nonsense: CardInterceptor, @unchecked Sendable {
    private let instruction: UInt8
    private var left: Int
    private let reply: [UInt8]

    init(_ instruction: UInt8, _ number: Int, _ reply: [UInt8]) {
        (self.instruction, left, self.reply) = (instruction, number, reply)
    }

    // Only the reader's thread calls.
    func command(_ exchange: CardExchange) -> CommandInterception {
        guard exchange.command.count > 1, exchange.command[1] == instruction else { return .pass }
        left -= 1
        return left == 0 ? .answer(reply) : .pass
    }
}
