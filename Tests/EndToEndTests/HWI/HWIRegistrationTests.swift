import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// `registerdescriptor`, and what the registration is good for. HWI's own test of it runs in `.ci/peers`.
@Suite(.fewAtATime) struct HWIRegistrationTests {
    private let hwi: HWICommandLine
    private let policy: SamplePolicy
    private let text: String

    init() async throws {
        hwi = try await HWICommandLine.withCard(chain: "regtest")
        let holders = [try await hwi.workshop.wallet(), try SampleWallet(seed: 2), try SampleWallet(seed: 3)]
        var policy = SamplePolicy("or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(144)))", holders)
        policy.hasExtendedKeys = false
        self.policy = policy
        text = try #require(policy.descriptor().text)
    }

    private func registration() async throws -> String {
        let run = try await hwi.run(["registerdescriptor", "family", text]).succeeded()
        // What the card signs is shown to whoever reads the log.
        #expect(run.errorText.contains("wsh(or_d(multi(2,@0/**,@1/**),and_v(v:pkh(@2/**),older(144))))"))
        return try run.json().text("registration")
    }

    @Test func addressesOfWhatWasRegistered() async throws {
        let registration = try await registration()
        for (branch, options) in [
            (0, []), (0, ["--multipath-index", "0"]), (1, ["--multipath-index", "1"]), (1, ["--change"]),
        ] {
            let answer = try await hwi.run(
                ["displayaddress", "--registration", registration, "--index", "7"] + options
            )
            .succeeded().json()
            let script = try policy.descriptor().spending(branch: branch, index: 7).scriptPubKey
            #expect(try answer.text("address") == Address(scriptPubKey: script, network: .regtest)?.description)
            #expect(try answer.field("index") == 7 && answer.field("multipath_index") == branch)
            answer.expectKeys("address index multipath_index")
        }
        try await hwi.expectError(-7, "Missing --index", "displayaddress", "--registration", registration)
        try await hwi.expectError(-7, "Missing --registration", "displayaddress", "--desc", "a", "--index", "1")
        try await hwi.expectError(
            -7, "must be non-negative", "displayaddress", "--registration", registration, "--index", "-1")
        try await hwi.expectError(
            -7, "", "displayaddress", "--registration", registration, "--index", "1", "--multipath-index", "2")
    }

    /// A key that appears again stands two branches further, where wallets look; only a far index is warned about.
    @Test func wherePeopleLookNobodyIsWarned() async throws {
        var twice = policy
        twice.expression = "or_d(multi(2,#A,#B),and_v(v:multi(1,#a,#b),older(144)))"
        let text = try #require(twice.descriptor().text)
        let registration = try await hwi.run(["registerdescriptor", "family", text]).succeeded().json()
            .text("registration")
        for (index, isFar) in [("0", false), ("999", false), ("1000", true)] {
            let run = try await hwi.run(["displayaddress", "--registration", registration, "--index", index])
                .succeeded()
            #expect(run.errorText.contains("Wallets do not look") == isFar, "\(run.errorText)")
        }
    }

    /// A bit in the name, in the descriptor's keys and conditions, or in the signature.
    @Test func whatWasAlteredIsRefused() async throws {
        let bytes = try Base64.decode(try await registration())
        let older = try #require(bytes.firstRange(of: Array("older(144)".utf8)))
        for place in [7, bytes.count - 1, bytes.count - 40] {
            var altered = bytes
            altered[place] ^= 1
            try await hwi.expectError(
                -19, "altered", "displayaddress", "--registration", Base64.encode(altered), "--index", "0")
            try await hwi.expectError(
                -19, "altered", "signtx", "--registration", Base64.encode(altered), try policy.psbt().base64Text)
        }
        // The descriptor's checksum finds out the rest.
        var altered = bytes
        altered[older.lowerBound + 6] ^= 1
        try await hwi.expectError(
            -7, "checksum", "displayaddress", "--registration", Base64.encode(altered), "--index", "0")
        try await hwi.expectError(
            -7, "not the registration", "displayaddress", "--registration", "AAAA", "--index", "0")
    }

    /// Without it, nothing in the PSBT proves the others' keys.
    @Test func itProvesChange() async throws {
        let registration = try await registration()
        let psbt = try policy.psbt(inputs: 2).base64Text
        let with = try await hwi.run(["signtx", "--registration", registration, psbt]).succeeded()
        #expect(!with.errorText.contains("WARNING"), "\(with.errorText)")
        #expect(try with.json().field("signed") == true)
    }

    /// Coins of a wallet that differs only in when one of the people may spend alone.
    @Test(arguments: [false, true]) func coinsOfAnotherWalletAreNotSpent(_ hasExtendedKeys: Bool) async throws {
        let registration = try await registration()
        var other = policy
        other.expression = policy.expression.replacing("older(144)", with: "older(1)")
        other.hasExtendedKeys = hasExtendedKeys
        let psbt = try other.psbt(inputs: 2).base64Text
        try await hwi.expectError(-19, "does not belong to", "signtx", "--registration", registration, psbt)
    }
}
