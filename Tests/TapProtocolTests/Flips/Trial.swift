import Bitcoin
import Testing

@testable import TapProtocol
@testable import TapSimulator

/// A step on a card and the tape of its honest run, to be played again with altered answers.
final class Trial {
    /// What a step gave, and what the session believes since.
    struct Outcome: Equatable {
        let text: String
        let status: CardStatus
        let certifiedRoot: PublicKey?
        let knownKeys: KnownKeys
    }

    /// What came of an altered answer.
    enum Verdict {
        /// The same verified result as the honest run's; the next command then failed or gave the honest result.
        case unchanged
        /// Another result.
        case changed(Outcome)
        /// An error, by its stable code, and the proof's name when one failed.
        case failed(String)
    }

    let card: MatrixCard
    let step: MatrixStep
    let honest: Outcome
    /// The step's exchanges; that of the next command is none of them.
    let exchanges: [Tape.Exchange]
    private let honestNext: String
    private let channel: TapeChannel
    private let connection: CardConnection
    /// The session, and what it knew before the step; `nil` when the step begins with SELECT.
    private let session: TapSession?
    private let memory: SessionMemory?

    /// What our side draws, the same each time.
    private let random: ScriptedRandom

    /// Plays the step honestly.
    init(_ step: MatrixStep, on card: MatrixCard, random: ScriptedRandom = ScriptedRandom()) throws {
        self.step = step
        self.random = random
        self.card = card
        channel = TapeChannel(card: card.core)
        connection = CardConnection(reader: TapeReader(channel: channel), trace: nil)
        _ = try connection.begin()
        var session: TapSession?
        if !step.selects {
            let open = try TapSession(connection: connection, random: random, trace: nil)
            try step.prepare(open, card)
            channel.recordAnew()
            session = open
        }
        memory = session.map(SessionMemory.init)
        self.session = session
        let played = try session ?? TapSession(connection: connection, random: random, trace: nil)
        honest = Outcome(text: try step.run(played, card), of: played)
        exchanges = channel.tape.exchanges
        wrongCVCsBefore = channel.cardAfterwards.state.wrongAttempts
        do { honestNext = try step.follow(played, card) } catch let error as TapError {
            honestNext = error.code.rawValue
        }
    }

    /// A trial of a step on a card, or on one like it whose luck is as the step says.
    static func of(_ step: MatrixStep, on card: MatrixCard) throws -> Trial {
        guard step.isUnlucky else { return try Trial(step, on: card) }
        for seed in 1...UInt8(64) {
            let other = try MatrixCard(card.model, card.scene, seed: seed, unluckyPercent: 50)
            if let trial = try? Trial(step, on: other), trial.exchanges.filter({ $0.name == "sign" }).count == 2 {
                return trial
            }
        }
        throw MatrixStep.Refused()
    }

    /// The exchanges whose answers are altered: of a step that begins with SELECT, that one.
    var targets: Range<Int> { step.selects ? 0..<1 : exchanges.indices }

    /// The fields of an answer that nothing proves.
    func fieldsWithoutProof(_ target: Int) -> [FieldWithoutProof] {
        FieldWithoutProof.list(for: exchanges[target].name, in: step.name, on: card.model.habits).fields
    }

    /// Plays the step with another answer to one exchange.
    func play(_ target: Int, _ answer: [UInt8]) -> Verdict {
        channel.play(answering: target, with: answer)
        do {
            // The last play may have given the line up.
            _ = try connection.begin()
            let session = try openSession()
            let outcome = Outcome(text: try step.run(session, card), of: session)
            guard outcome == honest else { return .changed(outcome) }
            do {
                let next = try step.follow(session, card)
                #expect(next == honestNext, "\(description), exchange \(target): a false result of the next command")
            } catch is TapError {}
            return .unchanged
        } catch let error as TapError {
            if case .badProof(let proof, _) = error { return .failed("bad_proof (\(proof.rawValue))") }
            return .failed(error.code.rawValue)
        } catch is MatrixStep.Refused {
            return .failed("unknown root")
        } catch {
            Issue.record(error, "\(description), exchange \(target): an error of no type")
            return .failed("untyped")
        }
    }

    /// Whether the last play went otherwise than the honest run.
    var hasLeftTape: Bool { channel.hasLeftTape }

    /// How many wrong CVCs the card counts after the honest run.
    let wrongCVCsBefore: Int

    /// How many wrong CVCs the card counts after the last play.
    var wrongCVCs: Int { channel.cardAfterwards.state.wrongAttempts }

    /// What another card answers to the same commands.
    func answers(of other: CardCore) -> [[UInt8]] {
        var other = other
        if !step.selects { _ = other.answer(toAPDU: CardCore.selection) }
        return exchanges.map { other.answer(toAPDU: $0.command) }
    }

    var description: String { "\(card.model.testDescription), \(card.scene), \(step.name)" }

    private func openSession() throws -> TapSession {
        guard let session, let memory else {
            return try TapSession(connection: connection, random: random, trace: nil)
        }
        memory.restore(session)
        return session
    }
}

extension Trial.Outcome {
    init(text: String, of session: TapSession) {
        self.init(
            text: text, status: session.status, certifiedRoot: session.certifiedRoot, knownKeys: session.knownKeys)
    }
}

/// What a session knows at one time, to be known again.
struct SessionMemory {
    private let status: CardStatus
    private let knownKeys: KnownKeys
    private let certifiedRoot: PublicKey?
    private let nonce: TapSession.NonceState
    private let random: any RandomNumberGenerator
    private let wrongCVCs: Int
    private let trials: CVCTrials

    init(_ session: TapSession) {
        status = session.status
        knownKeys = session.knownKeys
        certifiedRoot = session.certifiedRoot
        nonce = session.nonce
        random = session.random
        wrongCVCs = session.wrongCVCs
        trials = session.trials
    }

    func restore(_ session: TapSession) {
        session.status = status
        session.knownKeys = knownKeys
        session.certifiedRoot = certifiedRoot
        session.nonce = nonce
        session.random = random
        session.wrongCVCs = wrongCVCs
        session.trials = trials
    }
}
