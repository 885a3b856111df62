import Bitcoin
import ByteCodec
import FlowSupport
import Foundation
import Synchronization
import TapKitService
import TapManager
import TapSimulator
import TestSupport
import Testing

/// Setting cards up for a program: nothing is lost, whatever ends it.
@Suite struct CardSetupMethodTests {
    private static let newCVC = "271828"

    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore.open(folder: folder.path("store")) { UnixTime(seconds: 1_800_000_000) }
    }

    private func bench(_ card: FlowBench, _ desk: ScriptedDesk = ScriptedDesk(newCVC: newCVC)) throws -> ServiceBench {
        try ServiceBench(cards: [card], kept: store, desk: desk)
    }

    private func backup(_ card: FlowBench, _ ending: String = "") -> String {
        folder.path("store/backups/\(card.ident)\(ending).aes")
    }

    private func content(_ path: String) throws -> String {
        try Data(contentsOf: URL(fileURLWithPath: path)).base64EncodedString()
    }

    @Test func thePersonGivesTheCVCsAndTheBackupIsKept() async throws {
        var generator = SeededGenerator()
        let card = try FlowBench(using: &generator)
        let desk = ScriptedDesk(newCVC: Self.newCVC)
        let client = try await bench(card, desk).client()
        let answer = try await client.call("card.setup", #"{"path":"m/84h/1h/3h"}"#)
        #expect(desk.asked == ["cvc", "newCVC"] && card.record.cvc == Self.newCVC)
        #expect(answer["path"] == .string("m/84h/1h/3h") && answer["cvc_changed"] == .bool(true))
        #expect(answer["fingerprint"] == .string(try card.wallet().fingerprint.description))
        #expect(answer["backup_file"] == .string(backup(card)) && answer["backups"] == .integer(1))
        #expect(answer["backup"]?["name"] == .string("\(card.ident).aes"))
        #expect(answer["backup"]?["content"] == .string(try content(backup(card))))
        for (path, mode) in [(backup(card), 0o600), (folder.path("store/backups"), 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
        }
    }

    /// The client's user is asked, again after a slip, and no secret comes back.
    @Test(arguments: ServiceBench.Way.allCases)
    private func aClientMayAskItsOwnUser(_ way: ServiceBench.Way) async throws {
        var generator = SeededGenerator()
        let card = try FlowBench(using: &generator)
        let desk = ScriptedDesk()
        let bench = try ServiceBench(way, cards: [card], kept: store, desk: desk)
        let refusals = Mutex<[JSONValue?]>([])
        let client = try await bench.client { method, params in
            guard method == "interaction.new_cvc" else { return .string(FlowBench.cvc) }
            let count = refusals.withLock {
                $0.append(params["refusal"]?["code"]); return $0.count
            }
            return .string(["27a828", FlowBench.cvc, Self.newCVC][min(count, 3) - 1])
        }
        let number = client.begin("card.setup", #"{"asks":"client"}"#)
        let answer = try await client.answer(to: number)
        #expect(answer["result"]?["cvc_changed"] == .bool(true) && card.record.cvc == Self.newCVC)
        #expect(refusals.withLock { $0 } == [nil, .string("bad_cvc"), .string("bad_cvc")])
        #expect(desk.asked.isEmpty)
        let text = client.everythingTold + JSONText(answer).line
        #expect(text.contains("interaction.new_cvc") && text.contains(#""ident":"\#(card.ident)""#))
        for secret in [Self.newCVC, FlowBench.cvc, "27a828", try #require(card.record.aesKey)] {
            #expect(!text.contains(secret))
        }
    }

    /// Whoever gives none after several slips changes nothing.
    @Test(arguments: [("\"12345\"", "bad_cvc", 3), ("true", "cancelled", 1), ("\"\"", "cancelled", 1)])
    func withoutANewCVCTheCardKeepsItsOwn(_ given: String, _ code: String, _ count: Int) async throws {
        var generator = SeededGenerator()
        let card = try FlowBench(using: &generator)
        let client = try await bench(card).client { method, _ in
            method == "interaction.new_cvc" ? .verbatim(given) : .string(FlowBench.cvc)
        }
        let failure = try await client.failure("card.setup", #"{"asks":"client"}"#)
        #expect(client.told("interaction.new_cvc").count == count && failure["data"]?["code"] == .string(code))
        #expect(card.record.cvc == FlowBench.cvc && !FileManager.default.fileExists(atPath: backup(card)))
    }

    /// The card is taken away when it gets its new CVC, before or after: the backup is there by then, and the same call
    /// finishes.
    @Test(arguments: [true, false]) func anInterruptedSetupContinues(_ isBefore: Bool) async throws {
        var generator = SeededGenerator()
        let card = try FlowBench(using: &generator)
        card.watch.disturbance = FunctionInterceptor(
            onCommand: { isBefore && $0.name == "change" ? .pull(.byHand) : .pass },
            onAnswer: { !isBefore && $1.name == "change" ? .pull(.byHand) : .pass })
        let client = try await bench(card).client()
        _ = try await client.failure("card.setup")
        #expect(card.record.cvc == (isBefore ? FlowBench.cvc : Self.newCVC))
        let saved = try content(backup(card))
        card.watch.disturbance = nil
        card.reader.insert()
        // Another program, after a restart of the service.
        let answer = try await bench(card).client().call("card.setup")
        #expect(answer["cvc_changed"] == .bool(true) && card.record.cvc == Self.newCVC)
        #expect(answer["backup"]?["content"] == .string(saved))
        #expect(answer["backup_file"] == .string(backup(card)))
        #expect(try content(backup(card)) == saved)
    }

    /// Nor does the loss of the answer with the backup lose it.
    @Test func aBackupThatWasNotSavedIsSavedNextTime() async throws {
        var generator = SeededGenerator()
        let card = try FlowBench(using: &generator)
        card.watch.disturbance = FunctionInterceptor(onAnswer: { $1.name == "backup" ? .pull(.byHand) : .pass })
        _ = try await bench(card).client().failure("card.setup")
        #expect(card.record.cvc == FlowBench.cvc && !FileManager.default.fileExists(atPath: backup(card)))
        card.watch.disturbance = nil
        card.reader.insert()
        let answer = try await bench(card).client().call("card.setup")
        #expect(answer["backup"]?["content"] == .string(try content(backup(card))))
        #expect(card.record.cvc == Self.newCVC)
    }

    /// A program hears, too, which key only the store knows to be one that was made here.
    @Test func theKeyOfAnInterruptedSetupIsNamed() async throws {
        var generator = SeededGenerator()
        let card = try FlowBench(using: &generator)
        // The key is picked; then the card is gone.
        card.watch.disturbance = FunctionInterceptor(onAnswer: { $1.name == "new" ? .pull(.byHand) : .pass })
        _ = try await bench(card).client().failure("card.setup")
        card.watch.disturbance = nil
        card.reader.insert()
        let continued = try await bench(card).client().call("card.setup")
        #expect(continued["key_of_interrupted_setup"] == .bool(true))
        let desk = ScriptedDesk(cvc: Self.newCVC)
        let again = try await bench(card, desk).client().call("card.setup", #"{"keep_cvc":true}"#)
        #expect(again["key_of_interrupted_setup"] == nil)

        let slots = try FlowBench.satscard(opened: 3, isBlank: true, using: &generator)
        slots.watch.disturbance = FunctionInterceptor(onAnswer: { $1.name == "new" ? .pull(.byHand) : .pass })
        _ = try await bench(slots).client().failure("card.setup")
        slots.watch.disturbance = nil
        slots.reader.insert()
        let slot = try await bench(slots).client().call("card.setup")
        #expect(slot["key_of_interrupted_setup"] == .bool(true) && slot["chain_code_supplied"] == .bool(false))
    }

    /// A card that is ready is changed only after a question that says so, whoever is asked.
    @Test func aReadyCardIsChangedOnlyAfterAQuestion() async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let declining = ScriptedDesk(newCVC: Self.newCVC) { if $0 == "changeReadyCard" { throw Declined() } }
        let failure = try await bench(card, declining).client().failure("card.setup", #"{"keep_cvc":false}"#)
        #expect(failure["data"]?["code"] == .string("declined") && declining.asked == ["changeReadyCard"])
        let client = try await bench(card).client { method, _ in
            method == "interaction.confirm"
                ? .bool(true) : .string(method == "interaction.cvc" ? FlowBench.cvc : Self.newCVC)
        }
        let answer = try await client.call("card.setup", #"{"keep_cvc":false,"path":"m/84h/1h/5h","asks":"client"}"#)
        #expect(answer["path"] == .string("m/84h/1h/5h") && answer["cvc_changed"] == .bool(true))
        let question = client.told("interaction.confirm").first
        #expect(question?["question"] == .string("change_ready_card") && question?["changes_cvc"] == .bool(true))
        // It was backed up before.
        #expect(answer["backup"] == nil && answer["backup_file"] == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.path("store/backups")))
    }

    @Test func aSatscardGetsItsNextSlot() async throws {
        var generator = SeededGenerator()
        let card = try FlowBench.satscard(opened: 3, isBlank: true, using: &generator)
        let client = try await bench(card).client()
        let failure = try await client.failure("card.setup", #"{"path":"m/84h/1h/0h"}"#)
        #expect(failure["data"]?["code"] == .string("not_supported"))
        let answer = try await client.call("card.setup")
        #expect(answer["slot"] == .integer(4) && answer["seal_verified"] == .bool(true))
        #expect(answer["address"]?.string?.hasPrefix("tb1q") == true)
    }

    /// Where it is told to, or nowhere: never over anything else, and not without a folder of its own.
    @Test func theBackupsFileMayBeNamed() async throws {
        var generator = SeededGenerator()
        let card = try FlowBench(using: &generator)
        let (file, other) = (folder.path("b.aes"), try folder.write("mine", to: "other.aes"))
        let client = try await bench(card).client()
        #expect(try await client.failure("card.setup", #"{"backup_file":"b.aes"}"#)["code"] == .integer(-32_602))
        let refused = try await client.failure("card.setup", #"{"backup_file":"\#(other)"}"#)
        #expect(refused["data"]?["code"] == .string("would_overwrite") && card.record.path == nil)
        let homeless = try await ServiceBench(cards: [card]).client()
        #expect(try await homeless.failure("card.setup")["code"] == .integer(-32_602))
        let answer = try await client.call("card.setup", #"{"backup_file":"\#(file)"}"#)
        #expect(answer["backup_file"] == .string(file))
        #expect(answer["backup"]?["content"] == .string(try content(file)))
    }
}
