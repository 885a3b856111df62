import Bitcoin
import Foundation
import TestSupport
import Testing

/// A card's life on the real PC/SC service, verb after verb, and nothing secret in what any of them says.
@Suite struct SessionTests {
    @Test func aCardIsSetUpAndUsedThroughPCSC() async throws {
        let workshop = try await Workshop(isSetUp: false)
        try await ServedCard.lay(workshop) { card in
            let newCVC = "907311548263"
            try workshop.folder.write(newCVC + "\n", to: "new")
            var said = ""
            func run(_ arguments: String...) async throws -> Subprocess {
                let environment = workshop.environment.merging(card.reader) { $1 }
                let run = try await Subprocess.run(
                    Subprocess.tapkit, arguments + ["--trace"], environment: environment, directory: workshop.folder.url
                ).succeeded()
                said += run.text + run.errorText
                return run
            }

            let readers = try await run("readers", "--json").json()["readers"] as? [[String: Any]]
            let reader = try #require(readers?.first { $0["spec"] as? String == card.spec })
            #expect(reader["backend"] as? String == "pcsc")
            let shown = try #require(reader["card"] as? [String: Any])
            #expect(shown["product"] as? String == "tapsigner" && shown["ident"] as? String == workshop.ident)
            #expect(try await run("readers").text.contains("TAPSIGNER \(workshop.ident)"))

            let setup = try await run(
                "setup", "--json", "--backup", "backup.aes", "--cvc-file", "cvc", "--new-cvc-file", "new"
            ).json()
            for key in ["product", "ident", "path", "xpub", "fingerprint", "descriptors", "backup_file"] {
                #expect(setup[key] != nil, "no \(key)")
            }
            #expect(setup["ident"] as? String == workshop.ident)
            #expect(setup["path"] as? String == "m/84h/1h/0h")
            let wallet = try await workshop.wallet()
            #expect(setup["fingerprint"] as? String == wallet.fingerprint.description)
            #expect(try workshop.bytes("backup.aes").count > 100)

            // Run again, it finds that the card has the new CVC, at the cost of one try.
            let again = try await run(
                "setup", "--json", "--backup", "backup.aes", "--cvc-file", "cvc", "--new-cvc-file", "new"
            ).json()
            #expect(again["xpub"] as? String == setup["xpub"] as? String)
            try FileManager.default.removeItem(atPath: workshop.folder.path("cvc"))
            try FileManager.default.copyItem(atPath: workshop.folder.path("new"), toPath: workshop.folder.path("cvc"))

            let xpub = try await run("xpub", "--json").json()
            #expect(xpub["xpub"] as? String == setup["xpub"] as? String)
            #expect(xpub["path"] as? String == "m/84h/1h/0h")
            #expect(xpub["fingerprint"] as? String == wallet.fingerprint.description)
            let master = try await run("xpub", "--master", "--json").json()
            #expect(master["xpub"] as? String == wallet.master.neutered.text)
            #expect(master["path"] as? String == "m")

            let descriptors = try await run("export", "descriptors").text
            #expect(descriptors == (setup["descriptors"] as? [String])?.joined(separator: "\n").appending("\n"))
            let backup = try await run("backup", "--json", "-o", "second.aes").json()
            #expect(backup["file"] as? String == "second.aes")
            #expect(backup["backups"] as? Int == 3)
            #expect(try workshop.bytes("second.aes") == workshop.bytes("backup.aes"))

            let derived = try await run("derive", "m/84h/1h/5h", "--json").json()
            #expect(derived["path"] as? String == "m/84h/1h/5h")
            #expect(derived["xpub"] as? String != setup["xpub"] as? String)
            let url = try await run("url", "--json").json()["url"] as? String
            #expect(url?.hasPrefix("https://tapsigner.com/start#t=1&u=S&c=") == true)
            let verified = try await run("verify", "--json").json()
            let proofs = try #require(verified["proofs"] as? [[String: Any]])
            #expect(proofs.allSatisfy { $0["ok"] as? Bool == true })
            #expect(
                proofs.map { $0["name"] as? String } == [
                    "card_key", "certificate_chain", "backup_count", "account", "master_key", "path",
                ])
            #expect(verified["genuine"] as? Bool == false)

            try await workshop.writePSBT(inputs: 3)
            try await run("sign", "tx.psbt", "--yes", "--json").json().expectComplete(inputs: 3)
            #expect(try await workshop.cardPath() == "m/84h/1h/5h")

            try workshop.folder.write(Workshop.printedCVC, to: "new")
            #expect(try await run("change-cvc", "--new-cvc-file", "new", "--json").json()["changed"] as? Bool == true)
            try workshop.folder.write(Workshop.printedCVC, to: "cvc")
            _ = try await run("xpub")

            try await expectNoSecrets([Workshop.printedCVC, newCVC], of: workshop, in: said)
        }
    }

    /// Neither what was said nor any file but the card's own and the CVC files holds a secret, in any usual form.
    private func expectNoSecrets(_ cvcs: [String], of workshop: Workshop, in said: String) async throws {
        let shown = try await workshop.tapkit("sim", "show", workshop.cardFile, "--show-keys", "--json").json()
        let aesKey = try #require(shown["aes_key"] as? String)
        let xprv = try #require(shown["xprv"] as? String)
        let key = try ExtendedPrivateKey(parsing: xprv).privateKey.secret.withBytes {
            $0.map { String(format: "%02x", $0) }.joined()
        }
        let cvcHex = cvcs.map { $0.utf8.map { String(format: "%02x", $0) }.joined() }
        let secrets = cvcs + cvcHex + [aesKey, xprv, key]
        #expect(said.contains("> sign"), "nothing was traced")
        for (index, secret) in secrets.enumerated() {
            #expect(!said.lowercased().contains(secret.lowercased()), "secret \(index) was said")
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: workshop.folder.url.path)
        for file in files where !["card.json", "cvc", "new"].contains(file) {
            let content = Data(try workshop.bytes(file))
            for (index, secret) in secrets.enumerated() {
                #expect(content.range(of: Data(secret.utf8)) == nil, "secret \(index) is in \(file)")
            }
        }
    }

    @Test func statusSaysWhatACardIs() async throws {
        let workshop = try await Workshop(isSetUp: false)
        let fresh = try await workshop.tapkit("status", "--json").succeeded().json()
        #expect(fresh["product"] as? String == "tapsigner")
        #expect(fresh["ident"] as? String == workshop.ident)
        #expect(fresh["version"] as? String == "1.0.3")
        #expect((fresh["birth_height"] as? Int ?? 0) > 700_000)
        #expect(fresh["network"] as? String == "test")
        #expect((fresh["card_pubkey"] as? String)?.count == 66)
        #expect(fresh["genuine"] as? Bool == false)
        #expect(fresh["root"] as? String == "custom")
        #expect(fresh["auth_delay_s"] as? Int == 0)
        #expect(fresh["set_up"] as? Bool == false)
        #expect(fresh["path"] == nil)
        try await workshop.tapkit("setup", "--keep-cvc").succeeded()
        let ready = try await workshop.tapkit("status", "--json").succeeded().json()
        #expect(ready["set_up"] as? Bool == true)
        #expect(ready["path"] as? String == "m/84h/1h/0h")
        #expect(ready["backups"] as? Int == 1)
        #expect(FileManager.default.fileExists(atPath: workshop.folder.path("\(workshop.ident).aes")))
    }

    @Test func aCardOfAnUnknownRootIsShownAndNotUsed() async throws {
        let workshop = try await Workshop()
        let stranger: [String: String?] = ["TAPKIT_ROOT_KEY": nil]
        let status = try await workshop.tapkit("status", "--json", environment: stranger).succeeded().json()
        #expect(status["genuine"] as? Bool == false)
        #expect(status["root"] as? String == "unknown")
        #expect(status["root_key"] as? String == workshop.rootKey)
        try await workshop.tapkit("verify", "--json", environment: stranger).expectFailure(76, "not_genuine")
        try await workshop.tapkit("xpub", "--json", environment: stranger).expectFailure(76, "not_genuine")
        let accepted = try await workshop.tapkit(
            "verify", "--json", "--root-key", workshop.rootKey, environment: stranger
        ).succeeded().json()
        #expect(accepted["root"] as? String == "custom")
    }

    @Test func oneOfSeveralCardsIsChosenByItsIdent() async throws {
        let (first, second) = (try await Workshop(), try await Workshop())
        try await ServedCard.lay(first) { _ in
            try await ServedCard.lay(second) { _ in
                let any: [String: String?] = [
                    "TAPKIT_READER": nil, "TAPKIT_ROOT_KEY": "\(first.rootKey),\(second.rootKey)",
                ]
                let several = try await first.tapkit("status", "--json", environment: any)
                try several.expectFailure(65, "ambiguous_card")
                #expect(try several.hint().contains("--card"))
                let chosen = try await first.tapkit(
                    "--card", second.ident.prefix(5).lowercased(), "status", "--json", environment: any)
                #expect(try chosen.succeeded().json()["ident"] as? String == second.ident)
            }
        }
    }
}
