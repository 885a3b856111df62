import Bitcoin
import ByteCodec
import FlowSupport
import Foundation
import Synchronization
import TapKitService
import TapManager
import TapProtocol
import TestSupport
import Testing

/// Backups for a program: saved again, and checked.
@Suite struct BackupMethodTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore
    private let card: FlowBench
    private let key: String

    init() async throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore.open(folder: folder.path("store")) { UnixTime(seconds: 1_800_000_000) }
        var generator = SeededGenerator()
        card = try await FlowBench.ready(using: &generator)
        key = try #require(card.record.aesKey)
    }

    private func file(_ ending: String = "") -> String { folder.path("store/backups/\(card.ident)\(ending).aes") }

    private func client(
        cards: [FlowBench]? = nil, _ desk: ScriptedDesk? = nil,
        answering reply: (@Sendable (String, JSONValue) -> JSONText?)? = nil
    ) async throws -> TestClient {
        try await ServiceBench(cards: cards ?? [card], kept: store, desk: desk ?? ScriptedDesk(backupKey: key))
            .client(answering: reply)
    }

    private func content() async throws -> String {
        try #require(try await client().call("card.backup")["content"]?.string)
    }

    /// A pipe would keep the card and its reader waiting for ever, and a device would keep nothing.
    @Test func aBackupIsSavedInFilesOnly() async throws {
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, "/dev/null"] {
            let failure = try await client().failure("card.backup", #"{"backup_file":"\#(path)"}"#)
            #expect(failure["data"]?["code"] == .string("cannot_write"))
        }
        #expect(try await client().call("card.prove")["backups"] == .integer(1))
    }

    /// A backup at another path is another one: it does not replace the first one.
    @Test func eachBackupHasAFile() async throws {
        let client = try await client()
        let first = try await client.call("card.backup")
        #expect(first["file"] == .string(file()) && first["backups"] == .integer(2))
        #expect(first["name"] == .string("\(card.ident).aes"))
        let saved = try Data(contentsOf: URL(fileURLWithPath: file()))
        #expect(first["content"] == .string(saved.base64EncodedString()))
        #expect(try await client.call("card.backup")["file"] == .string(file()))
        _ = try await client.call("card.setup", #"{"path":"m/84h/1h/7h"}"#)
        let moved = try await client.call("card.backup")
        #expect(moved["file"] == .string(file("-2")) && moved["content"] != first["content"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: file())) == saved)
        #expect(try await client.call("card.backup")["file"] == .string(file("-2")))
    }

    @Test func theCardProvesThatItIsItsBackup() async throws {
        let desk = ScriptedDesk(backupKey: key)
        let answer = try await client(desk).call("backup.verify", #"{"content":"\#(try await content())"}"#)
        #expect(desk.asked == ["backupKey", "cvc"] && answer["valid"] == .bool(true))
        #expect(answer["card"]?["matches"] == .bool(true) && answer["card"]?["ident"] == .string(card.ident.text))
        #expect(answer["fingerprint"] == .string(try card.wallet().fingerprint.description))
    }

    /// The client's user is asked again for what is no key, or not this backup's; the key comes in no text.
    @Test(arguments: ServiceBench.Way.allCases)
    private func aClientAsksForTheKey(_ way: ServiceBench.Way) async throws {
        let content = try await content()
        let asked = Mutex<[JSONValue?]>([])
        let bench = try ServiceBench(way, cards: [card], kept: store, desk: ScriptedDesk(cvc: nil))
        let key = key
        let client = try await bench.client { method, params in
            guard method == "interaction.backup_key" else { return .string(FlowBench.cvc) }
            let count = asked.withLock {
                $0.append(params["refusal"]?["code"]); return $0.count
            }
            return .string(["no key", Backup.keyText, key.uppercased()][min(count, 3) - 1])
        }
        let number = client.begin("backup.verify", #"{"content":"\#(content)","asks":"client"}"#)
        let answer = try await client.answer(to: number)
        #expect(answer["result"]?["card"]?["matches"] == .bool(true))
        #expect(asked.withLock { $0 } == [nil, .string("bad_backup_key"), .string("wrong_backup_key")])
        #expect(client.told("interaction.backup_key").allSatisfy { $0["purpose"] == .string("check") })
        let text = (client.everythingTold + JSONText(answer).line).lowercased()
        for secret in [key, Backup.keyText, "xprv", "tprv", FlowBench.cvc] { #expect(!text.contains(secret)) }
    }

    @Test func withoutACardOnlyTheBackupIsChecked() async throws {
        let content = try await content()
        let alone = try await client(cards: [])
        let answer = try await alone.call("backup.verify", #"{"content":"\#(content)"}"#)
        #expect(answer["valid"] == .bool(true) && answer["card"]?["checked"] == .bool(false))
        let failure = try await alone.failure("backup.verify", #"{"content":"\#(content)","card_required":true}"#)
        #expect(failure["data"]?["code"] == .string("no_reader"))
    }

    @Test func whatIsNoBackupOfTheCardIsRefused() async throws {
        let content = try await content()
        var generator = SeededGenerator(for: "another")
        let other = try await FlowBench.ready(using: &generator)
        let failure = try await client(cards: [other]).failure("backup.verify", #"{"content":"\#(content)"}"#)
        #expect(failure["data"]?["code"] == .string("other_cards_backup"))
        for (content, code) in [("AA==", "bad_backup"), ("AA", nil), ("%%%%", nil)] {
            let failure = try await client().failure("backup.verify", #"{"content":"\#(content)"}"#)
            #expect(failure["data"]?["code"] == code.map { .string($0) }, "\(content)")
            #expect(failure["code"] == .integer(code == nil ? -32_602 : -32_000), "\(content)")
        }
    }
}
