import ByteCodec
import SmartCard
import TestSupport
import Testing

@testable import TapProtocol

@Suite struct TapErrorTests {
    private static let key = (try? TestCard())?.key.publicKey

    /// One of each, with the code that scripts rely on.
    private func all() throws -> [(TapError, String)] {
        let ident = CardIdent(of: try #require(Self.key))
        return [
            (.reader(ReaderError(.cardRemoved, "gone", remedy: "back")), "card_removed"),
            (.notATapCard(.fileNotFound), "not_a_tap_card"),
            (.anotherCard(expected: ident, found: ident), "another_card"),
            (.statusWord(.fileNotFound, command: "sign"), "status_word"),
            (.badResponse(command: "sign", field: "sig", problem: "is missing"), "bad_response"),
            (.badResponse(command: "sign", field: "", problem: "is truncated"), "bad_response"),
            (.card(CardError(number: 205, text: "unlucky number"), command: "sign"), "unlucky_number"),
            (.card(CardError(number: 425, text: "backup first"), command: "change"), "backup_first"),
            (.card(CardError(number: 406, text: "invalid state"), command: "new"), "card_error"),
            (.card(CardError(number: 999, text: "novel"), command: "new"), "card_error"),
            (.wrongCVC(.atMost(2)), "wrong_cvc"), (.wrongCVC(.atMost(1)), "wrong_cvc"),
            (.wrongCVC(.atMost(0)), "wrong_cvc"), (.wrongCVC(.delayed(seconds: 15)), "wrong_cvc"),
            (.cvcNeeded(command: "sign"), "cvc_needed"), (.rateLimited(seconds: 12), "rate_limited"),
            (.badProof(.version, detail: "it was higher"), "bad_proof"), (.invalidCVC(.length(5)), "bad_cvc"),
            (.badProof(.signature, detail: "it is over something else"), "altered_signature"),
            (.badProof(.signingKey, detail: "it is by another key"), "altered_signature"),
            (.invalidCVC(.notADigit), "bad_cvc"), (.invalidArgument(command: "sign", problem: "no"), "bad_argument"),
            (.notSupported(command: "backup", product: .satschip), "not_supported"),
            (.weakRandomness, "weak_randomness"), (.badBackup(.keyFormat), "bad_backup_key"),
            (.badBackup(.wrongKey), "wrong_backup_key"), (.badBackup(.length(1)), "bad_backup"),
            (.badBackup(.notMaster), "bad_backup"), (.badBackup(.path), "bad_backup"),
            (.badBackup(.damaged), "bad_backup"), (.badBackup(.cutOff), "bad_backup"),
        ]
    }

    @Test func codesMessagesAndHints() throws {
        for (error, code) in try all() {
            #expect(error.code.rawValue == code)
            #expect(!error.message.isEmpty)
            #expect(error.description == (error.remedy.isEmpty ? error.message : "\(error.message) (\(error.remedy))"))
        }
        #expect(TapError.wrongCVC(.atMost(2)).remedy.contains("2 more wrong tries"))
        #expect(TapError.wrongCVC(.atMost(1)).remedy.contains("1 more wrong try "))
    }

    /// A signature that is not the one that was asked for may spend money elsewhere: it has a code and words of its own,
    /// and is not to be tried again. Every other failed proof is none of the kind.
    @Test(arguments: Proof.allCases)
    func onlyASignatureThatIsNotOursIsAnAlarm(proof: Proof) {
        let error = TapError.badProof(proof, detail: "so it is")
        let isAlarm = [.signature, .signingKey].contains(proof)
        #expect(error.code == (isAlarm ? .alteredSignature : .badProof))
        #expect(error.message.hasPrefix("ALARM: ") == isAlarm)
        #expect(error.message.contains("(\(proof.rawValue)): so it is."))
        #expect(error.remedy.hasPrefix("Do not sign again here. Move this key's money") == isAlarm)
        #expect(error.remedy.contains("another reader and computer") == isAlarm)
        #expect(error.remedy.contains("new CVC") == isAlarm)
        let isOfStore = [.version, .remembered].contains(proof)
        #expect(error.remedy.contains("store forget the card") == isOfStore)
        #expect(error.remedy.contains("Do not use this card: it is counterfeit") == (!isAlarm && !isOfStore))
    }

    @Test func proofNamesAreStable() {
        let names = [
            "certificate_chain", "card_key", "account", "version", "remembered", "opened_slot", "read_signature",
            "address",
            "derive_signature", "path", "chain_code", "extended_key", "signature", "signing_key", "constant_facts",
            "cvc", "slot_key", "slot_state", "opened_key", "master_key", "backup", "link",
        ]
        #expect(Proof.allCases.map(\.rawValue) == names)
    }

    @Test func publishedRefusals() throws {
        let rows = try CardVectors.rows("error")
        #expect(rows.count == 11)
        #expect(Set(try rows.map { try $0.number("code") }) == Set(CardError.Kind.allCases.map(\.rawValue)))
        for row in rows {
            let error = CardError(number: try row.number("code"), text: try row.text("text"))
            #expect(error.text == (try row.text("text")))
            #expect(error.kind != nil)
        }
        let bodies = try CardVectors.rows("error_body")
        #expect(bodies.count == 1)
        for row in bodies {
            let fields = try ResponseFields(command: "sign", encoded: try row.bytes("cbor"))
            #expect(try fields.refusal == CardError(number: 401, text: "bad auth"))
        }
    }

    @Test func aRefusalsTextIsMadePrintable() {
        let error = CardError(number: 7, text: "\u{1B}[31mred\u{7}\u{202E}\n" + String(repeating: "x", count: 100))
        #expect(error.text.hasPrefix("?[31mred???x"))
        #expect(error.text.count == CardError.maximumTextLength)
        #expect(error.number == 7 && error.kind == nil)
    }

    @Test(arguments: [
        ["error": .text("bad"), "code": .text("401")] as CBORMap,
        ["error": .unsigned(1), "code": .unsigned(401)], ["error": .null, "code": .null], ["error": .null],
    ])
    func aMalformedRefusalIsABadResponse(map: CBORMap) throws {
        let open = try OpenSession(.map(try TestCard().status()), .map(map))
        guard case .badResponse("status", _, _) = try tapError(from: { try open.session.refreshStatus() }) else {
            Issue.record("Another error.")
            return
        }
    }
}
