import Foundation
import TestSupport
import Testing

/// Each product in each version once through the verbs that everybody uses, and what each refuses.
@Suite struct EveryCardTests {
    /// A product and a version of its program.
    struct Kind: Sendable, CustomTestStringConvertible {
        let product: String
        let version: String

        var testDescription: String { "\(product) \(version)" }
        var isSatscard: Bool { product == "satscard" }

        static let all = ["tapsigner", "satscard", "satschip"].flatMap { product in
            ["0.9.0", "1.0.0", "1.0.2", "1.0.3"].map { Kind(product: product, version: $0) }
        }

        /// Such a card as its factory leaves it, but for a SATSCARD without a first key.
        func workshop(_ options: [String] = []) async throws -> Workshop {
            try await Workshop(
                isSetUp: false,
                ["--product", product, "--applet", version] + (isSatscard ? ["--blank"] : []) + options,
                cvc: isSatscard ? Workshop.satscardCVC : Workshop.printedCVC)
        }
    }

    @Test(arguments: Kind.all) func isShownProvenAndSetUp(_ kind: Kind) async throws {
        let workshop = try await kind.workshop()
        let fresh = try await workshop.tapkit("status", "--json").succeeded().json()
        #expect(try fresh.text("product") == kind.product && fresh.text("version") == kind.version)
        #expect(try fresh.text("ident") == workshop.ident && fresh.text("root") == "custom")
        #expect(fresh["backups"] as? Int == (kind.product == "tapsigner" ? 0 : nil))

        let setup = try await workshop.tapkit(
            kind.isSatscard ? ["setup", "--json", "--yes"] : ["setup", "--keep-cvc", "--json"]
        ).succeeded().json()
        let own = try await workshop.tapkit(kind.isSatscard ? "address" : "xpub", "--json", "--yes").succeeded().json()
        let field = kind.isSatscard ? "address" : "xpub"
        #expect(try own.text(field) == setup.text(field))
        #expect((setup["backup_file"] != nil) == (kind.product == "tapsigner"))

        let ready = try await workshop.tapkit("status", "--json").succeeded().json()
        #expect(ready["set_up"] as? Bool == (kind.isSatscard ? nil : true))
        #expect(ready["address"] as? String == (kind.isSatscard ? try own.text("address") : nil))
        let verified = try await workshop.tapkit("verify", "--json").succeeded().json()
        let proofs: [[String: Any]] = try verified.field("proofs")
        #expect(try proofs.allSatisfy { try $0.field("ok", as: Bool.self) })
        #expect(try Set(proofs.map { try $0.text("name") }) == Self.proofs(of: kind))
        #expect(try !verified.field("genuine", as: Bool.self))

        let url = try await workshop.tapkit("url", "--json").succeeded().json()
        #expect(try url.text("product") == kind.product && url.text("state") == "sealed")
        #expect(url["address"] as? String == ready["address"] as? String)
        #expect(url["ident"] as? String == (kind.isSatscard ? nil : workshop.ident))
    }

    private static func proofs(of kind: Kind) -> Set<String> {
        let always: Set<String> = ["card_key", "certificate_chain"]
        switch kind.product {
        case "satscard":
            return always.union([
                "read_signature", "address", "derive_signature", "chain_code", "master_key",
                kind.version == "0.9.0" ? "unproven_slot" : "slot_key",
            ])
        case "tapsigner": return always.union(["account", "master_key", "path", "backup_count"])
        default: return always.union(["account", "master_key", "path"])
        }
    }

    /// Whatever a product has no notion of is said before the CVC is asked for, and before a file is written.
    @Test(arguments: [
        ("tapsigner", ["slots", "address", "unseal"]), ("satschip", ["slots", "address", "unseal", "backup"]),
        ("satscard", ["xpub", "backup", "sign", "derive", "change-cvc", "export"]),
    ])
    func whatACardCannotDoIsSaid(_ product: String, _ verbs: [String]) async throws {
        let workshop = try await Kind(product: product, version: "1.0.3").workshop()
        let psbt = try await Workshop()
        try await psbt.writePSBT()
        let operands = ["sign": [psbt.folder.path("tx.psbt")], "derive": ["m/84h"], "export": ["descriptors"]]
        for verb in verbs {
            let arguments = [verb] + (operands[verb] ?? []) + ["--yes"]
            let run = try await workshop.tapkit(
                arguments + ["--json"], environment: ["TAPKIT_CVC_FILE": nil])
            let error: [String: Any] = try run.expectFailure(65, "not_supported").field("error")
            #expect(try error.text("message").hasPrefix("A \(product.uppercased()) cannot "), "\(error)")
            #expect(
                try error.text("hint").contains(product == "satscard" ? "slots, unseal, sweep" : "sign, xpub"),
                "\(error)")
            let words = try await workshop.tapkit(arguments)
            #expect(words.status == 65 && words.text.isEmpty && words.errorText.contains("cannot"))
        }
        #expect(try workshop.files() == ["card.json", "cvc"])
    }

    /// A SATSCHIP has everything else that a TAPSIGNER has, and says that it has no backup.
    @Test func aSatschipSaysThatItHasNoBackup() async throws {
        let workshop = try await Kind(product: "satschip", version: "1.0.3").workshop(["--unlucky", "0"])
        try workshop.folder.write("314159265358", to: "new")
        let words = try await workshop.tapkit("setup", "--backup", "backup.aes", "--new-cvc-file", "new").succeeded()
        #expect(words.text.contains("Backup: none") && words.text.contains("CVC: changed"))
        #expect(words.errorText.contains("has no backup; backup.aes was not written"))
        #expect(try workshop.files() == ["card.json", "cvc", "new"])
        let changed: [String: String?] = ["TAPKIT_CVC_FILE": workshop.folder.path("new")]
        #expect(try await workshop.tapkit("status").succeeded().text.contains("Next: tapkit xpub"))
        let document = try await workshop.tapkit("setup", "--keep-cvc", "--json", environment: changed).succeeded()
            .json()
        document.expectKeys("product ident path xpub fingerprint descriptors cvc_changed")

        try await workshop.writePSBT(inputs: 2, on: .shared())
        let signed = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--json", environment: changed)
        try await signed.succeeded().json().expectComplete(inputs: 2)
        let derived = try await workshop.tapkit("derive", "m/48h", "--json", environment: changed).succeeded().json()
        #expect(try derived.text("path") == "m/48h")
        try await workshop.tapkit("export", "descriptors", environment: changed).succeeded()
        try await workshop.tapkit("change-cvc", "--new-cvc-file", "cvc", "--json", environment: changed).succeeded()
        try await workshop.tapkit("xpub").succeeded()
    }

    @Test func aSatscardTakesNoSignersOptions() async throws {
        let workshop = try await Kind(product: "satscard", version: "1.0.3").workshop()
        try workshop.folder.write("314159265358", to: "new")
        for options in [["--path", "m/84h"], ["--backup", "b"], ["--new-cvc-file", "new"]] {
            try await workshop.tapkit(["setup", "--json"] + options).expectFailure(65, "not_supported")
        }
        let address = try await workshop.tapkit("address", "--json")
        try address.expectFailure(65, "slot_unused")
    }
}

extension Workshop {
    /// The names of all files in the folder.
    func files() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path))
    }
}
