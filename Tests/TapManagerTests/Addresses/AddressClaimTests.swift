import Bitcoin
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Addresses that somebody names by a descriptor or a path: what a card proves of them, and what a person must know.
@Suite struct AddressClaimTests {
    private let wallet: SampleWallet
    private let account: DerivationPath
    /// The card's account, and another cosigner's.
    private let own: String
    private let other: String

    init() throws {
        let theirs = try SampleWallet(seed: 9)
        wallet = try SampleWallet(seed: 1)
        account = try wallet.accountPath(.p2wpkh)
        own = "\(KeyOrigin(fingerprint: wallet.fingerprint, path: account))\(try wallet.extendedKey(account).text)"
        other = "\(KeyOrigin(fingerprint: theirs.fingerprint, path: account))\(try theirs.extendedKey(account).text)"
    }

    private func text(_ pattern: String) throws -> String {
        try pattern.replacing("OWN", with: own).replacing("OTHER", with: other)
            .replacing("POINT", with: "\(wallet.publicKey(account.appending(DerivationPath(parsing: "m/0/3"))))")
            .replacing("ORIGIN", with: "\(wallet.fingerprint)/84h/1h/0h")
    }

    private func proven(_ pattern: String) throws -> ProvenAddress {
        let claim = try AddressClaim(descriptor: text(pattern))
        var keys = SignerKeys(masterFingerprint: wallet.fingerprint)
        for path in try claim.accounts(of: wallet.fingerprint) { keys.add(try wallet.extendedKey(path), at: path) }
        return try claim.proven(by: keys, on: .regtest)
    }

    private func address(_ steps: String) throws -> Address? {
        let key = try wallet.publicKey(account.appending(DerivationPath(parsing: "m/\(steps)")))
        return Address(scriptPubKey: .p2wpkh(key), network: .regtest)
    }

    @Test(arguments: [
        ("wpkh(OWN/0/3)", "0/3"), ("wpkh([ORIGIN/0/3]POINT)", "0/3"), ("wpkh(OWN/<0;1>/*)", "0/0"),
        ("wpkh(OWN/1/*)", "1/0"),
    ])
    func anAddressOfTheCards(_ pattern: String, _ steps: String) throws {
        let proven = try proven(pattern)
        #expect(proven.address == (try address(steps)) && proven.cautions.isEmpty)
        #expect(proven.isFirstOfSeveral == pattern.contains("*"))
    }

    @Test func whoseKeysTheOthersAre() throws {
        let one = try proven("wsh(multi(1,OWN/0/0,OTHER/0/0))")
        #expect(one.cautions == [.otherHolders(1, of: 2, threshold: 1)])
        let apart = try proven("wsh(sortedmulti(2,OWN/0/0,OTHER/0/1))")
        #expect(apart.cautions == [.otherHolders(1, of: 2, threshold: 2), .remote(.keysApart)])
    }

    @Test func whereNobodyLooks() throws {
        func path(_ steps: String) throws -> DerivationPath {
            try account.appending(DerivationPath(parsing: "m/\(steps)"))
        }
        #expect(try proven("wpkh(OWN/2/0)").cautions == [.remote(.unusualBranch(path("2/0")))])
        #expect(try proven("wpkh(OWN/7)").cautions == [.remote(.unusualBranch(path("7")))])
        #expect(try proven("wpkh(OWN/0/999)").cautions == [])
        #expect(try proven("wpkh(OWN/0/1000)").cautions == [.remote(.farIndex(1_000, next: nil))])
    }

    /// What a card cannot vouch for, whoever says so.
    @Test func whatIsRefused() throws {
        func refusal(_ pattern: String) throws -> AddressClaimError? {
            do {
                _ = try proven(pattern)
                return nil
            } catch let error as AddressClaimError { return error }
        }
        let deep = account.appending(try DerivationPath(parsing: "m/0/0/0"))
        let third = account.appending(try DerivationPath(parsing: "m/0/4"))
        #expect(try refusal("wpkh(OWN/0/0/0)") == .notSignable(deep))
        #expect(try refusal("wpkh([ORIGIN/0/4]POINT)") == .falseKey(third))
        #expect(try refusal("wpkh(POINT)") == .noOrigin)
        #expect(try refusal("wpkh(OTHER/0/0)") == .otherFingerprint(wallet.fingerprint))
        #expect(try refusal("tr(OWN/0/0)") == .taproot)
        #expect(try refusal("combo(OWN/0/0)") == .otherScript)
        #expect(try refusal("wsh(multi(1,OWN/0/0,OTHER/0/0,OTHER/0/0))") == .oneHolder(1, 2))
        #expect(try refusal("wpkh(cVt4o7BGAig1UXywgGSmARhxMdzP5qvQsxKkSsc1XEkw3tDTQFpy)") == .privateKey)
        #expect(try refusal("wpkh(nonsense)")?.message.hasPrefix("Not a descriptor: ") == true)
        #expect(throws: AddressClaimError.notSignable(deep)) { try AddressClaim(deep, as: .p2wpkh) }
    }

    private func manager(_ bench: FlowBench, _ person: ScriptedInteraction) throws -> CardManager {
        CardManager(
            store: bench.store, readers: [SimulatedBackend([bench.reader])], interaction: person,
            acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 7) })
    }

    /// A card whose fingerprint nobody knows proves an address with one CVC, and is where it was.
    @Test func aCardProvesAnAddress() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let (home, wallet) = (bench.record.path, try bench.wallet())
        let away = try wallet.accountPath(.p2shP2WPKH)
        let origin = KeyOrigin(fingerprint: wallet.fingerprint, path: away)
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try manager(bench, person)
        let card = try await manager.card()
        let named = try AddressClaim(descriptor: "sh(wpkh(\(origin)\(try wallet.extendedKey(away).text)/0/7))")
        let proven = try await manager.prove(named, by: card, network: .regtest)
        guard case .cvc(let request)? = person.entries.first, person.entries.count == 1 else {
            Issue.record("\(person.words)")
            return
        }
        #expect(request.purpose == .proveAddress && bench.record.path == home)
        #expect(bench.store.card(bench.ident)?.fingerprint == wallet.fingerprint)
        let path = try AddressClaim(away.appending(DerivationPath(parsing: "m/0/7")), as: .p2shP2WPKH)
        #expect(try await manager.prove(path, by: card, network: .regtest) == proven)
    }

    /// A claim about another card costs no CVC; a card that is not the one that it was chosen as proves nothing.
    @Test func whoseAddressItIs() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try manager(bench, person)
        let card = try await manager.card()
        let claim = try AddressClaim(descriptor: text("wpkh(OWN/0/0)"))
        let known = try bench.wallet().fingerprint
        await #expect(throws: AddressClaimError.otherFingerprint(known)) {
            try await manager.prove(claim, by: card, expecting: known, network: .regtest)
        }
        #expect(person.words.isEmpty)
        let other = await #expect(throws: CardSearchError.self) {
            try await manager.prove(claim, by: card, expecting: wallet.fingerprint, network: .regtest)
        }
        #expect(other?.code == .anotherCard && person.words == ["cvc"])
    }
}
