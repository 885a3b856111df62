import Bitcoin
import Foundation
import TapManager
import TestSupport
import Testing

extension PageTests {
    /// What only a descriptor or a file says is not called proven, and nothing that must be accepted is folded away.
    @Test func whatIsClaimedIsNotProven() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        // A stranger's wallet, and a transaction of his that pays himself.
        let thief = try SampleWallet(seed: 9)
        let account = try thief.accountPath(.p2wpkh)
        let descriptor = "wpkh([\(thief.fingerprint)/84h/1h/0h]\(try thief.extendedKey(account).text)/<0;1>/*)"
        let own = try DerivationPath(parsing: "m/84h/1h/0h/1/0")
        try write(try thief.psbt(), paying: [(99_000, .p2wpkh(thief.publicKey(own)))], to: "thief.psbt", in: workshop) {
            $0[output: 0].addDerivation(try thief.derivation(own))
        }
        try await workshop.tapkit("wallet", "add", "thief", descriptor).succeeded()
        let stored = try await workshop.tapkit("tx", "import", "thief.psbt", "--json").succeeded().json().text("id")
        try Data(SampleWallet(seed: 8).psbt().encoded(as: .binary))
            .write(to: workshop.folder.url.appendingPathComponent("claimed.psbt"))
        // Scripts that tapkit does not know, the largest last.
        let unknown = (1...7).map { (Int64($0) * 1_000, Script([0x50 + UInt8($0), 0x87])) }
        let rest = (Int64(71_000), Script.p2wpkh(try thief.publicKey(own)))
        try write(try workshop.psbt("tx.psbt"), paying: unknown + [rest], to: "losses.psbt", in: workshop)
        // More outputs than are listed at once, most of them claimed change, of which some is larger than the payments.
        let owner = try SampleWallet(seed: 8)
        let paths = try (0..<20).map { try DerivationPath(parsing: "m/84h/1h/0h/1/\($0)") }
        let claimed = try paths.enumerated().map { (Int64(4_000 - $0), Script.p2wpkh(try owner.publicKey($1))) }
        let paid = (1...2).map { (Int64($0) * 1_000, Script([0x00, 0x14] + [UInt8](repeating: UInt8($0), count: 20))) }
        try write(try owner.psbt(), paying: claimed + paid, to: "many.psbt", in: workshop) {
            for (index, path) in paths.enumerated() { $0[output: index].addDerivation(try owner.derivation(path)) }
        }
        let addresses = (claimed + paid).compactMap { Address(scriptPubKey: $1, network: .test)?.description }
        try await PageStory.play(
            "claims", in: workshop, environment: workshop.pinentryWindow(Workshop.printedCVC),
            given: [
                "stored": stored, "proven": workshop.folder.path("tx.psbt"),
                "claimed": workshop.folder.path("claimed.psbt"), "losses": workshop.folder.path("losses.psbt"),
                "many": workshop.folder.path("many.psbt"), "addresses": addresses.joined(separator: " "),
            ])
        // The page was asked, and nobody said yes.
        #expect(!workshop.pinentryLog.contains("GETPIN"))
    }

    /// Writes a PSBT with the inputs of another.
    private func write(
        _ given: PSBT, paying outputs: [(Int64, Script)], to name: String, in workshop: Workshop,
        changing change: (inout PSBT) throws -> Void = { _ in }
    ) throws {
        var transaction = given.unsignedTransaction
        transaction.outputs = outputs.map { TransactionOutput(value: $0, scriptPubKey: $1) }
        var psbt = try PSBT(unsignedTransaction: transaction)
        for index in given.inputs.indices { psbt[input: index] = given.inputs[index] }
        try change(&psbt)
        try Data(psbt.encoded(as: .binary)).write(to: workshop.folder.url.appendingPathComponent(name))
    }
}
