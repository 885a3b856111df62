import Bitcoin
import Foundation
import TestSupport
import Testing

/// `tapkit wallet register`, and somebody who alters the store afterwards.
@Suite(.fewAtATime) struct WalletRegistrationTests {
    private let workshop: Workshop
    private let policy: SamplePolicy

    init() async throws {
        workshop = try await Workshop()
        var policy = SamplePolicy(
            "or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(144)))",
            [try await workshop.wallet(), try SampleWallet(seed: 2), try SampleWallet(seed: 3)])
        policy.hasExtendedKeys = false
        self.policy = policy
    }

    private func run(_ arguments: String...) async throws -> Subprocess {
        try await workshop.tapkit(arguments + ["--json"], environment: ["TAPKIT_NETWORK": "regtest"])
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: workshop.folder.url.appendingPathComponent(name))
    }

    private func add() async throws {
        try await run("wallet", "add", "family", try #require(policy.descriptor().text)).succeeded()
    }

    /// Replaces a text in the wallet's stored descriptor, whose checksum is left out then.
    /// - Parameter isForgetful: whether the store forgets who registered it, too.
    private func alter(_ old: String, _ new: String, isForgetful: Bool = false) async throws {
        let script = """
            import sqlite3, sys
            store = sqlite3.connect(sys.argv[1])
            text, = store.execute("SELECT descriptor FROM wallet_descriptor").fetchone()
            text = text.split("#")[0].replace(sys.argv[2], sys.argv[3])
            store.execute("UPDATE wallet_descriptor SET descriptor = ?", [text])
            if sys.argv[4] == "true":
                store.execute("DELETE FROM wallet_registration")
            store.commit()
            """
        let store = workshop.storeFolder.path("data/store.sqlite")
        try await Subprocess.run("/usr/bin/python3", ["-c", script, store, old, new, "\(isForgetful)"]).succeeded()
    }

    private func change(_ statement: String) async throws {
        let script = """
            import sqlite3, sys
            store = sqlite3.connect(sys.argv[1])
            store.execute(sys.argv[2])
            store.commit()
            """
        let store = workshop.storeFolder.path("data/store.sqlite")
        try await Subprocess.run("/usr/bin/python3", ["-c", script, store, statement]).succeeded()
    }

    @Test func somebodyAltersTheStore() async throws {
        try await add()
        try await run("derive", policy.account).succeeded()
        // Without a yes, nothing is signed.
        try await run("wallet", "register", "family").expectFailure(64, "confirmation_needed")
        let before = try await run("wallet", "receive", "family", "--offline", "--verify").succeeded().json()
        #expect(try before.field("registered") == false && before.field("verified") == false)
        let warnings = try before.field("warnings", as: [String].self)
        #expect(warnings.contains { $0.contains(" has not registered this wallet. Once a card has") }, "\(warnings)")
        let registered = try await run("wallet", "register", "family", "--yes", "-o", "family.txt").succeeded().json()
        registered.expectKeys("registered name ident fingerprint path registration file")
        #expect(try registered.text("path") == policy.account)
        let written = String(decoding: try workshop.bytes("family.txt"), as: UTF8.self)
        #expect(try written == registered.text("registration") + "\n")
        let shown = try await run("wallet", "show", "family", "--offline").succeeded().json()
        let registrations = try shown.field("registrations", as: [[String: Any]].self)
        #expect(registrations.map { $0["registration"] as? String } == [try registered.text("registration")])
        #expect(registrations.map { $0["proven"] as? Bool } == [true])
        let told = try await workshop.tapkit(["wallet", "show", "family", "--offline"]).succeeded().text
        #expect(told.contains("  Registered by \(try registered.text("fingerprint")) on "))
        let receiving = try await run("wallet", "receive", "family", "--offline", "--verify").succeeded().json()
        #expect(try receiving.field("registered") == true && receiving.field("verified") == true)
        #expect(try receiving.field("verified_keys") == 1)
        let remarks = try receiving.field("warnings", as: [String].self)
        #expect(!remarks.contains { $0.contains("not registered") }, "\(remarks)")

        try write(try policy.psbt(inputs: 2).serialized(), to: "family.psbt")
        let signed = try await run("sign", "family.psbt", "--yes").succeeded().json()
        let outputs = try signed.field("outputs", as: [[String: Any]].self)
        #expect(outputs.map { $0["change_proven"] as? Bool } == [false, true])

        // Two of them at once, or one alone, as the coin may be old enough: it is not known yet who will sign.
        try write(try policy.psbt(sequence: 144).serialized(), to: "either.psbt")
        for (file, isOpen) in [("either.psbt", true), ("family.psbt", nil)] {
            let review = try await run("review", file).succeeded().json()
            #expect(review["other_path_open"] as? Bool == isOpen, "\(file)")
        }

        try await run("store", "check").succeeded()
        let sound = try await run("wallet", "list").succeeded().json().field("wallets", as: [[String: Any]].self)
        #expect(sound.count == 1 && sound[0]["altered"] == nil)

        // A shorter time for the one who may spend alone.
        try await alter("older(144)", "older(1)")
        try await run("store", "check").expectFailure(76, "altered_wallet")
        let unsound = try await run("wallet", "list").succeeded().json().field("wallets", as: [[String: Any]].self)
        #expect(unsound.map { $0["altered"] as? Bool } == [true])
        let warned = try await workshop.tapkit(["wallet", "list"]).succeeded().text
        #expect(warned.contains("WARNING: The wallet “family” is not what the card with the fingerprint "))
        for verb in [["receive", "family"], ["receive", "family", "--verify"]] {
            let failed = try await workshop.tapkit(
                ["wallet"] + verb + ["--offline", "--json"], environment: ["TAPKIT_NETWORK": "regtest"])
            try failed.expectFailure(76, "altered_wallet")
        }
        try write(try policy.psbt(inputs: 3).serialized(), to: "more.psbt")
        try await run("sign", "more.psbt", "--yes").expectFailure(76, "altered_wallet")
        let altered = try await workshop.tapkit(["wallet", "show", "family", "--offline"]).succeeded()
        #expect(altered.text.contains("NOT what"))
        let reviewed = try await run("review", "more.psbt").succeeded().json()
        let listed = try reviewed.field("outputs", as: [[String: Any]].self)
        #expect(!listed.contains { $0["change_proven"] as? Bool == true })
        // Put right, it is the one that was registered.
        try await alter("older(1)", "older(144)")
        try await run("sign", "more.psbt", "--yes").succeeded()
        // No descriptor any more: a failed proof, too, and it can be removed.
        try await alter("older(144)", "oldex(144)")
        for verb in ["receive", "show"] {
            let failed = try await workshop.tapkit(
                ["wallet", verb, "family", "--offline", "--json"], environment: ["TAPKIT_NETWORK": "regtest"])
            try failed.expectFailure(76, "altered_wallet")
        }
        try await run("wallet", "remove", "family", "--yes").succeeded()
    }

    /// A thief who also removes the registration from the store: the one that was kept elsewhere shows it.
    @Test func theKeptFileShowsWhatTheStoreForgot() async throws {
        try await add()
        try await run("derive", policy.account).succeeded()
        try await run("wallet", "register", "family", "--yes", "-o", "family.txt").succeeded()
        let verify = ["wallet", "receive", "family", "--offline", "--verify"]
        func verified(_ more: String...) async throws -> Subprocess {
            try await workshop.tapkit(verify + more + ["--json"], environment: ["TAPKIT_NETWORK": "regtest"])
        }
        let kept = try await verified("--registration", "family.txt").succeeded().json()
        #expect(try kept.field("registered") == true && kept.field("verified") == true)
        try write(try policy.psbt(inputs: 2).serialized(), to: "family.psbt")
        let signed = try await run("sign", "family.psbt", "--yes", "--registration", "family.txt").succeeded().json()
        let outputs = try signed.field("outputs", as: [[String: Any]].self)
        #expect(outputs.map { $0["change_proven"] as? Bool } == [false, true])
        // The next card is asked for the same.
        try write(try policy.psbt(inputs: 4).serialized(), to: "next.psbt")
        let said = try await workshop.tapkit(
            ["sign", "next.psbt", "--yes", "--registration", "family.txt"], environment: ["TAPKIT_NETWORK": "regtest"]
        ).succeeded().errorText
        #expect(
            said.contains("Next: tapkit tx sign ") && said.contains(" --registration family.txt with the next card"))

        try await alter("older(144)", "older(1)", isForgetful: true)
        let unregistered = try await verified().succeeded().json()
        #expect(try unregistered.field("registered") == false)
        try await verified("--registration", "family.txt").expectFailure(76, "altered_wallet")
        var altered = policy
        altered.expression = policy.expression.replacing("older(144)", with: "older(1)")
        try write(try altered.psbt(inputs: 3).serialized(), to: "altered.psbt")
        let refused: [String: Any] = try await run(
            "sign", "altered.psbt", "--yes", "--registration", "family.txt"
        ).expectFailure(76, "altered_wallet").field("error")
        #expect(try refused.text("message").contains("a coin that does not belong to the wallet “family”"))
        // A backup and what is stored are no way around it. Its payee is paid by the other two, too.
        let accepting = "--accept=address_already_paid"
        try workshop.writeBackupKey()
        try await run(
            "recover", "sign", "altered.psbt", "--backup", "backup.aes", "--key-file", "key", "--yes", accepting,
            "--registration", "family.txt"
        ).expectFailure(76, "altered_wallet")
        let imported = try await run("tx", "import", "altered.psbt").succeeded().json().text("id")
        try await run("tx", "sign", imported, "--yes", accepting, "--registration", "family.txt")
            .expectFailure(76, "altered_wallet")
        try await run("tx", "sign", imported, "--yes", accepting).succeeded()

        try await run("wallet", "receive", "family", "--offline", "--registration", "family.txt")
            .expectFailure(64, "usage")
        try await run("sign", "altered.psbt", "--yes", "--registration", "-").expectFailure(64, "usage")
        try await run("sign", "altered.psbt", "--yes", "--registration", "none.txt").expectFailure(66, "no_input_file")
        try write(Array(try workshop.bytes("family.txt").dropLast(20)), to: "torn.txt")
        try await run("sign", "altered.psbt", "--yes", "--registration", "torn.txt")
            .expectFailure(65, "bad_registration")
    }

    /// Of a wallet that no card registered, the check sees what makes it unsafe.
    @Test func theStoresCheckNamesUnsafeWallets() async throws {
        try await add()
        try await run("store", "check").succeeded()
        let account = try DerivationPath(parsing: policy.account)
        let keys = try policy.holders.map {
            "[\($0.fingerprint)\(policy.account.dropFirst())]\(try $0.extendedKey(account).text)"
        }
        // A key that the card does not have at its place.
        try await run("derive", "m/48h/1h/0h/2h").succeeded()
        try await run("store", "check").succeeded()
        let stranger = try SampleWallet(seed: 99).extendedKey(account).text
        let own = try policy.holders[0].extendedKey(account).text
        try await alter(own, stranger)
        let refused: [String: Any] = try await run("store", "check").expectFailure(76, "bad_proof").field("error")
        #expect(try refused.text("message").contains("The wallet “family” says that the card "))
        // What cannot be read beside it hides nothing.
        try await change("INSERT INTO account SELECT card, card_key, 'm/0', xpub, proven FROM account LIMIT 1")
        let both: [String: Any] = try await run("store", "check").expectFailure(76, "bad_proof").field("error")
        #expect(
            try both.text("message").contains(" is damaged") && both.text("message").contains("says that the card "))
        try await change("DELETE FROM account WHERE path = 'm/0'")
        try await change("INSERT INTO wallet_registration VALUES ('family', x'00000000', 'none', x'00', 1)")
        try await run("store", "check").expectFailure(76, "altered_wallet")
        try await change("DELETE FROM wallet_registration")
        try await alter(stranger, own)
        // One holder has both of the keys that sign together.
        try await alter("\(keys[1])/<0;1>/*", "\(keys[0])/<2;3>/*")
        let failed: [String: Any] = try await run("store", "check").expectFailure(65, "bad_descriptor").field("error")
        #expect(try failed.text("message").contains("The wallet “family” is unsafe, and is not used."))
        try await alter("older(144)", "oldex(144)")
        let damaged: [String: Any] = try await run("store", "check").expectFailure(65, "store_damaged").field("error")
        #expect(try damaged.text("message").contains("wallet family: Descriptor 1: "))
    }

    @Test func theFileBringsItBack() async throws {
        try await add()
        try await run("wallet", "register", "family", "--yes", "-o", "family.txt").succeeded()
        try await run("wallet", "remove", "family", "--yes").succeeded()
        try await run("wallet", "add", "other", "--registration", "family.txt").expectFailure(64, "usage")
        try await run("wallet", "add", "family", "wpkh(a)", "--registration", "family.txt").expectFailure(64, "usage")
        try await run("wallet", "add", "family", "--registration", "family.txt").succeeded()
        let shown = try await run("wallet", "show", "family", "--offline").succeeded().json()
        #expect(try shown.field("registrations", as: [[String: Any]].self).count == 1)
        // Where no card has proven the key, a registration is only somebody's word.
        let elsewhere: [String: String?] = [
            "TAPKIT_NETWORK": "regtest", "TAPKIT_DATA_DIR": workshop.folder.path("elsewhere"),
        ]
        try await workshop.tapkit(["wallet", "add", "family", "--registration", "family.txt"], environment: elsewhere)
            .succeeded()
        let strange = ["wallet", "show", "family", "--offline"]
        let said = try await workshop.tapkit(strange, environment: elsewhere).succeeded().text
        #expect(said.contains("  Said to be registered by ") && !said.contains("  Registered by "))
        let unproven = try await workshop.tapkit(strange + ["--json"], environment: elsewhere).succeeded().json()
            .field("registrations", as: [[String: Any]].self)
        #expect(unproven.map { $0["proven"] as? Bool } == [false])
        try await run("wallet", "remove", "family", "--yes").succeeded()
        try write(Array(try workshop.bytes("family.txt").dropLast(20)), to: "torn.txt")
        try await run("wallet", "add", "family", "--registration", "torn.txt").expectFailure(65, "bad_registration")
        try await run("wallet", "add", "family", "--registration", "none.txt").expectFailure(66, "no_input_file")
    }
}
