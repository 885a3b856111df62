import Threads

/// Asks a card on a thread of its own, so that the chip can be spoken to, and the card taken away, while it works.
final class CardWorker: Sendable {
    private struct Work {
        var questions: [(number: Int, apdu: [UInt8])] = []
        var answers: [(number: Int, bytes: [UInt8]?)] = []
        var asked = 0
        var isOver = false
    }

    private let work = Monitor(Work())

    /// Starts the thread; it ends after `end`, and after the answer that it waits for.
    /// - Returns: `nil` when the system has no threads left.
    init?(target: any PN532Target, wakeUp: WakeUp) {
        let hasStarted = DetachedThread.run { [work] in
            while let question = Self.next(work) {
                let answer = target.answer(apdu: question.apdu)
                work.withLock { $0.answers.append((question.number, answer)) }
                wakeUp.call()
            }
        }
        guard hasStarted else { return nil }
    }

    deinit { end() }

    /// Asks the card, after what it was asked before.
    /// - Returns: the number that the answer will have.
    func ask(_ apdu: [UInt8]) -> Int {
        work.withLock { work in
            work.asked += 1
            work.questions.append((work.asked, apdu))
            return work.asked
        }
    }

    /// Takes the answer to a question, and forgets the answers to earlier ones; `nil` while the card works.
    func takeAnswer(to number: Int) -> (bytes: [UInt8]?, Void)? {
        work.withLock { work in
            defer { work.answers.removeAll { $0.number <= number } }
            return work.answers.first { $0.number == number }.map { ($0.bytes, ()) }
        }
    }

    /// Asks nothing more.
    func end() {
        work.withLock { work in
            work.isOver = true
            work.questions = []
        }
    }

    private static func next(_ work: Monitor<Work>) -> (number: Int, apdu: [UInt8])? {
        let next = work.wait(timeout: nil) { work -> (number: Int, apdu: [UInt8])?? in
            if work.isOver { return .some(nil) }
            return work.questions.isEmpty ? nil : .some(work.questions.removeFirst())
        }
        return next ?? nil
    }
}
