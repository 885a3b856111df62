import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// Files that would spoil what is stored or signed, beyond the coins: signatures, fields and backups of others.
@Suite struct ImportedLieTests {
    private static let order =
        try? Hex.decode("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")

    /// The signature with the other S, which verifies as well without rules that forbid it.
    private func withHighS(_ signature: [UInt8]) throws -> [UInt8] {
        let compact = try #require(ECDSASignature(der: signature.dropLast())).compact
        var (s, borrow) = ([UInt8](repeating: 0, count: 32), 0)
        let order = try #require(Self.order)
        for index in (0..<32).reversed() {
            let difference = Int(order[index]) - Int(compact[32 + index]) - borrow
            borrow = difference < 0 ? 1 : 0
            s[index] = UInt8(truncatingIfNeeded: difference)
        }
        let high = try #require(ECDSASignature(compact: Array(compact.prefix(32)) + s))
        #expect(!high.hasLowS)
        return high.der + signature.suffix(1)
    }

    /// What a card signed is not replaced by anything that others bring for its key.
    @Test func aStoredSignatureIsNotReplaced() async throws {
        let workshop = try await Workshop()
        let psbt = try await workshop.writePSBT(inputs: 2)
        let id = psbt.unsignedTransaction.id.description
        try await workshop.tapkit("sign", "tx.psbt", "-o", "signed", "--no-finalize", "--yes").succeeded()
        let kept = try await workshop.tapkit("tx", "export", id).succeeded().text
        let signed = try workshop.psbt("signed")
        let right = try #require(signed.inputs[0].partialSignatures.first)
        let (key, signature) = (right.publicKey, right.signature)
        let other = try #require(signed.inputs[1].partialSignatures.first?.signature)
        let forgeries: [[UInt8]] = [
            try withHighS(signature), other, signature.dropLast() + [0x81], signature.dropLast() + [0x02],
            Array(signature.dropLast(9)) + [1], [0x30, 0, 1],
        ]
        for (number, forgery) in forgeries.enumerated() {
            for isStripped in [false, true] {
                var file = psbt
                if isStripped { file = try PSBT(unsignedTransaction: psbt.unsignedTransaction) }
                file.addPartialSignature(PartialSignature(publicKey: key, signature: forgery), toInput: 0)
                try Data(file.serialized()).write(to: workshop.folder.url.appendingPathComponent("lie"))
                let run = try await workshop.tapkit("tx", "import", "lie", "--json")
                #expect([.exited(0), .exited(65)].contains(run.ending), "\(number) \(run.text)")
                #expect(isStripped || run.ending == .exited(65), "\(number) \(run.text)")
                #expect(try await workshop.tapkit("tx", "export", id).succeeded().text == kept, "\(number)")
            }
        }
        try await workshop.tapkit("sign", "tx.psbt", "-o", "whole", "--yes", "--json").succeeded().json()
            .expectComplete(inputs: 2)
    }

    /// Fields of which there is one are not changed by a second file, and what is added is looked at when it is signed.
    @Test func fieldsThatConflictAreRefused() async throws {
        let workshop = try await Workshop()
        let psbt = try await workshop.writePSBT(inputs: 1)
        let id = psbt.unsignedTransaction.id.description
        try await workshop.tapkit("tx", "import", "tx.psbt").succeeded()
        let kept = try await workshop.tapkit("tx", "export", id).succeeded().text
        let change = try #require(psbt.outputs.firstIndex { !$0.derivations.isEmpty })
        let own = try #require(psbt.outputs[change].derivations.first)
        func lie(_ alter: (inout PSBT) throws -> Void) async throws -> Subprocess {
            var file = psbt
            try alter(&file)
            try Data(file.serialized()).write(to: workshop.folder.url.appendingPathComponent("lie"))
            return try await workshop.tapkit("tx", "import", "lie", "--json")
        }
        let elsewhere = KeyDerivation(
            publicKey: own.publicKey, fingerprint: own.fingerprint, path: try DerivationPath(parsing: "m/84h/1h/0h/7/7")
        )
        for run in [
            try await lie { $0[output: change].addDerivation(elsewhere) },
            try await lie { $0[input: 0].sighashType = SighashType.none },
        ] {
            #expect(run.ending == .exited(65), "\(run.text)")
            #expect(try await workshop.tapkit("tx", "export", id).succeeded().text == kept)
        }
        // The payment dressed up as change: nothing contradicts it before somebody with the key looks.
        let added = try await lie { $0[output: 1 - change].addDerivation(own) }
        try added.succeeded()
        try await workshop.tapkit("tx", "sign", id, "--yes", "--json").expectFailure(65, "refused")
        // The file that the person has says nothing of it, and is signed.
        try await workshop.tapkit("sign", "tx.psbt", "-o", "out", "--yes", "--json").succeeded()
    }

    /// The backup of another card signs nothing, though the file names its fingerprint.
    @Test func aForeignBackupSignsNothing() async throws {
        let (workshop, other) = (try await Workshop(), try await Workshop())
        try other.writeBackupKey()
        let honest = try await workshop.writePSBT()
        let backup = [
            "--backup", other.folder.path("backup.aes"), "--key-file", other.folder.path("key"), "--yes", "--json",
            "-o",
            "out",
        ]
        try await workshop.tapkit(["recover", "sign", "tx.psbt"] + backup).expectFailure(65, "nothing_to_sign")
        let fingerprint = try await other.wallet().fingerprint
        var posing = try PSBT(unsignedTransaction: honest.unsignedTransaction)
        posing.setInputs(honest.inputs)
        for index in posing.inputs.indices {
            for derivation in honest.inputs[index].derivations {
                posing[input: index].addDerivation(
                    KeyDerivation(publicKey: derivation.publicKey, fingerprint: fingerprint, path: derivation.path))
            }
        }
        try Data(posing.serialized()).write(to: workshop.folder.url.appendingPathComponent("posing"))
        let failure = try await workshop.tapkit(["recover", "sign", "posing"] + backup)
        let error: [String: Any] = try failure.expectFailure(65, "refused").field("error")
        #expect(
            try error.field("findings", as: [[String: Any]].self).contains {
                $0["code"] as? String == "derivation_mismatch"
            })
        #expect(!FileManager.default.fileExists(atPath: workshop.folder.path("out")))
    }

    /// A journal that somebody edited does not move the card to where nobody would look for it; whoever chose that path says
    /// so, and so does whoever did not.
    @Test(arguments: [
        ("derive", #"{"from":"PATH","to":"FAR"}"#), ("sign", #"{"ownPath":"FAR","total":9,"transaction":"HASH"}"#),
    ])
    func anEditedJournalIsNoRansom(_ kind: String, _ state: String) async throws {
        let workshop = try await Workshop()
        let path = try #require(try await workshop.cardPath())
        try await edit(
            workshop, kind,
            state.replacing("PATH", with: path)
                .replacing("FAR", with: "m/84h/1h/0h/1838475839h/2038475831h/938475839h/138475839h/1000000007h"))
        for arguments in [["xpub"], ["wallet", "add", "savings"], ["message", "sign", "hello"], ["verify"]] {
            let run = try await workshop.tapkit(arguments + ["--yes", "--json"])
            try run.expectFailure(65, "bad_path")
            #expect(try await workshop.cardPath() == path)
        }
        try await workshop.tapkit("derive", path).succeeded()
        #expect(try await workshop.tapkit("xpub", "--json").succeeded().json().text("path") == path)
    }

    /// A journal that somebody edited moves the card to no place that it cannot come back from, and signs nothing.
    @Test(arguments: [
        ("derive", #"{"from":"m","to":"m/84h/1h/0h/5"}"#),
        ("sign", #"{"ownPath":"m/0","total":9,"transaction":"HASH"}"#),
        ("setup", #"{"isCVCChanged":true,"keepsCVC":true,"path":"m/7/7","step":"settingPath"}"#),
        ("change-cvc", #"{"lastTried":"new"}"#), ("derive", "{"), ("sign", "[]"), ("pizza", "{}"),
    ])
    func anEditedJournalIsNoTrap(_ kind: String, _ state: String) async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let path = try await workshop.cardPath()
        try await edit(workshop, kind, state)
        let xpub = try await workshop.tapkit("xpub", "--json").succeeded().json()
        #expect(try xpub.text("path") == path)
        try await workshop.tapkit("sign", "tx.psbt", "-o", "out", "--yes", "--json").succeeded()
        #expect(try await workshop.cardPath() == path)
    }

    /// Writes unfinished work into the store.
    private func edit(_ workshop: Workshop, _ kind: String, _ state: String) async throws {
        try await Subprocess.run(
            "/usr/bin/python3",
            [
                "-c",
                """
                import sqlite3, sys
                d = sqlite3.connect(sys.argv[1])
                d.execute("INSERT INTO flow (card, kind, state, created, updated) VALUES (?, ?, ?, 1, 1)", sys.argv[2:])
                d.commit()
                """, workshop.storeFolder.path("data/store.sqlite"), workshop.ident, kind,
                state.replacing("HASH", with: String(repeating: "ab", count: 32)),
            ]
        ).succeeded()
    }
}
