import Bitcoin
import Foundation
import TestSupport
import Testing

/// What is signed stays signed, whatever ends the signing.
@Suite struct InterruptionTests {
    private static let signMilliseconds = 60

    @Test(arguments: ReaderKind.allCases) func aCardThatIsPulledIsSignedOnWithLater(_ kind: ReaderKind) async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop, on: kind, signMilliseconds: Self.signMilliseconds) { card in
            let signing = try await card.signingInTheMiddle { _ in try card.pull() }
            #expect(try await signing.ending() == .exited(75))
            let done = try expectSaved(try signing.json(), codes: ["card_removed", "no_card"], in: workshop)
            try await card.layBack()
            let rest = try await workshop.tapkit(
                "sign", "tx.psbt", "--yes", "--json", "--wait=60", environment: card.reader
            ).succeeded().json()
            #expect(rest["signed"] as? Int == 40 - done)
            #expect(rest["complete"] as? Bool == true)
        }
    }

    @Test(arguments: ReaderKind.allCases) func withWaitItGoesOnByItself(_ kind: ReaderKind) async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop, on: kind, signMilliseconds: Self.signMilliseconds) { card in
            let signing = try await card.signingInTheMiddle("--wait") { _ in try card.pull() }
            try await signing.errorText(contains: "Card removed")
            try await card.layBack()
            #expect(try await signing.ending() == .exited(0))
            let answer = try signing.json()
            #expect(answer["signed"] as? Int == 40)
            #expect(answer["complete"] as? Bool == true)
        }
    }

    @Test(arguments: ReaderKind.allCases) func controlCKeepsWhatIsSigned(_ kind: ReaderKind) async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop, on: kind, signMilliseconds: Self.signMilliseconds) { card in
            // Pressed twice in haste.
            let signing = try await card.signingInTheMiddle { signing in
                kill(signing.identifier, SIGINT)
                kill(signing.identifier, SIGINT)
            }
            #expect(try await signing.ending() == .exited(130))
            let done = try expectSaved(try signing.json(), codes: ["interrupted"], in: workshop)
            let rest = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--json", environment: card.reader)
            #expect(try rest.succeeded().json()["signed"] as? Int == 40 - done)
        }
    }

    @Test(arguments: ReaderKind.allCases) func controlCEndsTheWaitForACard(_ kind: ReaderKind) async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop, on: kind, signMilliseconds: Self.signMilliseconds) { card in
            let signing = try await card.signingInTheMiddle("--wait") { _ in try card.pull() }
            try await signing.errorText(contains: "Card removed")
            #expect(try await signing.stop(signal: SIGINT) == .exited(130))
            try expectSaved(try signing.json(), codes: ["interrupted"], in: workshop)
        }
    }

    /// A card that is proving its slots' keys is let go of after the running one, and is as it was.
    @Test(arguments: ReaderKind.allCases) func controlCEndsTheProofsOfSlots(_ kind: ReaderKind) async throws {
        let workshop = try await Workshop.satscard("--used-slots", "9")
        let verb = ["slots", "--cvc-file", "cvc", "--json"]
        let undisturbed = try await workshop.tapkit(verb).succeeded().text
        try await ServedCard.lay(workshop, on: kind, signMilliseconds: 300) { card in
            // During the second of nine signatures.
            let slots = try await card.inTheMiddle(
                of: verb + ["--trace"], when: { Self.signatures(in: $0) >= 2 },
                then: { _ = kill($0.identifier, SIGINT) })
            #expect(try await slots.ending() == .exited(130), "\(slots.text)\(slots.errorText)")
            let document = try slots.json()
            #expect(try document.field("error", as: [String: Any].self).text("code") == "interrupted")
            #expect(document["slots"] == nil)
            #expect(Self.signatures(in: slots.errorText) < 9)
            let status = try await workshop.tapkit("status", "--json", environment: card.reader).succeeded().json()
            #expect(try status.field("auth_delay_s") == 0)
            #expect(try status.field("unfinished", as: [Any].self).isEmpty)
            let again = try await workshop.tapkit(verb, environment: card.reader).succeeded()
            #expect(again.text == undisturbed)
        }
    }

    /// How many signatures the card was asked for.
    private static func signatures(in trace: String) -> Int {
        trace.components(separatedBy: "  | > sign ").count - 1
    }

    /// What cannot be kept in a file is said, so that it is not lost.
    @Test(arguments: ReaderKind.allCases) func aPartForStandardOutputGoesThere(_ kind: ReaderKind) async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop, on: kind, signMilliseconds: Self.signMilliseconds) { card in
            let signing = try await card.signingInTheMiddle("-o", "-") { _ in try card.pull() }
            #expect(try await signing.ending() == .exited(75))
            let document = try signing.json()
            #expect(document["saved"] == nil)
            let part = try PSBT(fileContent: Array(try #require(document["psbt"] as? String).utf8))
            #expect(part.inputs.count { $0.isFinal } >= 25)
        }
    }

    /// What is done in namespaces where the service is the only one, and its end harms no other test. `$1` is `tapkit`.
    private static func withService(_ script: String, in workshop: Workshop) async throws {
        let preparation = """
            serve() { \(PCSCDaemon.command) >>pcscd.log 2>&1 & service=$!; }
            until_said() { for try in $(seq 3000); do grep -q "$1" err.txt && return; sleep 0.02; done; cat err.txt >&2; exit 1; }
            "$1" status --json >absent.json
            echo $? >absent.status
            serve
            "$1" sim serve card.json --vpcd 127.0.0.1:35963 --sign-ms 60 >serve.log 2>&1 & server=$!
            "$1" status --wait=60 >/dev/null || cat pcscd.log serve.log >&2

            """
        try await Subprocess.runApart(
            preparation + script, [Subprocess.tapkit],
            environment: workshop.environment.merging(["TAPKIT_READER": nil]) { $1 }, directory: workshop.folder.url
        ).succeeded()
    }

    private func document(_ name: String, in workshop: Workshop) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(try workshop.bytes(name))) as? [String: Any])
    }

    @Test func aKilledServiceLosesNothing() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT(inputs: 40)
        try await Self.withService(
            """
            "$1" sign tx.psbt --yes --json >out.json 2>err.txt & signing=$!
            until_said 'Signed 25'
            kill -9 $service; wait $signing; echo $? >sign.status; kill $server; wait $server || true
            """, in: workshop)
        #expect(try workshop.bytes("absent.status") == Array("69\n".utf8))
        let absent: [String: Any] = try document("absent.json", in: workshop).field("error")
        #expect(try absent.text("code") == "no_pcscd")

        let status = Int(String(decoding: try workshop.bytes("sign.status"), as: UTF8.self).dropLast())
        #expect(status == 69 || status == 75, "\(String(describing: status))")
        let done = try expectSaved(
            try document("out.json", in: workshop), codes: ["reader_gone", "no_pcscd", "card_removed"], in: workshop)
        let rest = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--json").succeeded().json()
        #expect(rest["signed"] as? Int == 40 - done)
    }

    /// A service that dies while it is asked hangs up like one that refuses; only a refusal is said twice.
    @Test(arguments: [(1, "no_pcscd"), (2, "no_permission")])
    func aServiceThatDiesAtTheDoorDoesNotRefuse(_ hangUps: Int, _ code: String) async throws {
        let service = try SilentService()
        service.hangUp(on: hangUps)
        let environment = Workshop.nothing.merging(service.environment) { $1 }
        try await Subprocess.run(
            Subprocess.tapkit, ["readers", "--json", "--reader", "pcsc"], environment: environment
        ).expectFailure(69, code)
    }

    /// With `--wait` the job waits for the service, and goes on when it runs again.
    @Test func aServiceThatComesBackIsGoneOnWith() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT(inputs: 40)
        let undisturbed = try await Workshop(copying: workshop).tapkit("sign", "tx.psbt", "--yes", "--json").json()
            .expectComplete(inputs: 40)
        try await Self.withService(
            """
            "$1" sign tx.psbt --yes --json --wait >out.json 2>err.txt & signing=$!
            until_said 'Signed 25'
            kill -9 $service; wait $service
            until_said 'The reader is gone'
            serve
            wait $signing; echo $? >sign.status
            kill $server; wait $server; kill $service; wait $service || true
            """, in: workshop)
        let answer = try document("out.json", in: workshop)
        #expect(try workshop.bytes("sign.status") == Array("0\n".utf8), "\(answer)")
        #expect(answer["signed"] as? Int == 40)
        #expect(try await answer.expectComplete(inputs: 40) == undisturbed)
    }

    /// A libnfc reader that is unplugged is waited for, too.
    @Test func aReaderThatComesBackIsGoneOnWith() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT(inputs: 40)
        let undisturbed = try await Workshop(copying: workshop).tapkit("sign", "tx.psbt", "--yes", "--json").json()
            .expectComplete(inputs: 40)
        try await ServedCard.lay(workshop, on: .nfc, signMilliseconds: Self.signMilliseconds) { card in
            let signing = try await card.signingInTheMiddle("--wait") { _ in try card.unplug() }
            try await signing.errorText(contains: "The reader is gone")
            try await card.plugIn()
            #expect(try await signing.ending() == .exited(0), "\(signing.text)\(signing.errorText)")
            #expect(try signing.json()["signed"] as? Int == 40)
            #expect(try await signing.json().expectComplete(inputs: 40) == undisturbed)
        }
    }

    @Test func anUnpluggedReaderLosesNothing() async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop, on: .nfc, signMilliseconds: Self.signMilliseconds) { card in
            let signing = try await card.signingInTheMiddle { _ in try card.unplug() }
            #expect(try await signing.ending() == .exited(69))
            let done = try expectSaved(try signing.json(), codes: ["reader_gone", "no_reader"], in: workshop)
            try await card.plugIn()
            let rest = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--json", environment: card.reader)
            #expect(try rest.succeeded().json()["signed"] as? Int == 40 - done)
        }
    }

    /// Expects that a part was signed and lies in `tx.signed.psbt`.
    /// - Returns: how many inputs.
    @discardableResult
    private func expectSaved(
        _ document: [String: Any], codes: Set<String>, in workshop: Workshop,
        at location: SourceLocation = #_sourceLocation
    ) throws -> Int {
        let error = try #require(document["error"] as? [String: Any], sourceLocation: location)
        let code = try #require(error["code"] as? String, sourceLocation: location)
        #expect(codes.contains(code), "\(error)", sourceLocation: location)
        #expect((error["hint"] as? String)?.isEmpty == false, sourceLocation: location)
        let progress = try #require(document["progress"] as? [String: Int], sourceLocation: location)
        #expect(progress["total"] == 40, sourceLocation: location)
        let done = try #require(progress["done"], sourceLocation: location)
        #expect((25..<40).contains(done), sourceLocation: location)
        #expect(document["saved"] as? String == "tx.signed.psbt", sourceLocation: location)
        #expect(try workshop.psbt("tx.signed.psbt").inputs.count { $0.isFinal } == done, sourceLocation: location)
        return done
    }
}
