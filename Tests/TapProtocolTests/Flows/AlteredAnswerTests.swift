import Bitcoin
import ByteCodec
import SmartCard
import Testing

@testable import TapProtocol
@testable import TapSimulator

/// Every bit of every answer to every TAPSIGNER command, altered on the way: the step ends in a typed error, or with the
/// same result as without. What is neither is a field without proof, and those are listed here by name.
@Suite struct AlteredAnswerTests {
    /// A step whose result is compared as text, and the answers in which bits are altered.
    struct Story: Sendable, CustomTestStringConvertible {
        let name: String
        /// The exchanges after SELECT whose answers are altered, in order.
        let commands: [String]
        /// Fields without proof, for each command.
        var unproven: [String: Set<String>] = [:]
        /// Whether the story begins before the card has a key.
        var isBlank = false
        /// Whether it begins behind three wrong CVCs.
        var isDelayed = false
        let run: @Sendable (TapSession, Stage) throws -> String

        var testDescription: String { name }
    }

    /// What every story can use.
    struct Stage: Sendable {
        let blank: SimulatedCardState
        let ready: SimulatedCardState
        let delayed: SimulatedCardState
        /// What a session has learnt of the ready card from earlier answers.
        let knownKeys: KnownKeys
        let root: PublicKey
        let backupKey: Backup.Key
        let cvc: CVC
        let newCVC: CVC
        let chainCode = [UInt8](1...32)
        let path = DerivationPath([84, 0, 0].map { ChildNumber(rawValue: $0 | 0x8000_0000) })
        let otherPath = DerivationPath([48, 0].map { ChildNumber(rawValue: $0 | 0x8000_0000) })
        let digest = SHA256.hash("tapkit".utf8)

        func start(of story: Story) -> SimulatedCardState {
            story.isBlank ? blank : story.isDelayed ? delayed : ready
        }
    }

    /// A certificate chain that leads nowhere: the caller must not go on.
    struct Refused: Error {}

    static let stories: [Story] = [
        Story(
            name: "select", commands: [],
            // The key is proven by `check`, the path by `derive` and every extended key.
            unproven: ["select": ["ver", "birth", "path", "num_backups", "pubkey"]]
        ) { session, _ in String(describing: session.status) },
        Story(
            name: "status", commands: ["status"], unproven: ["status": ["path", "num_backups"]]
        ) { session, _ in String(describing: try session.refreshStatus()) },
        Story(
            name: "delayed status", commands: ["status"],
            unproven: ["status": ["path", "num_backups", "auth_delay"]], isDelayed: true
        ) { session, _ in String(describing: try session.refreshStatus()) },
        Story(name: "certificates", commands: ["check", "certs"]) { session, stage in
            let verdict = try session.proveCard(customRoots: [stage.root]).verdict
            guard verdict.isAccepted else { throw Refused() }
            return verdict.rootName
        },
        Story(
            name: "new", commands: ["new", "status", "xpub"],
            // The master key itself is proven by `derive` and by the backup.
            unproven: ["xpub": ["xpub"]], isBlank: true
        ) { session, stage in
            let master = try session.createKey(chainCode: stage.chainCode, cvc: stage.cvc)
            return master.text + "\(session.status.isSetUp)"
        },
        Story(name: "derive", commands: ["derive", "status", "xpub"]) { session, stage in
            try session.setPath(stage.otherPath, cvc: stage.cvc).text
        },
        Story(
            name: "account", commands: ["derive"],
            // The master key's signature is about the chain code; `setPath` and each `sign` prove the key.
            unproven: ["derive": ["pubkey"]]
        ) { session, stage in
            let account = try session.account(at: stage.otherPath, cvc: stage.cvc)
            return account.key.text + account.masterFingerprint.description
        },
        Story(name: "read", commands: ["read"]) { session, stage in
            try session.read(cvc: stage.cvc).description
        },
        Story(name: "xpub", commands: ["xpub"]) { session, stage in
            try session.extendedPublicKey(master: false, cvc: stage.cvc).text
        },
        Story(name: "master xpub", commands: ["xpub"]) { session, stage in
            try session.proveChainCode(stage.chainCode, cvc: stage.cvc).text
        },
        Story(
            name: "backup", commands: ["backup", "status", "xpub"],
            // The path line; the key is proven.
            unproven: ["backup": ["data"]]
        ) { session, stage in
            let backup = try Backup(decrypting: try session.backup(cvc: stage.cvc), key: stage.backupKey)
            try session.proveBackup(backup, cvc: stage.cvc)
            return backup.masterKey.text + backup.path.description
        },
        Story(name: "change", commands: ["change"]) { session, stage in
            try session.changeCVC(from: stage.cvc, to: stage.newCVC)
            return "changed"
        },
        Story(name: "sign", commands: ["sign", "sign"]) { session, stage in
            // The second signature uses the nonce that came with the first.
            try (0..<2).map { _ in
                let signed = try session.sign(digest: stage.digest, subpath: DerivationPath(), cvc: stage.cvc)
                return "\(signed.publicKey)\(Hex.encode(signed.signature.compact))"
            }.joined()
        },
        Story(name: "wait", commands: ["wait"], unproven: ["wait": ["auth_delay"]], isDelayed: true) { session, _ in
            String(try session.wait())
        },
        Story(name: "link", commands: ["status", "nfc"]) { session, _ in try session.tapLink().url },
    ]

    @Test(arguments: stories)
    func everyBitOfEveryAnswer(story: Story) throws {
        let stage = try Self.stage()
        let start = stage.start(of: story)
        let whole = try Self.play(story, from: start, on: stage)
        let expected = try whole.result.get()
        #expect(whole.exchanges.map(\.name) == ["select"] + story.commands)

        var found: [String: Set<String>] = [:]
        var flips = 0
        for (number, exchange) in whole.exchanges.enumerated() where number > 0 || story.commands.isEmpty {
            for bit in 0..<(8 * exchange.answer.count) {
                flips += 1
                let flipped = try Self.play(story, from: start, on: stage) {
                    guard $0 == number else { return $1 }
                    var bytes = $1
                    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                    return bytes
                }
                switch flipped.result {
                case .success(expected): continue
                case .success:
                    let altered = flipped.exchanges[number].received
                    found[exchange.name, default: []].formUnion(Self.changedFields(exchange.answer, altered))
                case .failure(let error): #expect(error is TapError || error is Refused, "\(exchange.name), bit \(bit)")
                }
            }
        }
        #expect(flips == 8 * whole.exchanges.dropFirst(story.commands.isEmpty ? 0 : 1).map(\.answer.count).reduce(0, +))
        #expect(found == story.unproven)
    }

    /// Answers cut anywhere, with or without their status word, doubled, or followed by more: never a result.
    @Test(arguments: stories)
    func cutAndDoubledAnswers(story: Story) throws {
        let stage = try Self.stage()
        let start = stage.start(of: story)
        let whole = try Self.play(story, from: start, on: stage)
        for (number, exchange) in whole.exchanges.enumerated() where number > 0 || story.commands.isEmpty {
            let data = exchange.answer.dropLast(2)
            let cuts = stride(from: 0, to: data.count, by: 3).flatMap { count in
                [Array(data.prefix(count)), data.prefix(count) + [0x90, 0x00]]
            }.filter { !Self.isAskedAgain($0) }
            for wrong in cuts + [
                data + data + [0x90, 0x00], data + [0x00, 0x90, 0x00], exchange.answer + exchange.answer,
            ] {
                let altered = try Self.play(story, from: start, on: stage) { $0 == number ? wrong : $1 }
                #expect(throws: TapError.self, "\(exchange.name), \(wrong.count) bytes") { try altered.result.get() }
            }
        }
    }

    /// Whether a cut ends like `61xx` or `6Cxx`, so that the line asks the card again: that is no cut any more.
    private static func isAskedAgain(_ answer: [UInt8]) -> Bool {
        let first = answer.dropLast().last
        return first == 0x61 || first == 0x6C
    }

    // MARK: - Playing

    /// What becomes of an answer, by the exchange's number.
    private typealias Alteration = (_ number: Int, _ answer: [UInt8]) -> [UInt8]

    private struct PlayedExchange {
        let name: String
        let answer: [UInt8]
        let received: [UInt8]
    }

    private static func play(
        _ story: Story, from state: SimulatedCardState, on stage: Stage,
        altering alter: @escaping Alteration = { $1 }
    ) throws -> (result: Result<String, any Error>, exchanges: [PlayedExchange]) {
        let card = SimulatedCard(state: state, file: nil, waitDuration: .zero)
        try card.powerOn()
        let channel = AlteringChannel(card: card, alter: alter)
        let result = Result {
            let connection = CardConnection(reader: AlteringReader(channel: channel), trace: nil)
            _ = try connection.begin()
            let session = try TapSession(connection: connection, random: ScriptedRandom(), trace: nil)
            if !story.isBlank { session.knownKeys = stage.knownKeys }
            return try story.run(session, stage)
        }
        return (result, channel.exchanges)
    }

    /// The fields that differ between two answers; the name of an altered key counts as that of the true one.
    private static func changedFields(_ original: [UInt8], _ altered: [UInt8]) -> Set<String> {
        guard case .map(let before)? = try? CBORDecoder.decode(original.dropLast(2)),
            case .map(let after)? = try? CBORDecoder.decode(altered.dropLast(2))
        else { return ["unreadable"] }
        return Set(before.pairs.filter { after[$0.key] != $0.value }.map(\.key))
    }

    private static func stage() throws -> Stage {
        let (cvc, newCVC) = (try CVC("123456"), try CVC("654321"))
        var options = SimulatedCardOptions(product: .tapsigner)
        options.seed = [1, 2, 3]
        options.cvc = "123456"
        options.unluckyPercent = 0
        let card = try SimulatedCard(options, waitDuration: .zero)
        let blank = card.state
        let session = try session(with: card)
        let (chainCode, path) = (
            [UInt8](1...32), DerivationPath([84, 0, 0].map { ChildNumber(rawValue: $0 | 0x8000_0000) })
        )
        try session.createKey(chainCode: chainCode, cvc: cvc)
        try session.setPath(path, cvc: cvc)
        _ = try session.backup(cvc: cvc)
        let ready = card.state
        for _ in 0..<3 { _ = try? session.read(cvc: newCVC) }
        return Stage(
            blank: blank, ready: ready, delayed: card.state, knownKeys: session.knownKeys,
            root: try card.record.rootKey, backupKey: try Backup.Key(hex: try #require(card.record.aesKey)), cvc: cvc,
            newCVC: newCVC)
    }

    private static func session(with card: SimulatedCard) throws -> TapSession {
        try card.powerOn()
        let channel = AlteringChannel(card: card) { $1 }
        let connection = CardConnection(reader: AlteringReader(channel: channel), trace: nil)
        _ = try connection.begin()
        return try TapSession(connection: connection, random: ScriptedRandom(), trace: nil)
    }

    /// A line to a software card that alters answers, and keeps what passed.
    private final class AlteringChannel: CardChannel, @unchecked Sendable {
        private let card: SimulatedCard
        private let alter: Alteration
        private(set) var exchanges: [PlayedExchange] = []

        init(card: SimulatedCard, alter: @escaping Alteration) {
            self.card = card
            self.alter = alter
        }

        func transmit(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
            let answer = card.process(apdu: command)
            var name = "select"
            if case .text(let command)? = ScriptedChannel.map(in: command)?["cmd"] { name = command }
            let received = alter(exchanges.count, answer)
            exchanges.append(PlayedExchange(name: name, answer: answer, received: received))
            return received
        }

        func beginTransaction() throws(ReaderError) {}
        func endTransaction() {}
        func reconnect() throws(ReaderError) {}
        func disconnect() {}
    }

    private struct AlteringReader: CardReader {
        let channel: AlteringChannel
        let spec = "sim:altering"
        let name = "Altering"
        let backend = ReaderBackend.sim

        func connect() throws(ReaderError) -> any CardChannel { channel }
        func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {}
        func cancelWaiting() {}
    }
}
