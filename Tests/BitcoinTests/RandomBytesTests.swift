import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

/// No input makes a parser trap, and what it takes, it writes again as it was. A trap ends the test process.
@Suite struct RandomBytesTests {
    private static let rounds = 100_000

    @Test func transactions() throws {
        var generator = SeededGenerator(for: "BitcoinTests.transactions")
        let samples =
            try Vectors.load("bips/bip143.json").map { try $0.bytes("signed_tx") }
            + Vectors.arrays("bitcoin-core/sighash.json").prefix(200).map { try Hex.decode($0.row[0] as? String ?? "") }
        var taken = 0
        for round in 0..<Self.rounds {
            let bytes = try input(round, samples, &generator)
            guard let transaction = try? Transaction(serialized: bytes) else { continue }
            taken += 1
            if transaction.serialized() != bytes { Issue.record("\(Hex.encode(bytes))") }
        }
        #expect(taken > 1000)
    }

    @Test func scripts() throws {
        var generator = SeededGenerator(for: "BitcoinTests.scripts")
        let samples =
            try Vectors.load("bitcoin-core/key_io.json", kinds: ["address"]).map { try $0.bytes("script_pubkey") }
            + Vectors.load("bips/bip67.json").map { try $0.bytes("redeem_script") }
            + Vectors.load("bips/bip143.json", kinds: ["sighash"]).map { try $0.bytes("script_code") }
        var standard = 0
        for round in 0..<Self.rounds {
            let script = Script(try input(round, samples, &generator))
            var iterator = ScriptElementIterator(script)
            while iterator.next() != nil {}
            if !iterator.isTruncated, iterator.offset != script.bytes.count { Issue.record("\(script)") }
            let template = ScriptTemplate(script)
            if template != .nonStandard { standard += 1 }
            if case .multisig(let multisig) = template, multisig.script != script { Issue.record("\(script)") }
            guard let address = Address(scriptPubKey: script, network: .signet) else { continue }
            let read = try? Address(parsing: address.description, network: .signet)
            if read?.scriptPubKey != script { Issue.record("\(script)") }
        }
        #expect(standard > 1000)
    }

    @Test func texts() throws {
        var generator = SeededGenerator(for: "BitcoinTests.texts")
        let rows = try Vectors.load("bitcoin-core/key_io.json")
        let samples =
            try rows.map { Array(try $0.text("string").utf8) }
            + Vectors.load("bips/bip32.json", kinds: ["invalid"]).map { Array(try $0.text("extended_key").utf8) }
            + [Array("m/84h/0x0001e240h/0'/1".utf8), Array("wpkh(xpub/<0;1>/*)#89f8spxm".utf8)]
        for round in 0..<Self.rounds / 5 {
            let text = String(decoding: try input(round, samples, &generator), as: UTF8.self)
            if let address = try? UncheckedAddress(parsing: text), address.networks.isEmpty { Issue.record("\(text)") }
            _ = try? WalletImportFormat(parsing: text)
            _ = try? ExtendedPublicKey(parsing: text)
            _ = try? ExtendedPrivateKey(parsing: text)
            _ = try? DescriptorChecksum.verify(text)
            if let path = try? DerivationPath(parsing: text, dialect: .card),
                try DerivationPath(parsing: path.description) != path
            {
                Issue.record("\(text)")
            }
        }
    }

    /// By turns random bytes and damaged samples, a few of them left whole.
    private func input(
        _ round: Int, _ samples: [[UInt8]], _ generator: inout SeededGenerator
    ) throws -> [UInt8] {
        let sample = try #require(samples.randomElement(using: &generator))
        return switch round % 20 {
        case 0: sample
        case 1...4: generator.bytes(0...200)
        default: generator.damaged(sample)
        }
    }
}
