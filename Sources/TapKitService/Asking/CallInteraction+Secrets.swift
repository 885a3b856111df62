import AnswerDocuments
import Bitcoin
import ExplainedErrors
import TapManager
import TapProtocol

/// CVCs and backup keys from the client's user. They come in memory that is wiped, and never as texts.
extension CallInteraction {
    /// How often the client's user may give a new CVC or a backup key that is none.
    private static let mostSlips = 3

    func cvcByClient(for request: CVCRequest) async throws -> CVC {
        try CVC(try await secret("interaction.cvc", CVCRequestDocument(request), named: "CVC"))
    }

    func newCVCByClient(for card: CardAtHand, insteadOf present: CVC?) async throws -> CVC {
        try await untilGiven { refusal in
            let given = try await secret(
                "interaction.new_cvc", NewCVCRequestDocument(card, after: refusal), named: "new CVC")
            let cvc: CVC
            // Where the current one is printed does not help here.
            do throws(TapError) { cvc = try CVC(given) } catch { throw ClientRefusal(error.code, error.message) }
            guard present?.isEqual(to: cvc) != true else { throw FlowError.unchangedCVC }
            return cvc
        }
    }

    func backupKeyByClient(for purpose: BackupPurpose, after refusal: TapError?) async throws -> Backup.Key {
        try await untilGiven(refusal) { refusal in
            let given = try await secret(
                "interaction.backup_key", BackupKeyRequestDocument(purpose, after: refusal),
                named: "backup key")
            var line = given.withBytes { Array($0) }
            defer { line.wipe() }
            return try Backup.Key(typed: line)
        }
    }

    /// Asks, and again after something that cannot be used.
    private func untilGiven<Secret>(
        _ first: (any ExplainedError)? = nil, _ ask: ((any ExplainedError)?) async throws -> Secret
    ) async throws -> Secret {
        var refusal = first
        for _ in 1..<Self.mostSlips {
            do { return try await ask(refusal) } catch let error as any ExplainedError
                where [.badCVC, .badBackupKey].contains(error.code)
            { refusal = error }
        }
        return try await ask(refusal)
    }

    private func secret(
        _ method: String, _ document: some Encodable, named name: String
    ) async throws -> SecretBytes {
        let reply = try await call.client.questions.ask(method, call.naming(document), isSecret: true)
        guard let secret = reply.secret else { throw ClientRefusal(.cancelled, "Cancelled: no \(name) was entered.") }
        return secret
    }
}
