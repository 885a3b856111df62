import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// A verb that must come to the same end whenever the card is taken away meanwhile.
struct CardJob: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The verb and its options.
    let arguments: [String]
    /// A new card, and the files that the verb needs.
    let prepare: @Sendable () async throws -> Workshop
    /// What came of it: looked up with the verb's answer, and on the card itself. Equal for equal cards.
    let result: @Sendable (_ answer: [String: Any], _ after: Workshop) async throws -> [String]

    private static let newCVC = "907311548263"

    private static func workshop(_ prepared: Workshop) throws -> Workshop {
        try prepared.folder.write(newCVC, to: "new")
        return prepared
    }

    /// The card's account, read with its new CVC.
    private static func accountWithNewCVC(_ workshop: Workshop) async throws -> [String: Any] {
        try await workshop.tapkit("xpub", "--json", "--cvc-file", "new").succeeded().json()
    }

    static let sign = Self(
        testDescription: "sign", arguments: ["sign", "tx.psbt", "--yes", "--json"],
        prepare: {
            let workshop = try await Workshop()
            try await workshop.writePSBT(inputs: 50)
            return workshop
        },
        result: { answer, workshop in
            #expect(try await workshop.cardPath() == "m/84h/1h/0h")
            return [try await answer.expectComplete(inputs: 50)]
        })

    /// The card draws another key each time that it gets power; what is the same is that the answer is about the key it
    /// has, with the chain code and path that were asked for, that the backup is this key's, and that the new CVC holds.
    static let setup = Self(
        testDescription: "setup",
        arguments: [
            "setup", "--chain-code", String(repeating: "5a", count: 32), "--backup", "backup.aes", "--new-cvc-file",
            "new", "--json",
        ],
        prepare: { try workshop(try await Workshop(isSetUp: false)) },
        result: { answer, workshop in
            let wallet = try await workshop.wallet()
            #expect(wallet.master.chainCode == ChainCode(repeating: 0x5A))
            #expect(try answer.text("fingerprint") == wallet.fingerprint.description)
            let (told, held) = (
                try ExtendedPublicKey(parsing: answer.text("xpub")), try wallet.extendedKey(wallet.accountPath(.p2wpkh))
            )
            #expect(told.publicKey == held.publicKey && told.chainCode == held.chainCode)
            #expect(try await accountWithNewCVC(workshop).text("xpub") == answer.text("xpub"))
            try await workshop.tapkit("backup", "-o", "again.aes", "--cvc-file", "new").succeeded()
            #expect(try workshop.bytes("again.aes") == workshop.bytes("backup.aes"))
            return [try answer.text("ident"), try answer.text("path"), try #require(try await workshop.cardPath())]
        })

    static let changeCVC = Self(
        testDescription: "change-cvc", arguments: ["change-cvc", "--new-cvc-file", "new", "--json"],
        prepare: { try workshop(try await Workshop()) },
        result: { answer, workshop in
            #expect(answer["changed"] as? Bool == true)
            try await workshop.tapkit("xpub", "--json").expectFailure(77, "wrong_cvc")
            return [try await accountWithNewCVC(workshop).text("xpub")]
        })

    static let derive = Self(
        testDescription: "derive", arguments: ["derive", "m/49h/1h/7h", "--json"],
        prepare: { try await Workshop() },
        result: { answer, workshop in
            let (wallet, path) = (try await workshop.wallet(), "m/49h/1h/7h")
            let key = try wallet.extendedKey(DerivationPath(parsing: path))
            #expect(try ExtendedPublicKey(parsing: answer.text("xpub")).publicKey == key.publicKey)
            return [try answer.text("path"), try #require(try await workshop.cardPath())]
        })

    static let backup = Self(
        testDescription: "backup", arguments: ["backup", "-o", "copy.aes", "--json"],
        prepare: { try await Workshop() },
        result: { _, workshop in
            #expect(try workshop.bytes("copy.aes") == workshop.bytes("backup.aes"))
            return [Hex.encode(try workshop.bytes("copy.aes"))]
        })

    static let unseal = Self(
        testDescription: "unseal", arguments: ["unseal", "--yes", "--json"],
        prepare: { try await .satscard("--used-slots", "2") },
        result: { answer, workshop in
            let shown = try await workshop.tapkit("sim", "show", "card.json", "--json").succeeded().json()
            let states = try shown.field("slots", as: [[String: Any]].self).map { try $0.text("state") }
            #expect(states.prefix(4) == ["unsealed", "unsealed", "unsealed", "unused"])
            return [try answer.text("wif"), try answer.text("address")]
        })
}
