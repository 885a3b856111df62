import ByteCodec
import SmartCard

@testable import TapSimulator

/// A channel that alters the card's responses as the input says; at the input's end, responses pass unaltered.
final class TamperedChannel: CardChannel {
    private var card: CardCore
    private var source: ByteSource
    private var exchangeCount = 0

    /// Whether responses are altered.
    var isTampered = false

    /// More exchanges than any step takes, however often it repeats a command.
    private static let longestStep = 400

    init(_ card: CardCore, _ source: ByteSource) {
        self.card = card
        self.source = source
    }

    func transmit(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
        exchangeCount += 1
        expect(exchangeCount <= Self.longestStep, "a step ends, whatever the responses")
        let answer = card.answer(toAPDU: command)
        return isTampered ? try tampered(answer) : answer
    }

    private func tampered(_ answer: [UInt8]) throws(ReaderError) -> [UInt8] {
        switch source.choice(10) {
        case 1: return source.sized() + [0x90, 0x00]
        case 2: return source.sized()
        case 3:
            return edited(answer) { pairs, source in
                guard !pairs.isEmpty else { return }
                let place = source.choice(pairs.count)
                pairs[place].value = Self.value(&source, insteadOf: pairs[place].value)
            }
        case 4:
            return edited(answer) { pairs, source in
                if !pairs.isEmpty { pairs.remove(at: source.choice(pairs.count)) }
            }
        case 5:
            var changed = answer
            let place = Int(source.byte()) | Int(source.byte()) << 8
            changed[place % changed.count] ^= 1 << UInt8(source.choice(8))
            return changed
        case 6:
            let code = UInt64(source.pick([205, 401, 417, 422, 425, 429, 404, 406, 500, 0]))
            return CBOREncoder.encode(.map(["error": .text("no"), "code": .unsigned(code)])) + [0x90, 0x00]
        case 7: throw ReaderError(source.pick([.cardRemoved, .cardReset, .transportFailed, .readerGone]), "Tampered.")
        case 9:
            // Another key signs instead of the card's.
            return edited(answer) { pairs, _ in
                for place in pairs.indices where pairs[place].key == "sig" {
                    pairs[place].value = .bytes(CardStep.strangersSignature)
                }
                for place in pairs.indices where pairs[place].key == "pubkey" {
                    pairs[place].value = .bytes(CardStep.stranger.publicKey.bytes)
                }
            }
        case 8: return source.pick([[0x6D, 0x00], [0x61, 0x10], [0x6C, 0x20], [0x67, 0x00], [0x90, 0x00], []])
        default: return answer
        }
    }

    /// A response with altered fields.
    private func edited(
        _ answer: [UInt8], _ edit: (inout [(key: String, value: CBORValue)], inout ByteSource) -> Void
    ) -> [UInt8] {
        guard case .map(let map)? = try? CBORDecoder.decode(Array(answer.dropLast(2))) else { return answer }
        var pairs = map.pairs
        edit(&pairs, &source)
        var changed: CBORMap = [:]
        for pair in pairs { changed[pair.key] = pair.value }
        return CBOREncoder.encode(.map(changed)) + answer.suffix(2)
    }

    private static func value(_ source: inout ByteSource, insteadOf value: CBORValue) -> CBORValue {
        switch source.choice(9) {
        case 0: .bytes(source.sized())
        case 1: .unsigned(UInt64(source.byte()))
        case 2: .unsigned(UInt64(source.number()) << 32 | UInt64(source.number()))
        case 3: .text(String(decoding: source.sized(), as: UTF8.self))
        case 4: .bool(source.flag())
        case 5: .array([value])
        case 6: .array((0..<source.choice(12)).map { _ in .unsigned(UInt64(source.number())) })
        case 7: .negative(offset: UInt64(source.number()))
        default: .null
        }
    }

    func beginTransaction() throws(ReaderError) {}
    func endTransaction() {}
    func reconnect() throws(ReaderError) {}
    func disconnect() {}
}

/// A reader with only such a channel.
struct TamperedReader: CardReader, @unchecked Sendable {
    let channel: TamperedChannel
    let spec = "sim:tampered"
    let name = "Tampered"
    let kind = ReaderKind.sim

    func connect() throws(ReaderError) -> any CardChannel { channel }
    func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {}
    func cancelWaiting() {}
}
