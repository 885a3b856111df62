import Bitcoin
import ByteCodec
import FlowSupport
import TapManager
import TapProtocol
import TestSupport
import Testing

/// A flow as a program runs it, and what the person gets of it, as text: the same on every card with the same content.
///
/// Signatures differ from one time to the next; what is told of them is that they verify.
struct HabitFlow: Sendable {
    let name: String
    let run: @Sendable (FlowBench) async throws -> String

    static let cvc = FlowBench.cvc

    /// Flows of every TAPSIGNER and SATSCHIP that has a key.
    static let signers = [verify, verifyWithCVC, link, account, derive, visit, signPSBT, signMessage]

    /// Flows of every SATSCARD.
    static let satscards = [verify, verifyWithCVC, link, slots, slotsWithCVC, slotsWithKeys]

    static let verify = HabitFlow(name: "verify") { try text(await verified($0, cvc: nil)) }
    static let verifyWithCVC = HabitFlow(name: "verify with CVC") { try text(await verified($0, cvc: cvc)) }

    private static func verified(_ bench: FlowBench, cvc: String?) async throws -> CardVerification {
        try await bench.command { try await VerifyFlow(driver: $1, cvc: cvc.map { try CVC($0) }).run() }
    }

    /// A card that keeps its count of backups to itself proves no less.
    private static func text(_ report: CardVerification) -> String {
        report.proofs.filter { $0.name != .backupCount }.map { "\($0.name) \($0.holds)" }.joined(separator: ", ")
            + " \(report.verdict?.rootName ?? "no root")"
    }

    static let link = HabitFlow(name: "link") { bench in
        let card = TapCard(reader: bench.reader, trace: bench.trace)
        let link = try await card.perform { try $0.tapLink() }
        await card.disconnect()
        return "\(link.proven?.publicKey.description ?? link.url) \(link.proven?.state.rawValue ?? "")"
    }

    // MARK: TAPSIGNER and SATSCHIP

    static let setup = HabitFlow(name: "setup") { bench in
        let goal = SetupFlow.Goal(
            path: try DerivationPath(parsing: "m/48h/1h/0h/2h"), chainCode: ChainCode(repeating: 5),
            isChainCodeNamed: true, newCVC: try CVC("654321"))
        let result = try await bench.run { driver in
            try await SetupFlow(driver: driver, cvc: CVC(cvc), goal: goal).run { _ in }
        }
        let wallet = try bench.wallet()
        let own = try wallet.master.descendant(result.account.path).neutered
        #expect(result.account.key.publicKey == own.publicKey && result.account.key.chainCode == own.chainCode)
        #expect(result.account.masterFingerprint == wallet.fingerprint)
        if let backup = result.backup {
            let key = try Backup.Key(hex: try #require(bench.record.aesKey))
            #expect(try Backup(decrypting: backup.ciphertext, key: key).masterKey.text == wallet.master.text)
        }
        return
            "\(result.product) \(result.account.path) \(result.isKeyNew) \(result.backup != nil) \(bench.record.cvc) "
            + "\(result.account.key.chainCode == own.chainCode) \(wallet.master.chainCode)"
    }

    static let account = HabitFlow(name: "account") { bench in
        text(try await bench.run { try await AccountFlow(driver: $0, cvc: CVC(cvc)).keys().account })
    }

    static let derive = HabitFlow(name: "derive") { bench in
        let path = try DerivationPath(parsing: "m/49h/1h/7h")
        return text(try await bench.run { try await AccountFlow(driver: $0, cvc: CVC(cvc)).derive(path) })
            + " \(bench.record.path?.description ?? "")"
    }

    static let visit = HabitFlow(name: "visit of paths") { bench in
        let paths = try ["m/44h/1h/0h", "m/86h/1h/0h", "m"].map { try DerivationPath(parsing: $0) }
        let keys = try await bench.run { try await PathVisitFlow(driver: $0, cvc: CVC(cvc)).keys(at: paths) }
        return paths.map { keys.accounts[$0]?.text ?? "none" }.joined(separator: " ")
            + " \(keys.masterFingerprint) \(bench.record.path?.description ?? "")"
    }

    static let signPSBT = HabitFlow(name: "sign a PSBT") { bench in
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, .p2pkh, .p2shP2WPKH]
        let psbt = try bench.wallet().psbt(recipe)
        try await bench.run { try await bench.signToTheEnd(psbt, $0) }
        try await bench.expectComplete(psbt, "sign a PSBT")
        return "\(try bench.storedSignatureCount(of: psbt)) signatures, \(bench.record.path?.description ?? "")"
    }

    static let signMessage = HabitFlow(name: "sign a message") { bench in
        try await signed(bench, by: .path(try DerivationPath(parsing: "0/3"), nil))
    }

    static let backup = HabitFlow(name: "backup") { bench in
        let backup = try await bench.backup()
        return "\(backup.masterKey.text) \(backup.path) \(try await bench.check(backup))"
    }

    static let changeCVC = HabitFlow(name: "change the CVC") { bench in
        try await bench.run { try await ChangeCVCFlow(driver: $0, from: CVC(cvc), to: CVC("87654321")).change() }
        return bench.record.cvc
    }

    private static func text(_ account: Account) -> String {
        "\(account.masterFingerprint) \(account.path) \(account.key.text)"
    }

    static func signed(_ bench: FlowBench, by signer: MessageSigner) async throws -> String {
        let message = Array("Taps are signatures.".utf8)
        let result = try await bench.run {
            try await MessageFlow(driver: $0, cvc: CVC(cvc), network: .test).sign(message, by: signer, format: .bip137)
        }
        return "\(result.address) \(result.signature.format)"
    }
}
