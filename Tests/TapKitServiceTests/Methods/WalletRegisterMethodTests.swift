import Bitcoin
import ByteCodec
import FlowSupport
import Synchronization
import TapKitService
import TapManager
import TapSimulator
import TestSupport
import Testing

/// Registering wallets for a program, and what comes of a wallet that was altered since.
@Suite struct WalletRegisterMethodTests {
    private static let params = #"{"wallet":"family"}"#
    /// Where the card is before and after.
    private static let home = "m/84h/1h/0h"

    private let card: FlowBench
    private let policy: SamplePolicy

    init() async throws {
        var generator = SeededGenerator()
        card = try await FlowBench.ready(using: &generator)
        policy = SamplePolicy(
            "or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(52560)))",
            [try card.wallet(), try SampleWallet(seed: 2), try SampleWallet(seed: 3)])
    }

    private func bench(
        _ way: ServiceBench.Way = .memory, _ desk: ScriptedDesk = ScriptedDesk()
    ) throws -> ServiceBench {
        let bench = try ServiceBench(way, cards: [card], desk: desk)
        try store(policy, in: bench)
        return bench
    }

    /// Stores the wallet, or alters the one that is stored and leaves its registrations.
    private func store(_ policy: SamplePolicy, in bench: ServiceBench) throws {
        let text = try #require(DescriptorText(try policy.descriptor()))
        bench.store.save(
            StoredWallet(
                name: "family", network: .test, descriptors: [text], created: UnixTime(seconds: 1),
                registrations: bench.store.wallets().first?.registrations ?? []))
    }

    private func expectNothingSigned(_ bench: ServiceBench) {
        #expect(card.reader.exchangeCounts["sign"] == nil && card.record.path?.description == Self.home)
        #expect(bench.store.wallets().first?.registrations == [])
    }

    private static func code(_ failure: JSONValue) -> String? { failure["data"]?["code"]?.string }

    @Test(arguments: ServiceBench.Way.allCases)
    private func thePersonAtTheMachineIsAsked(_ way: ServiceBench.Way) async throws {
        let desk = ScriptedDesk()
        let client = try await bench(way, desk).client()
        let answer = try await client.call("wallet.register", Self.params)
        #expect(desk.asked == ["registerWallet", "cvc"])
        #expect(
            Set(answer.object?.keys.map(\.self) ?? []) == [
                "registered", "name", "ident", "fingerprint", "path", "registration",
            ])
        #expect(answer["name"] == .string("family") && answer["ident"] == .string(card.ident.description))
        #expect(answer["fingerprint"] == .string(try card.wallet().fingerprint.description))
        #expect(answer["path"] == .string(policy.account) && card.record.path?.description == Self.home)
        // It is the card's signature of this wallet.
        try RegistrationText(parsing: try #require(answer["registration"]?.string)).requireSigned()
        let shown = try await client.call("wallet.show", #"{"wallet":"family","offline":true}"#)
        #expect(shown["registrations"]?.array?.map { $0["registration"] } == [answer["registration"]])
        let receiving = try await client.call("wallet.receive", #"{"wallet":"family"}"#)
        #expect(receiving["address"]?.string?.hasPrefix("tb1q") == true)
    }

    /// The client shows the whole wallet, before it asks for the CVC.
    @Test func aClientMayAskItsOwnUser() async throws {
        let desk = ScriptedDesk()
        let asked = Mutex<[(method: String, params: JSONValue)]>([])
        let client = try await bench(.memory, desk).client { method, params in
            asked.withLock { $0.append((method, params)) }
            return method == "interaction.cvc" ? .string(FlowBench.cvc) : .bool(true)
        }
        // From then on the store knows whose fingerprint the card's is.
        _ = try await client.call("wallet.add", #"{"name":"mine","asks":"client"}"#)
        asked.withLock { $0 = [] }
        _ = try await client.call("wallet.register", #"{"wallet":"family","asks":"client"}"#)
        let questions = asked.withLock { $0 }
        #expect(questions.map(\.method) == ["interaction.confirm", "interaction.cvc"] && desk.asked.isEmpty)
        let question = questions[0].params
        #expect(question["question"] == .string("register_wallet") && question["name"] == .string("family"))
        #expect(question["card"]?["ident"] == .string(card.ident.description))
        let wallet = question["registration"]
        #expect(
            wallet?["templates"]
                == .array([.string("wsh(or_d(multi(2,@0/**,@1/**),and_v(v:pkh(@2/**),older(52560))))")]))
        #expect(wallet?["paths"]?.array?.map { $0["path"] } == [.integer(1), .integer(2)])
        #expect(
            wallet?["keys"]?.array?.map { $0["fingerprint"]?.string }
                == policy.holders.map { $0.fingerprint.description })
        #expect(wallet?["keys"]?.array?.map { $0["this_card"] } == [.bool(true), nil, nil])
        #expect(wallet?["first_address"]?.string?.hasPrefix("tb1q") == true)
        #expect(questions[1].params["purpose"] == .string("register_wallet"))
    }

    @Test(arguments: [JSONText.bool(false), .string("yes"), .object([("accept", .string("x"))])])
    func whatIsDeclinedIsNotSigned(_ answer: JSONText) async throws {
        let bench = try bench()
        let client = try await bench.client { _, _ in answer }
        let failure = try await client.failure("wallet.register", #"{"wallet":"family","asks":"client"}"#)
        #expect(Self.code(failure) == "declined")
        expectNothingSigned(bench)
    }

    /// While its user still compares.
    @Test(arguments: ServiceBench.Way.allCases)
    private func whatIsCancelledIsNotSigned(_ way: ServiceBench.Way) async throws {
        let bench = try bench(way)
        let client = try await bench.client()
        let number = client.begin("wallet.register", #"{"wallet":"family","asks":"client"}"#)
        var message = await client.next()
        while message?["method"] != .string("interaction.confirm") { message = await client.next() }
        #expect(try await client.call("cancel", #"{"call":\#(number)}"#)["cancelled"] == .bool(true))
        #expect(Self.code(try #require(try await client.answer(to: number)["error"])) == "interrupted")
        expectNothingSigned(bench)
        // The readers are free for the next one.
        #expect(try await client.call("wallet.register", Self.params)["name"] == .string("family"))
    }

    /// The card is taken away at its signature, or just after it, and put back: the same call goes on.
    @Test(arguments: [true, false]) func aCardThatIsPutBackContinues(_ isBefore: Bool) async throws {
        let isFirst = Mutex(true)
        let pull: @Sendable (CardExchange) -> Bool = { exchange in
            exchange.name == "sign"
                && isFirst.withLock { was in
                    defer { was = false }
                    return was
                }
        }
        card.watch.disturbance = FunctionInterceptor(
            onCommand: { isBefore && pull($0) ? .pull(.whenAwaited) : .pass },
            onAnswer: { !isBefore && pull($1) ? .pull(.whenAwaited) : .pass })
        let desk = ScriptedDesk()
        let bench = try bench(.memory, desk)
        let client = try await bench.client()
        let answer = try await client.call("wallet.register", #"{"wallet":"family","wait_s":60}"#)
        try RegistrationText(parsing: try #require(answer["registration"]?.string)).requireSigned()
        let events = client.told("progress").compactMap { $0["event"]?.string }
        #expect(events.contains("waiting_for_card") && events.contains("card_returned"))
        #expect(desk.asked == ["registerWallet", "cvc"] && !isFirst.withLock { $0 })
        #expect(card.record.path?.description == Self.home && bench.store.wallets().first?.registrations.count == 1)
    }

    /// Whoever does not wait for the card calls again, and the card is where it was.
    @Test func aCardThatIsGoneIsNamed() async throws {
        card.watch.disturbance = FunctionInterceptor(onCommand: { $0.name == "sign" ? .pull(.byHand) : .pass })
        let bench = try bench()
        let client = try await bench.client()
        let failure = try await client.failure("wallet.register", Self.params)
        #expect(Self.code(failure) == "card_removed")
        #expect(bench.store.wallets().first?.registrations == [])
        card.watch.disturbance = nil
        card.reader.insert()
        _ = try await client.call("wallet.register", Self.params)
        #expect(card.record.path?.description == Self.home && bench.store.wallets().first?.registrations.count == 1)
    }

    @Test func whatCannotBeRegisteredIsRefusedBeforeAnyoneIsAsked() async throws {
        let desk = ScriptedDesk()
        let bench = try bench(.memory, desk)
        let client = try await bench.client()
        #expect(Self.code(try await client.failure("wallet.register", #"{"wallet":"w"}"#)) == "no_such_wallet")
        #expect(try await client.failure("wallet.register")["code"] == .integer(-32_602))
        let missing = try await client.failure("wallet.register", #"{"wallet":"family","card":"ZZZZZ"}"#)
        #expect(Self.code(missing) == "no_card")
        #expect(desk.asked.isEmpty)
        expectNothingSigned(bench)
        // A wallet of others: the card shows that it has no key of it once it has told its own.
        try store(SamplePolicy(policy.expression, [4, 2, 3].map { try SampleWallet(seed: $0) }), in: bench)
        #expect(Self.code(try await client.failure("wallet.register", Self.params)) == "other_wallet")
        #expect(bench.store.wallets().first?.registrations == [])
    }

    /// Somebody shortens the time after which one may spend alone.
    @Test func anAlteredWalletIsUsedByNothing() async throws {
        let desk = ScriptedDesk()
        let bench = try bench(.memory, desk)
        let client = try await bench.client()
        let registered = try await client.call("wallet.register", Self.params)
        let signatures = card.reader.exchangeCounts["sign"]
        try store(SamplePolicy("or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(1)))", policy.holders), in: bench)
        for method in ["wallet.register", "wallet.receive"] {
            let failure = try await client.failure(method, Self.params)
            #expect(Self.code(failure) == "altered_wallet", "\(method)")
            #expect(failure["data"]?["remedy"]?.string?.contains("remove the wallet") == true)
        }
        #expect(card.reader.exchangeCounts["sign"] == signatures && desk.asked == ["registerWallet", "cvc"])
        // It is shown, and its registration is not passed on as one of this wallet.
        let shown = try await client.call("wallet.show", #"{"wallet":"family","offline":true}"#)
        #expect(shown["registrations"]?.array?.map { $0["registration"] } == [nil])
        // The way out: without it, and with what was registered.
        #expect(try await client.call("wallet.remove", Self.params)["removed"] == .bool(true))
        #expect(desk.asked.last == "removeWallet")
        let text = try #require(registered["registration"]?.string)
        let added = try await client.call("wallet.add", #"{"registration":"\#(text)"}"#)
        #expect(added["name"] == .string("family"))
        #expect(added["descriptors"]?.array?.first?.string == (try policy.descriptor().text))
        _ = try await client.call("wallet.receive", Self.params)
    }

    @Test func aRegistrationHasItsWallet() async throws {
        let desk = ScriptedDesk { if $0 == "removeWallet" { throw Declined() } }
        let bench = try bench(.memory, desk)
        let client = try await bench.client()
        let text = try #require(try await client.call("wallet.register", Self.params)["registration"]?.string)
        let exchanges = card.reader.exchangeCounts
        #expect(Self.code(try await client.failure("wallet.remove", Self.params)) == "declined")
        func failure(_ params: String) async throws -> JSONValue { try await client.failure("wallet.add", params) }
        #expect(Self.code(try await failure(#"{"registration":"\#(text)"}"#)) == "wallet_exists")
        _ = try bench.store.deleteWallet(named: "family")
        #expect(Self.code(try await failure(#"{"registration":"\#(text.dropLast(8))"}"#)) == "bad_registration")
        #expect(try await failure(#"{"registration":"\#(text)","name":"other"}"#)["code"] == .integer(-32_602))
        #expect(try await failure(#"{"registration":"\#(text)","descriptor":"wpkh(x)"}"#)["code"] == .integer(-32_602))
        #expect(try await failure("{}")["message"]?.string?.contains("name is missing") == true)
        // The same signature for another wallet.
        let genuine = try RegistrationText(parsing: text)
        let other = try SamplePolicy("or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(1)))", policy.holders).descriptor()
        let wallet = try WatchWallet(
            StoredWallet(
                name: "family", network: .test, descriptors: [try #require(DescriptorText(other))],
                created: UnixTime(seconds: 1)))
        let forged = RegistrationText(
            RegisteredContent(wallet), try #require(WalletRegistration(genuine.registration)), by: .tapsigner)
        #expect(Self.code(try await failure(#"{"registration":"\#(forged.text)"}"#)) == "altered_wallet")
        #expect(bench.store.wallets().isEmpty)
        _ = try await client.call("wallet.add", #"{"name":"family","registration":"\#(text)"}"#)
        #expect(bench.store.wallets().first?.registrations.count == 1)
        // No card is used for it.
        #expect(card.reader.exchangeCounts == exchanges)
    }
}
