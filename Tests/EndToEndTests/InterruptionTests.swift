import Bitcoin
import Foundation
import TestSupport
import Testing

/// What is signed stays signed, whatever ends the signing.
@Suite struct InterruptionTests {
    private static let signMilliseconds = 60

    @Test func aCardThatIsPulledIsSignedOnWithLater() async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop, signMilliseconds: Self.signMilliseconds) { card in
            let signing = try await card.signingInTheMiddle()
            card.pull()
            #expect(try await signing.ending() == .exited(75))
            let done = try expectSaved(try signing.json(), codes: ["card_removed", "no_card"], in: workshop)
            try await card.layBack()
            let rest = try await workshop.tapkit(
                "sign", "tx.psbt", "--yes", "--json", "--wait=60", environment: card.reader
            ).succeeded().json()
            #expect(rest["signed"] as? Int == 30 - done)
            #expect(rest["complete"] as? Bool == true)
        }
    }

    @Test func withWaitItGoesOnByItself() async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop, signMilliseconds: Self.signMilliseconds) { card in
            let signing = try await card.signingInTheMiddle("--wait")
            card.pull()
            try await signing.errorText(contains: "The card is away")
            try await card.layBack()
            #expect(try await signing.ending() == .exited(0))
            let answer = try signing.json()
            #expect(answer["signed"] as? Int == 30)
            #expect(answer["complete"] as? Bool == true)
        }
    }

    @Test func controlCKeepsWhatIsSigned() async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop, signMilliseconds: Self.signMilliseconds) { card in
            let signing = try await card.signingInTheMiddle()
            // Pressed twice in haste.
            kill(signing.identifier, SIGINT)
            #expect(try await signing.stop(signal: SIGINT) == .exited(130))
            let done = try expectSaved(try signing.json(), codes: ["interrupted"], in: workshop)
            let rest = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--json", environment: card.reader)
            #expect(try rest.succeeded().json()["signed"] as? Int == 30 - done)
        }
    }

    @Test func controlCEndsTheWaitForACard() async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop, signMilliseconds: Self.signMilliseconds) { card in
            let signing = try await card.signingInTheMiddle("--wait")
            card.pull()
            try await signing.errorText(contains: "The card is away")
            #expect(try await signing.stop(signal: SIGINT) == .exited(130))
            try expectSaved(try signing.json(), codes: ["interrupted"], in: workshop)
        }
    }

    @Test func anotherCardIsRefused() async throws {
        let (workshop, other) = (try await Workshop(), try await Workshop())
        try await ServedCard.lay(workshop, signMilliseconds: Self.signMilliseconds) { card in
            let signing = try await card.signingInTheMiddle("--wait")
            card.pull()
            try await signing.errorText(contains: "The card is away")
            let stranger = try await card.lay(other)
            #expect(try await signing.ending() == .exited(75))
            try expectSaved(try signing.json(), codes: ["another_card"], in: workshop)
            try await stranger.stop()
        }
    }

    /// What cannot be kept in a file is said, so that it is not lost.
    @Test func aPartForStandardOutputGoesThere() async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop, signMilliseconds: Self.signMilliseconds) { card in
            let signing = try await card.signingInTheMiddle("-o", "-")
            card.pull()
            #expect(try await signing.ending() == .exited(75))
            let document = try signing.json()
            #expect(document["saved"] == nil)
            let part = try PSBT(fileContent: Array(try #require(document["psbt"] as? String).utf8))
            #expect(part.inputs.count { $0.isFinal } >= 25)
        }
    }

    /// The service is killed under a signing, in namespaces where it is the only one and harms no other test.
    @Test func aKilledServiceLosesNothing() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT(inputs: 30)
        let script = """
            ip link set lo up; mkdir -p /run/pcscd; mount -t tmpfs tmpfs /run/pcscd
            "$1" status --json >absent.json
            echo $? >absent.status
            pcscd --foreground >pcscd.log 2>&1 & service=$!
            "$1" sim serve card.json --vpcd 127.0.0.1:35963 --sign-ms 60 >serve.log 2>&1 & server=$!
            "$1" status --wait=60 >/dev/null || cat pcscd.log serve.log >&2
            "$1" sign tx.psbt --yes --json >out.json 2>err.txt & signing=$!
            for try in $(seq 500); do grep -q 'Signed 25' err.txt && break; sleep 0.02; done
            kill -9 $service; wait $signing; echo $? >sign.status; kill $server; wait $server || true
            """
        try await Subprocess.run(
            "unshare", ["-m", "-n", "sh", "-c", script, "sh", Subprocess.tapkit],
            environment: workshop.environment.merging(["TAPKIT_READER": nil]) { $1 }, directory: workshop.folder.url
        ).succeeded()
        func document(_ name: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(try workshop.bytes(name))) as? [String: Any])
        }
        #expect(try workshop.bytes("absent.status") == Array("69\n".utf8))
        #expect((try document("absent.json")["error"] as? [String: Any])?["code"] as? String == "no_pcscd")

        let status = Int(String(decoding: try workshop.bytes("sign.status"), as: UTF8.self).dropLast())
        #expect(status == 69 || status == 74 || status == 75, "\(String(describing: status))")
        let done = try expectSaved(
            try document("out.json"), codes: ["reader_gone", "no_pcscd", "transport_failed", "card_removed"],
            in: workshop)
        let rest = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--json").succeeded().json()
        #expect(rest["signed"] as? Int == 30 - done)
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
        #expect(progress["total"] == 30, sourceLocation: location)
        let done = try #require(progress["done"], sourceLocation: location)
        #expect((25..<30).contains(done), sourceLocation: location)
        #expect(document["saved"] as? String == "tx.signed.psbt", sourceLocation: location)
        #expect(try workshop.psbt("tx.signed.psbt").inputs.count { $0.isFinal } == done, sourceLocation: location)
        return done
    }
}
