import Bitcoin
import ByteCodec
import Foundation
import TapSimulator
import TestSupport
import Testing

/// A verb that writes to the store, and must come to the same end whatever happens to a write.
struct StoreJob: Sendable, CustomTestStringConvertible {
    static let newCVC = "907311548263"
    private static let inputCount = 3

    let testDescription: String
    let arguments: [String]
    /// A card, a store in the folder `data`, and the files that the verb needs.
    let prepare: @Sendable () async throws -> Workshop
    /// What is true when the verb has come to its end, after a run that left this.
    let check:
        @Sendable (_ answer: [String: Any], _ workshop: Workshop, _ left: StoreLook, Comment) async throws -> Void

    static let all = [setup, sign, importing]

    static let setup = Self(
        testDescription: "setup",
        arguments: ["setup", "--backup", "backup.aes", "--new-cvc-file", "new", "--json", "--progress"],
        prepare: {
            let workshop = try await Workshop(isSetUp: false)
            try workshop.folder.write(newCVC, to: "new")
            return workshop
        },
        check: { answer, workshop, _, comment in
            let card = try SimulatedCardRecord(path: workshop.cardFile)
            #expect(card.cvc == newCVC && card.authDelay == 0, comment)
            #expect(card.path?.description == "m/84h/1h/0h", comment)
            let master = try ExtendedPrivateKey(parsing: try #require(try card.masterKey, comment))
            #expect(try answer.text("fingerprint") == master.neutered.fingerprint.description, comment)
            let backup = String(decoding: try workshop.openBackup(), as: UTF8.self)
            #expect(backup == "\(master.text)\nm/84h/1h/0h\n", comment)
        })

    static let sign = Self(
        testDescription: "sign", arguments: ["sign", "tx.psbt", "--yes", "--json", "--progress"],
        prepare: {
            let workshop = try await Workshop()
            try await workshop.writePSBT(inputs: inputCount)
            return workshop
        },
        check: { answer, workshop, left, comment in
            try await answer.expectComplete(inputs: inputCount)
            // Nothing that was verified is asked for again. What the store refused may be in the file.
            #expect(try answer.field("signed", as: Int.self) <= inputCount - left.signatureCount, comment)
            #expect(try SimulatedCardRecord(path: workshop.cardFile).path?.description == "m/84h/1h/0h", comment)
        })

    /// The store has one half of the signatures, and the other half is imported.
    static let importing = Self(
        testDescription: "tx import", arguments: ["tx", "import", "second.psbt", "--json"],
        prepare: {
            let workshop = try await Workshop()
            let (psbt, wallet) = (try await workshop.writePSBT(inputs: 2), try await workshop.wallet())
            for (input, name) in ["first.psbt", "second.psbt"].enumerated() {
                var signed = psbt
                let key = try wallet.master.descendant(wallet.path(.p2wpkh, branch: 0, index: UInt32(input))).privateKey
                let digest = try psbt.spending(ofInput: input).digest(
                    .all, using: SighashCache(psbt.unsignedTransaction))
                signed.addPartialSignature(
                    PartialSignature(key.signGrindingLowR(digest: digest), by: key.publicKey), toInput: input)
                try Data(signed.serialized()).write(to: workshop.folder.url.appendingPathComponent(name))
            }
            try await workshop.tapkit(["tx", "import", "first.psbt"], environment: workshop.ownStore).succeeded()
            return workshop
        },
        check: { answer, _, _, comment in
            let (missing, isNew) = (try answer.field("missing", as: Int.self), try answer.field("new", as: Bool.self))
            #expect(missing == 0 && !isNew, comment)
        })
}

extension Workshop {
    /// The store is in the workshop's folder, and copied with it.
    var ownStore: [String: String?] { ["TAPKIT_DATA_DIR": folder.path("data")] }

    /// The text of the backup in `backup.aes`.
    func openBackup() throws -> [UInt8] {
        let key = SecretBytes(try Hex.decode(try #require(backupKey)))
        return try #require(AES128CTR.crypt(try bytes("backup.aes"), key: key))
    }
}
