import FlowSupport
import Synchronization
import TapKitService
import TapManager
import TapProtocol

/// A person at the machine who answers by a script, and whose every word is kept.
final class ScriptedDesk: ServiceDesk {
    private let log = Mutex<[String]>([])
    private let cvc: String?
    private let newDigits: String?
    private let backupKeyDigits: String?
    private let decide: @Sendable (String) async throws -> Void

    /// - Parameters:
    ///   - cvc: what is typed; `nil`: nothing.
    ///   - newCVC: what is typed for a new one; `nil`: nothing.
    ///   - backupKey: what is typed for a backup's key; `nil`: nothing.
    ///   - decide: called with each entry of the log; throws for a no.
    init(
        cvc: String? = FlowBench.cvc, newCVC: String? = nil, backupKey: String? = nil,
        decide: @escaping @Sendable (String) async throws -> Void = { _ in }
    ) {
        (self.cvc, self.decide) = (cvc, decide)
        (newDigits, backupKeyDigits) = (newCVC, backupKey)
    }

    /// What was asked so far: `sign`, `cvc`, `newCVC`, `lease`, ….
    var asked: [String] { log.withLock { $0 } }

    func confirm(_ question: Question, for program: String) async throws {
        if case .sign(let asked) = question, asked.occasion != .first { return try await take("sign further") }
        try await take(String("\(question)".prefix { $0.isLetter }))
    }

    func cvc(for request: CVCRequest, for program: String) async throws -> CVC {
        try await take("cvc")
        guard let cvc, request.refusal == nil else { throw Declined() }
        return try CVC(cvc)
    }

    func cvc(for request: CVCRequest, of offer: LeaseOffer) async throws -> CVC {
        try await cvc(for: request, for: offer.program)
    }

    func newCVC(for card: CardAtHand, insteadOf present: CVC?, for program: String) async throws -> CVC {
        try await take("newCVC")
        guard let newDigits else { throw Declined() }
        return try CVC(newDigits)
    }

    func backupKey(
        for purpose: BackupPurpose, after refusal: TapError?, for program: String
    ) async throws -> Backup.Key {
        try await take("backupKey")
        guard let backupKeyDigits, refusal == nil else { throw Declined() }
        return try Backup.Key(hex: backupKeyDigits)
    }

    func grant(_ offer: LeaseOffer) async throws { try await take("lease") }

    private func take(_ word: String) async throws {
        log.withLock { $0.append(word) }
        try await decide(word)
    }
}
