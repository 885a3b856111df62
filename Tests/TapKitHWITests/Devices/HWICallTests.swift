import Bitcoin
import FlowSupport
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapKitHWI

/// Calls of HWI's with simulated cards: which card is meant, and whose CVC is asked for how often.
@Suite struct HWICallTests {
    private static let path = "m/84h/1h/0h"

    private static func remember(_ bench: FlowBench, as fingerprint: Fingerprint, in store: MemoryStore) async throws {
        let status = try await TapCard(reader: bench.reader).perform { $0.status }
        try CardManager(store: store, clock: { UnixTime(seconds: 7) }).remember(status, fingerprint: fingerprint)
    }

    private static func fingerprint(_ hex: [UInt8]) throws -> Fingerprint { try #require(Fingerprint(hex)) }

    /// What the store remembers of a card is a hint; the card itself has the last word, and is known by it from then on.
    @Test func aCardWithAnotherFingerprintIsAnother() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let (own, stale) = (try bench.wallet().fingerprint, try Self.fingerprint([1, 2, 3, 4]))
        let store = MemoryStore()
        for command in [
            ["getxpub", Self.path], ["getdescriptors"], ["displayaddress", "--path", "\(Self.path)/0/0"],
            ["signmessage", "x", "\(Self.path)/0/0"],
        ] {
            try await Self.remember(bench, as: stale, in: store)
            let host = ScriptedHWIHost([bench], store: store)
            let status = await HWIProgram(host).run(
                (["--emulators", "--chain", "test", "-f", "\(stale)"] + command).map { Array($0.utf8) })
            let wanted =
                "{\"code\":-3,\"error\":\"\(bench.ident) (SIMULATED) has the fingerprint \(own), not \(stale), which "
                + "was remembered for it. If you mean this card, run the command again with -f \(own).\"}"
            #expect(status == 0 && host.answers == [wanted], "\(host.answers)")
            #expect(store.card(bench.ident)?.fingerprint == own)
        }
        let again = await ScriptedHWIHost([bench], store: store).run("-f", "\(own)", "getxpub", Self.path)
        #expect(again.answer.contains("\"xpub\":\"tpub"))
        #expect(bench.record.path?.description == Self.path)
    }

    /// Which card it is and what it shall do: one CVC is asked for, once, and for what it shall do.
    @Test func aCVCIsAskedForOnceInACall() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let wallet = try bench.wallet()
        let text = String(decoding: try wallet.psbt().encoded(as: .base64), as: UTF8.self)
        let host = ScriptedHWIHost([bench])
        let signed = await host.run("-f", "\(wallet.fingerprint)", "signtx", text)
        #expect(signed.status == 0 && signed.answer.contains("\"signed\":true"), "\(signed.answer)")
        #expect(host.person.words.count { $0.hasPrefix("cvc") } == 1 && host.person.words.contains("first"))
        // Whom it pays is shown before.
        #expect(host.person.words.starts(with: ["first", "cvc"]))
        #expect(
            host.callCount == 1 && host.purposes.count == 1
                && host.purposes[0].hasPrefix("sign a transaction that pays "))

        // A second call asks anew: the first one's is forgotten.
        let other = ScriptedHWIHost([bench], store: host.store)
        #expect(await other.run("-f", "\(wallet.fingerprint)", "getxpub", "m/49h/1h/0h").answer.contains("tpub"))
        #expect(other.person.words == ["cvc"])
    }

    /// One that the card refused is asked for again, and the right one is used on.
    @Test func aRefusedCVCIsForgotten() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let person = ScriptedInteraction { $0.refusal == nil ? "111111" : FlowBench.cvc }
        let host = ScriptedHWIHost([bench], person: person)
        let key = await host.run("-f", "\(try bench.wallet().fingerprint)", "getxpub", Self.path)
        #expect(key.answer.contains("tpub") && person.words == ["cvc", "cvc again"])
        #expect(bench.watch.wrongCVCs == 1)
    }

    /// A CVC that was given is not tried on one card after the other; one that is asked for is asked for each.
    @Test func onePasswordIsNotTriedOnSeveralCards() async throws {
        var generator = SeededGenerator()
        let benches = [
            try await FlowBench.ready(using: &generator), try await FlowBench.ready(using: &generator),
        ]
        let wanted = try benches[1].wallet().fingerprint
        let host = ScriptedHWIHost(benches)
        let refused = await host.run("-p", "999999", "-f", "\(wanted)", "getxpub", Self.path)
        #expect(refused.status == 0 && refused.answer.contains("\"code\":-3") && refused.answer.contains("--card"))
        let listed = await host.run("-p", "999999", "enumerate")
        #expect(
            listed.answer == "[]" && host.notes.contains { $0.contains("the given CVC is not tried on all of them") })
        #expect(benches.allSatisfy { $0.watch.wrongCVCs == 0 } && host.person.entries.isEmpty)

        let asked = await host.run("-f", "\(wanted)", "getxpub", Self.path)
        #expect(asked.answer.contains("tpub") && host.person.words == ["cvc", "cvc"], "\(asked.answer)")
    }

    /// A wrong one that was given costs one try, and nobody is asked instead.
    @Test func aWrongPasswordIsTriedOnce() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let host = ScriptedHWIHost([bench])
        let refused = await host.run("-p", "999999", "-t", "tapsigner", "getxpub", Self.path)
        #expect(refused.answer.contains("\"code\":-7") && bench.watch.wrongCVCs == 1)
        #expect(host.person.entries.isEmpty)
    }

    /// Where the CVC comes from: the person at the terminal, a line of standard input behind the words that stand there, or nowhere.
    @Test func waysToAPassword() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        // A card of its own, which whoever is asked for its CVC keeps hold of.
        let typed = try await FlowBench.ready(using: &generator)
        let terminal = ScriptedHWIHost([typed], lines: ["never read"], isTerminal: true)
        #expect(await terminal.run("-t", "tapsigner", "--stdinpass", "getxpub", Self.path).answer.contains("tpub"))
        #expect(terminal.unreadLines == 1)

        let lines = ScriptedHWIHost([bench], lines: ["getxpub", "'\(Self.path)'", "", FlowBench.cvc])
        #expect(await lines.run("-t", "tapsigner", "--stdinpass", "--stdin").answer.contains("tpub"))
        #expect(lines.unreadLines == 0)

        let readsCVC = HWISettings(network: nil, choice: .any, readsCVC: true)
        let setting = ScriptedHWIHost([bench], lines: [FlowBench.cvc], settings: readsCVC)
        #expect(await setting.run("-t", "tapsigner", "getxpub", Self.path).answer.contains("tpub"))
        for host in [lines, setting] { #expect(host.person.entries.isEmpty) }
        #expect(terminal.person.words == ["cvc"])

        let ended = await ScriptedHWIHost([bench]).run("-t", "tapsigner", "--stdinpass", "getxpub", Self.path)
        #expect(ended.answer.contains("\"code\":-6") && ended.answer.contains("Standard input ended"))
        let none = await ScriptedHWIHost([bench]).run("-t", "tapsigner", "-p", "12ab", "getxpub", Self.path)
        #expect(none.answer.contains("\"code\":-7") && !none.answer.contains("12ab"))
        let missing = await ScriptedHWIHost([bench]).run("-t", "tapsigner", "--cvc-file", "no", "getxpub", Self.path)
        #expect(missing.answer.contains("\"code\":-7") && missing.answer.contains("There is no no."))
        // To look who is there needs none.
        let host = ScriptedHWIHost([bench])
        #expect(await host.run("--cvc-file", "no", "enumerate").answer == "[]")
        #expect(host.notes.contains("No CVC: There is no no."))
        let open = ScriptedHWIHost([bench], lines: ["getxpub 'm"])
        let quotation = await open.run("--stdin")
        #expect(quotation.status == 2 && quotation.answer.contains("\"code\":-2"))
    }

    /// The caller chooses the network. That a bitcoin card signs real payments, whatever is chosen, is shown.
    @Test func aBitcoinCardOnATestNetworkIsWarnedAbout() async throws {
        var generator = SeededGenerator()
        for (network, isWarned) in [(.main, true), (.test, false)] as [(SimulatedNetwork, Bool)] {
            let bench = try await FlowBench.ready(using: &generator) { $0.network = network }
            let text = String(decoding: try bench.wallet().psbt().encoded(as: .base64), as: UTF8.self)
            let host = ScriptedHWIHost([bench])
            let signed = await host.run("-t", "tapsigner", "signtx", text)
            #expect(signed.answer.contains("\"signed\":true"), "\(signed.answer)")
            guard case .question(let question)? = host.person.entries.first else {
                throw ScriptedInteraction.Declined()
            }
            #expect(question.findings.map(\.code).contains(.networkMismatch) == isWarned)
            #expect(question.review.network == .test)
        }
    }

    /// Whoever offers to type the CVC sees the transaction first, as ever: the CVC is the last thing that is asked for.
    @Test func theTypedCVCComesAfterTheReview() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let text = String(decoding: try bench.wallet().psbt().encoded(as: .base64), as: UTF8.self)
        let host = ScriptedHWIHost([bench], lines: ["never read"], isTerminal: true)
        let signed = await host.run("-t", "tapsigner", "--stdinpass", "signtx", text)
        #expect(signed.answer.contains("\"signed\":true"), "\(signed.answer)")
        #expect(host.person.words.prefix(2) == ["first", "cvc"] && host.unreadLines == 1)
        #expect(host.purposes.first?.contains("pay") == true, "\(host.purposes)")
        // To look who is there, a card that nobody knows is asked, too.
        let looking = ScriptedHWIHost([bench], isTerminal: true)
        #expect(await looking.run("--stdinpass", "enumerate").answer.contains("\(try bench.wallet().fingerprint)"))
        #expect(looking.person.words == ["cvc"])
    }

    /// A card that nobody knows proves its fingerprint with the CVC for the message, which is shown before.
    @Test func theMessageIsShownBeforeTheCardIsKnown() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let host = ScriptedHWIHost([bench])
        let fingerprint = try bench.wallet().fingerprint
        let signed = await host.run("-f", "\(fingerprint)", "signmessage", "x", "\(Self.path)/0/0")
        #expect(signed.answer.hasPrefix("{\"signature\":\""), "\(signed.answer)")
        #expect(host.person.words == ["signMessage", "cvc"])
        #expect(host.purposes == ["sign the message\n  | x\nwith the key at \(Self.path)/0/0"])
        let other = await host.run("-f", "00000001", "signmessage", "x", "\(Self.path)/0/0")
        #expect(other.answer.contains("\"code\":-3") && host.purposes.count == 1)
    }

    /// A message goes to the card with the key at its path; the person sees what for.
    @Test func aMessageIsSigned() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let host = ScriptedHWIHost([bench])
        let signed = await host.run("-t", "tapsigner", "signmessage", "-a b", "m/44h/1h/0h/0/7")
        #expect(signed.answer.hasPrefix("{\"signature\":\""), "\(signed.answer)")
        #expect(host.purposes == ["sign the message\n  | -a b\nwith the key at m/44h/1h/0h/0/7"])
        let key = try bench.wallet().publicKey(DerivationPath(parsing: "m/44h/1h/0h/0/7"))
        let address = try #require(Address(scriptPubKey: .p2pkh(key), network: .test))
        #expect(host.notes == ["Signed as \(address)."] && host.person.words == ["signMessage", "cvc"])
        #expect(bench.record.path?.description == Self.path)
    }

    @Test func whatMakesNoSenseEndsWithStatusTwo() async throws {
        let host = ScriptedHWIHost([])
        let refused = await host.run("frobnicate")
        #expect(refused.status == 2 && refused.answer.contains("\"code\":-2"))
        #expect(host.notes.first?.hasPrefix("usage: hwi ") == true)
        let help = await host.run("getxpub", "--help")
        #expect(help.status == 0 && help.answer == "{\"code\":-17,\"error\":\"Help text requested\"}")
        #expect(await host.run("--version").answer == "hwi 3.2.0")
    }
}
