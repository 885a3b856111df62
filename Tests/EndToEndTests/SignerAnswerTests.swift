import Foundation
import TestSupport
import Testing

/// Every key that a signer's answers have: those of the contract, and no others than these.
@Suite struct SignerAnswerTests {
    @Test(arguments: ["tapsigner", "satschip"]) func theAnswersHaveTheKeysOfTheContract(_ product: String) async throws
    {
        let workshop = try await Workshop(isSetUp: false, ["--product", product, "--unlucky", "0"])
        let hasBackup = product == "tapsigner"
        func answer(_ arguments: String...) async throws -> [String: Any] {
            let run = try await workshop.tapkit(arguments + ["--json", "--yes"]).succeeded()
            #expect(run.text.filter { $0 == "\n" }.count == 1, "more than one object: \(run.text)")
            return try run.json()
        }
        let status =
            "product ident version birth_height network card_pubkey genuine root root_key auth_delay_s set_up tampered "
            + "simulated reader unfinished" + (hasBackup ? " backups" : "")
        try await answer("status").expectKeys(status)
        try await answer("setup", "--keep-cvc", "--backup", "backup.aes").expectKeys(
            "product ident path xpub fingerprint descriptors cvc_changed" + (hasBackup ? " backup_file backups" : ""))
        try await answer("status").expectKeys(status + " path")
        try await answer("verify").expectKeys("proofs genuine root product ident")
        try await answer("xpub").expectKeys("xpub slip132 fingerprint path")
        try await answer("xpub", "--master").expectKeys("xpub fingerprint path")
        if hasBackup { try await answer("backup", "-o", "second.aes").expectKeys("file backups") }
        try await answer("url").expectKeys("valid product state ident pubkey nonce url source")

        let message = try await answer("message", "sign", "hello")
        message.expectKeys("address signature format")
        try await answer("message", "verify", message.text("address"), message.text("signature"), "hello")
            .expectKeys("valid address format")
        try await workshop.writePSBT()
        let signed = try await answer("sign", "tx.psbt", "--extract")
        signed.expectKeys(
            """
            signed complete psbt txid tx fee_sat sat_per_vb inputs outputs evidence warnings notices findings file \
            simulated signers signed_by missing
            """)
        try await answer("derive", "m/48h/1h").expectKeys("path xpub fingerprint")
        try workshop.folder.write("314159265358", to: "new")
        try await answer("change-cvc", "--new-cvc-file", "new").expectKeys("changed")
    }

    /// The same refusals as a SATSCARD's: nobody there to ask, no card, an unknown factory.
    @Test(arguments: ["tapsigner", "satschip"]) func refusals(_ product: String) async throws {
        let workshop = try await Workshop(["--product", product, "--unlucky", "0"])
        for verb in [
            ["xpub"], ["derive", "m/84h"], ["message", "sign", "hello"], ["setup"], ["export", "descriptors"],
        ] {
            let alone = try await workshop.tapkit(
                verb + ["--json", "--yes"], environment: ["TAPKIT_CVC_FILE": nil])
            try alone.expectFailure(77, "cvc_needed")
            try await workshop.tapkit(verb + ["--json", "--card", "ZZZZZ-ZZZZZ"]).expectFailure(75, "no_card")
            guard verb != ["setup"] else { continue }
            try await workshop.tapkit(verb + ["--json"], environment: ["TAPKIT_ROOT_KEY": nil])
                .expectFailure(76, "not_genuine")
        }
    }
}
