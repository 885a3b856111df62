import Bitcoin
import Foundation
import TestSupport
import Testing

/// Bitcoin Core's calls of an external signer, with a card behind a real `pcscd`.
@Suite(.fewAtATime) struct CoreSignerTests {
    @Test(arguments: ["regtest", "test", "signet", "testnet4"]) func everyCall(_ chain: String) async throws {
        let workshop = try await Workshop()
        let sandbox = try await PCSCSandbox(card: workshop.cardFile)
        let wallet = try await workshop.wallet()
        // The second one replaces the first: the same coins, a higher fee.
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, .p2shP2WPKH, .p2pkh]
        let first = try wallet.psbt(recipe)
        recipe.fee = 2_000
        let psbts = [first, try wallet.psbt(recipe)]
        let python = try PythonEnvironment.shared()
        let request: [String: Any] = [
            "command": "\(Subprocess.tapkit) hwi", "chain": chain, "account": 0, "coin": 1,
            "psbts": psbts.map { String(decoding: $0.encoded(as: .base64), as: UTF8.self) },
        ]
        let environment = workshop.environment.merging(PythonEnvironment.variables) { $1 }
            .merging(["TAPKIT_READER": "pcsc"]) { $1 }
        let answer = try await sandbox.run(
            python.command("python"), [PythonEnvironment.script("core_signer.py")],
            input: JSONSerialization.data(withJSONObject: request), environment: environment,
            directory: workshop.folder.url, timeout: .seconds(600)
        ).succeeded().json()

        let signer = try answer.field("signer", as: [String: String].self)
        #expect(signer == ["fingerprint": wallet.fingerprint.description, "name": "tapsigner"])
        let receive = try answer.field("receive", as: [String].self)
        #expect(receive.map { String($0.prefix { $0 != "[" }) } == ["pkh(", "wpkh(", "sh(wpkh("])
        #expect(try answer.field("internal", as: [String].self).allSatisfy { $0.contains("/1/*)") })
        let network = try #require(Network(rawValue: chain))
        for address in try answer.field("addresses", as: [[String: String]].self) {
            _ = try Address(parsing: try #require(address["address"]), network: network)
        }
        let refused = try answer.field("refused", as: [String].self)
        #expect(
            refused.map { String($0.prefix { $0 != ":" }) } == [
                "Descriptor fingerprint does not match device", "Key in descriptor does not match device",
                "Descriptor missing origin info",
            ])
        for (given, results) in zip(psbts, try answer.field("signed", as: [[String]].self)) {
            for text in results {
                var psbt = try PSBT(fileContent: Array(text.utf8))
                #expect(psbt.unsignedTransaction == given.unsignedTransaction)
                #expect(psbt.inputs.allSatisfy { $0.partialSignatures.count == 1 && !$0.isFinal })
                try psbt.finalizeInputs()
                try await psbt.expectVerified()
            }
        }
        #expect(try await workshop.cardPath() == "m/84h/1h/0h")
    }

    /// Core gives up when one of the signers has an error, and unless there is exactly one.
    @Test func aCardThatCoreCouldNotUseIsLeftOut() async throws {
        let (known, fresh) = (try await Workshop(), try await Workshop(isSetUp: false))
        let gift = try await Workshop.satscard("--network", "test")
        let sandbox = try await PCSCSandbox(card: known.cardFile, fresh.cardFile, gift.cardFile)
        let environment = known.environment.merging(["TAPKIT_READER": nil, "TAPKIT_CVC_FILE": nil]) { $1 }
        let listed = try await sandbox.run(
            Subprocess.tapkit, ["hwi", "enumerate"], environment: environment, directory: known.folder.url
        ).succeeded()
        let signers = try #require(try JSONSerialization.jsonObject(with: listed.output) as? [[String: Any]])
        #expect(signers.count == 1 && signers.first?["label"] as? String == known.ident)
        #expect(signers.first?["error"] == nil)
        #expect(listed.errorText.contains("\(fresh.ident) is left out") && listed.errorText.contains(gift.ident))

        // Another store knows no fingerprint: the card is left out until its CVC is given once.
        let elsewhere = environment.merging(["TAPKIT_DATA_DIR": known.folder.path("elsewhere")]) { $1 }
        let unknown = try await sandbox.run(
            Subprocess.tapkit, ["hwi", "enumerate"], environment: elsewhere, directory: known.folder.url
        ).succeeded()
        #expect(unknown.text == "[]\n" && unknown.errorText.contains("fingerprint is not known yet"))
        for _ in 0..<2 {
            let found = try await sandbox.run(
                Subprocess.tapkit, ["hwi", "--cvc-file", "cvc", "enumerate"], environment: elsewhere,
                directory: known.folder.url
            ).succeeded()
            #expect(found.text.contains("\"fingerprint\":\"\(try await known.wallet().fingerprint)\""))
        }
        let remembered = try await sandbox.run(
            Subprocess.tapkit, ["hwi", "enumerate"], environment: elsewhere, directory: known.folder.url
        ).succeeded()
        #expect(remembered.text.contains(known.ident))
    }
}
