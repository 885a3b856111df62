import Bitcoin
import ByteCodec
import LyingCards
import SmartCard
import Testing

@testable import TapSimulator

/// A card on a reader with a liar between, and the raw bytes of every exchange.
final class ReaderBench {
    let card: SimulatedCard
    let reader: SimulatedReader
    let liar: Liar
    private let channel: any CardChannel
    private let model: PublishedCommandsTests.Model

    /// A card in use, selected; `liar` listens only, if not given.
    init(_ model: PublishedCommandsTests.Model, _ liar: Liar = Liar()) throws {
        self.model = model
        card = try model.app().card
        self.liar = liar
        reader = SimulatedReader(card: card, interceptor: liar)
        channel = try reader.connect()
        _ = try channel.transmit(CardCore.selection)
    }

    /// A newest TAPSIGNER.
    convenience init(_ liar: Liar) throws {
        try self.init(PublishedCommandsTests.Model(product: .tapsigner, version: .newest), liar)
    }

    /// One request; the answer as the app gets it.
    func send(_ request: CBORMap) throws -> [UInt8] {
        let data = CBOREncoder.encode(.map(request))
        return try channel.transmit([0x00, 0xCB, 0x00, 0x00, UInt8(data.count)] + data)
    }

    /// One request without arguments.
    func send(_ name: String) throws -> [UInt8] { try send(["cmd": .text(name)]) }

    /// One request with a CVC, made with what the card holds now.
    func sendWithCVC(_ name: String, _ arguments: CBORMap = [:]) throws -> [UInt8] {
        let state = card.state
        let nonce = try content("card_nonce", try send("status"))
        let ephemeral = try PrivateKey(SecretBytes([UInt8](repeating: 5, count: 32)))
        let session = try SessionKey(cardKey: state.cardPrivateKey(), ephemeralKey: ephemeral.publicKey.bytes)
        let cvc = state.cvc.bytes.withBytes { Array($0) }
        let hidden = session.revealCVC(cvc, cardNonce: nonce, command: name)
        var request = arguments
        request["cmd"] = .text(name)
        request["epubkey"] = .bytes(ephemeral.publicKey.bytes)
        request["xcvc"] = .bytes(hidden.withBytes { Array($0) })
        return try send(request)
    }

    /// The bytes of a field.
    func content(_ name: String, _ answer: [UInt8]) throws -> [UInt8] {
        guard case .map(let map) = try CBORDecoder.decode(answer.dropLast(2)) else { return [] }
        return try map.content(name)
    }

    /// Every command that the product knows, with right arguments, so that each answers.
    func playEverything() throws {
        let nonce = CBORValue.bytes([UInt8](0..<16))
        let digest = CBORValue.bytes([UInt8](repeating: 9, count: 32))
        for name in ["status", "certs", "nfc", "wait"] { _ = try send(name) }
        _ = try send(["cmd": .text("check"), "nonce": nonce])
        guard model.product == .satscard else {
            for name in ["read", "derive"] { _ = try sendWithCVC(name, ["nonce": nonce]) }
            _ = try sendWithCVC("sign", ["digest": digest])
            _ = try sendWithCVC("xpub", ["master": .bool(true)])
            if model.product == .tapsigner { _ = try sendWithCVC("backup") }
            return
        }
        for name in ["read", "derive"] { _ = try send(["cmd": .text(name), "nonce": nonce]) }
        _ = try sendWithCVC("sign", ["slot": .unsigned(0), "digest": digest])
        for slot in 0...2 as ClosedRange<UInt64> {
            _ = try send(["cmd": .text("dump"), "slot": .unsigned(slot)])
            _ = try sendWithCVC("dump", ["slot": .unsigned(slot)])
        }
        _ = try sendWithCVC("unseal", ["slot": .unsigned(1)])
        _ = try sendWithCVC("new", ["slot": .unsigned(2)])
    }
}
