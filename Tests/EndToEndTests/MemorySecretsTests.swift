import Bitcoin
import ByteCodec
import Foundation
import TapSimulator
import TestSupport
import Testing

/// After each verb no secret is left in the store's files, in a trace, in memory that the process gave back on the way, or in
/// its memory at the end, which a core dump would show. What the verb was asked to show is exempt: that is in its output. An
/// optimizing compiler leaves other things behind than others do: so it is the release build that is asked, where there is
/// one (`Subprocess.tapkit`).
@Suite(.fewAtATime) struct MemorySecretsTests {
    /// A verb on a card, and what it is allowed to keep.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var arguments: [String]
        var prepare: @Sendable () async throws -> Workshop = { try await Workshop() }
        /// Whether the verb shows the keys of a slot.
        var showsSlotKey = false
        var usesCard = true
        /// The files with what a pinentry answers, one after the other, when somebody is asked.
        var answers: [String]?

        static let all = [
            Case(
                testDescription: "setup",
                arguments: ["setup", "--backup", "backup.aes", "--new-cvc-file", "new"],
                prepare: { try await Workshop(isSetUp: false) }),
            Case(testDescription: "backup", arguments: ["backup", "-o", "copy.aes"]),
            Case(testDescription: "change-cvc", arguments: ["change-cvc", "--new-cvc-file", "new"]),
            Case(testDescription: "derive", arguments: ["derive", "m/49h/1h/0h"]),
            Case(testDescription: "xpub", arguments: ["xpub"]),
            Case(testDescription: "sign", arguments: ["sign", "tx.psbt", "--yes"]),
            Case(
                testDescription: "sign, asked by a pinentry", arguments: ["sign", "tx.psbt", "--yes"],
                answers: ["new", "cvc"]),
            Case(
                testDescription: "change-cvc, asked by a pinentry", arguments: ["change-cvc"],
                answers: ["cvc", "new", "new"]),
            Case(
                testDescription: "backup verify, asked by a pinentry", arguments: ["backup", "verify", "backup.aes"],
                usesCard: false, answers: ["key"]),
            Case(testDescription: "message sign", arguments: ["message", "sign", "hello"]),
            Case(
                testDescription: "backup verify", arguments: ["backup", "verify", "backup.aes", "--key-file", "key"],
                usesCard: false),
            Case(
                testDescription: "recover sign",
                arguments: ["recover", "sign", "tx.psbt", "--backup", "backup.aes", "--key-file", "key", "--yes"],
                usesCard: false),
            Case(
                testDescription: "setup of a slot", arguments: ["setup"],
                prepare: { try await .satscard("--used-slots", "2", "--blank") }),
            Case(
                testDescription: "unseal", arguments: ["unseal", "--yes"],
                prepare: { try await .satscard("--used-slots", "2") }, showsSlotKey: true),
        ]
    }

    @Test(arguments: Case.all) func nothingIsLeft(_ job: Case) async throws {
        let workshop = try await job.prepare()
        try workshop.folder.write(StoreJob.newCVC + "\n", to: "new")
        if workshop.backupKey != nil { try workshop.writeBackupKey() }
        if job.arguments.contains("tx.psbt") { try await workshop.writePSBT(inputs: 2) }
        let before = try SimulatedCardRecord(path: workshop.cardFile)
        let recording = try await ProcessFault.recording(into: workshop.folder)
        // The card is another process: its own memory is full of its secrets.
        let run = try await ServedCard.lay(workshop, on: .nfc) { card in
            let place = job.usesCard ? card.reader : Workshop.offline
            let arguments = job.arguments + ["--json", "--trace"]
            guard let answers = job.answers else {
                return try await workshop.tapkit(
                    arguments, environment: workshop.ownStore.merging(place) { $1 }.merging(recording) { $1 }
                ).succeeded()
            }
            return try await workshop.asked(
                arguments, answers: answers.map { "@" + workshop.folder.path($0) }, recording: recording,
                environment: workshop.ownStore.merging(place) { $1 }
            ).succeeded()
        }
        let image = try MemoryImage(in: workshop.folder)
        // What is certain to be there, or nothing would be found in any case.
        #expect(image.memory.contains(Array(job.arguments.joined(separator: "\0").utf8)))
        #expect(image.freed.contains(Array(job.arguments[0].utf8)))
        var sought = try secrets(of: workshop, before)
        if job.usesCard {
            let found = try image.sessionSecrets(cardKey: before.cardKey, trace: run.errorText)
            #expect(!found.session.isEmpty)
            sought += found.ephemeral.map { SoughtSecret("ephemeral key", bytes: $0) }
            sought += found.session.map { SoughtSecret("session key", bytes: $0) }
        }
        #expect(sought.count > (job.usesCard ? 3 : 2))
        var files = Data(run.errorText.utf8)
        if !job.showsSlotKey { files += run.output }
        // Verbs that need no store make none.
        let stored = try? FileManager.default.contentsOfDirectory(atPath: workshop.folder.path("data"))
        for name in stored ?? [] {
            files += try Data(contentsOf: workshop.folder.url.appendingPathComponent("data/\(name)"))
        }
        #expect(
            !files.isEmpty && (stored != nil || ["xpub", "message", "backup", "recover"].contains(job.arguments[0])))
        let kept = sought.filter { !(job.showsSlotKey && $0.name.hasPrefix("slot")) }
        #expect(kept.names(in: image.memory) == [], "\(job.testDescription): in memory")
        #expect(kept.names(in: image.freed) == [], "\(job.testDescription): given back")
        #expect(sought.names(in: files) == [], "\(job.testDescription): said or stored")
    }

    /// Every secret of a card: as it was before, and as it is now.
    private func secrets(of workshop: Workshop, _ before: SimulatedCardRecord) throws -> [SoughtSecret] {
        let now = try SimulatedCardRecord(path: workshop.cardFile)
        var secrets: [SoughtSecret] = []
        // Six digits stand somewhere in 50 MB by chance.
        for cvc in Set([before.cvc, now.cvc, StoreJob.newCVC]) where cvc.count > 6 {
            secrets.append(SoughtSecret("CVC", text: cvc))
        }
        if let key = workshop.backupKey {
            secrets.append(SoughtSecret("backup key", bytes: try Hex.decode(key)))
        }
        for record in [before, now] {
            if let text = try record.masterKey {
                let master = try ExtendedPrivateKey(parsing: text)
                secrets.append(SoughtSecret("master key", text: text))
                let paths = ["m", "m/84h", "m/84h/1h", "m/84h/1h/0h", "m/84h/1h/0h/0", "m/84h/1h/0h/0/0"]
                for path in paths + ["m/84h/1h/0h/0/1", "m/49h/1h/0h"] {
                    let key = try master.descendant(DerivationPath(parsing: path)).privateKey
                    secrets.append(SoughtSecret("key at \(path)", bytes: key.secret.withBytes { Array($0) }))
                }
            }
            for key in try (record.slotKeys ?? []).compactMap(\.self) {
                let secret = try PrivateKey(SecretBytes(try Hex.decode(key)))
                secrets.append(SoughtSecret("slot key", bytes: try Hex.decode(key)))
                for network in [KeyNetwork.main, .test] {
                    secrets.append(
                        SoughtSecret("slot key as text", text: WalletImportFormat(secret, network: network).text))
                }
            }
        }
        return secrets
    }
}
