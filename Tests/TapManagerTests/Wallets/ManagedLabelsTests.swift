import Bitcoin
import FlowSupport
import TestSupport
import Testing

@testable import TapManager

/// Labels that a manager reads and writes.
@Suite struct ManagedLabelsTests {
    private let bench: WalletBench
    private let store = MemoryStore()

    init() throws { bench = try WalletBench() }

    private func manager(isAgreed: Bool = true) -> (CardManager, ScriptedInteraction) {
        let person = ScriptedInteraction(isAgreed: isAgreed)
        return (CardManager(store: store, interaction: person, clock: { UnixTime(seconds: 5) }), person)
    }

    private func address(_ bench: WalletBench, _ index: UInt32) throws -> String {
        try bench.wallet.address(at: WalletPlace(descriptor: 0, branch: 0, index: index)).description
    }

    private func add(_ bench: WalletBench, _ name: String) async throws -> OpenedWallet {
        let text = try #require(bench.wallet.descriptors.first?.text)
        return try await manager().0.addWallet(named: name, of: .parsing([text]), network: .regtest).wallet
    }

    /// Another wallet's labels are its own.
    @Test func eachWalletHasItsLabels() async throws {
        let other = try WalletBench(seed: 2)
        let (one, two) = (try await add(bench, "one"), try await add(other, "two"))
        let (manager, person) = manager()
        let labels = try [
            Label(.address, address(bench, 1), text: "mine"), Label(.address, address(other, 1), text: "theirs"),
            Label(.transaction, String(repeating: "ab", count: 32), text: "whose"),
        ]
        let saved = try await manager.importLabels(labels, to: one)
        #expect(
            saved
                == CardManager.ImportedLabels(
                    count: 3, own: 1, frozen: [], thawed: [], keys: [], unlabelled: [], payees: [])
                && person.words.isEmpty)
        #expect(Set(try manager.labels(of: one).map(\.text)) == ["mine", "whose"])
        #expect(Set(try manager.labels(of: two).map(\.text)) == ["theirs", "whose"])
    }

    /// Whoever wrote a file of labels does not choose unseen what people call their keys.
    @Test func labelsOfKeysAreTold() async throws {
        let opened = try await add(bench, "w")
        let key = try #require(opened.wallet.descriptors.first?.keys.first)
        guard case .extended(let extended) = key.material else {
            Issue.record("not an extended key")
            return
        }
        func saved(_ texts: [String], _ reference: String) async throws -> [String?] {
            let labels = texts.map { Label(.extendedKey, reference, text: $0) }
            return try await manager().0.importLabels(labels, to: opened).keys.map(\.label)
        }
        #expect(try await saved(["Other", "Anna"], extended.text) == ["Anna"])
        #expect(try await saved(["“Anna”"], extended.text).isEmpty)
        #expect(try await saved(["Anna"], extended.text) == ["Anna"])
        #expect(try await saved(["Anna"], "xpub").isEmpty)
    }

    /// Nor takes one away unseen: by giving it to another key, too, or by one that is not shown.
    @Test func labelsThatAreLostAreTold() async throws {
        let holders = try [1, 2].map { try SampleWallet(seed: $0) }
        let policy = SamplePolicy("or_d(pk(#A),and_v(v:pk(#B),older(10)))", holders)
        let text = try #require(policy.descriptor().text)
        let opened = try await manager().0.addWallet(named: "w", of: .parsing([text]), network: .test).wallet
        let keys = try holders.map { try $0.extendedKey(DerivationPath(parsing: policy.account)).text }
        func saved(_ number: Int, _ text: String) async throws -> (shown: [String?], lost: [SpendingTerms.Key]) {
            let labels = [Label(.extendedKey, keys[number], text: text)]
            let saved = try await manager().0.importLabels(labels, to: opened)
            return (saved.keys.map(\.label), saved.unlabelled)
        }
        let first = try await saved(0, "Anna")
        #expect(first.shown == ["Anna"] && first.lost.isEmpty)
        let shared = try await saved(1, "anna")
        #expect(shared.shown.isEmpty)
        #expect(shared.lost == [.labelled(.holder(holders[0].fingerprint), label: "Anna")])
        let both = try await saved(1, "Ben")
        // The first one's is shown again, as nobody else has it.
        #expect(both.shown == ["Anna", "Ben"] && both.lost.isEmpty)
        #expect(try await saved(1, "Ben, too").lost == [.labelled(.holder(holders[1].fingerprint), label: "Ben")])
        #expect(try await saved(0, "Anne").lost.isEmpty)
        // What was hidden because another key had it, too, appears when that one's goes.
        #expect(try await saved(1, "Anne").shown.isEmpty)
        #expect(try await saved(0, "x,y").shown == ["Anne"])
    }

    /// Nor what they call those whom they pay: reviews show it beside the address.
    @Test func labelsOfPayeesAreTold() async throws {
        let opened = try await add(bench, "one")
        _ = try await add(try WalletBench(seed: 2), "two")
        let strangers = try WalletBench(seed: 3)
        let (landlord, baker) = (try address(strangers, 0), try address(strangers, 1))
        let own = [try address(bench, 1), try address(WalletBench(seed: 2), 1)]
        func told(_ labels: [(String, String)], origin: String? = nil) async throws -> [[String]] {
            let labels = labels.map { Label(.address, $0, text: $1, origin: origin) }
            return try await manager().0.importLabels(labels, to: opened).payees.map { ["\($0.address)", $0.label] }
        }
        #expect(try await told(own.map { ($0, "Mine") }) == [])
        let named = [(landlord, "Landlord"), (baker, "x"), (own[0], "Ours"), (baker, "Baker")]
        #expect(try await told(named) == [[landlord, "Landlord"], [baker, "Baker"]])
        #expect(try await told(named) == [])
        #expect(try await told([(baker, "Baker"), (landlord, "Baker")]) == [[landlord, "Baker"]])
        // What no review shows is not told: no text, an address in capitals, a label of one that has another.
        #expect(try await told([(baker, ""), (landlord.uppercased(), "Landlord"), ("rent", "Landlord")]) == [])
        #expect(try await told([(landlord, "Landlord")], origin: "wpkh([d34db33f])") == [])
        #expect(try await told([(landlord, "Landlord")]) == [[landlord, "Landlord"]])
    }

    /// A text that Swift takes for an address, because it takes the Kelvin sign for a K, names nobody.
    @Test func onlyAnAddressItselfIsLabelled() throws {
        let hashes = (0..<200).map { [UInt8](repeating: $0, count: 20) }
        let addresses = hashes.compactMap { Address(scriptPubKey: Script([0xA9, 20] + $0 + [0x87]), network: .main) }
        let text = try #require(addresses.first { "\($0)".contains("K") })
        let lookalike = "\(text)".replacing("K", with: "\u{212A}")
        #expect("\(text)" == lookalike && !"\(text)".utf8.elementsEqual(lookalike.utf8))
        #expect(LabelTexts([StoredLabel(type: "addr", reference: lookalike, label: "Landlord")]).of(text) == nil)
        #expect(LabelTexts([StoredLabel(type: "addr", reference: "\(text)", label: "x")]).of(text) == "x")
    }

    /// Nobody thaws coins unasked.
    @Test func thawingIsConfirmed() async throws {
        let opened = try await add(bench, "w")
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        func label(isSpendable: Bool) -> Label { Label(.output, "\(coin)", text: "", isSpendable: isSpendable) }
        let (frozen, person) = manager(isAgreed: false)
        let first = try await frozen.importLabels([label(isSpendable: false)], to: opened)
        #expect(first.frozen == [coin] && first.thawed.isEmpty)
        let again = try await frozen.importLabels([label(isSpendable: false)], to: opened)
        #expect(again.frozen.isEmpty)
        #expect(try store.frozenCoins() == [coin] && person.words.isEmpty)
        await #expect(throws: ScriptedInteraction.Declined.self) {
            _ = try await frozen.importLabels([label(isSpendable: true)], to: opened)
        }
        #expect(try store.frozenCoins() == [coin] && person.words == ["thaw"])
        let saved = try await manager().0.importLabels([label(isSpendable: true)], to: opened)
        #expect(saved.thawed == [coin] && saved.frozen.isEmpty)
        #expect(try store.frozenCoins().isEmpty)
    }
}
