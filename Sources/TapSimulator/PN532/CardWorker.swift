import LocalSockets
import Threads

/// Runs a card on its own thread, so that the chip stays responsive and the card can be removed while it works.
final class CardWorker: Sendable {
    private struct Work {
        var questions: [(number: Int, apdu: [UInt8])] = []
        var answers: [(number: Int, bytes: [UInt8]?)] = []
        var asked = 0
        var isOver = false
    }

    private let work = Monitor(Work())

    /// Starts the thread; it ends after `end`, and after the response that it waits for.
    /// - Returns: `nil` if the system cannot create the thread.
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

    /// Gives the card a command, in place of one that it has not begun.
    /// - Returns: the number that the response will have.
    func ask(_ apdu: [UInt8]) -> Int {
        work.withLock { work in
            work.asked += 1
            work.questions = [(work.asked, apdu)]
            return work.asked
        }
    }

    /// Takes the response with this number, and drops earlier ones; `nil` while the card works.
    func takeAnswer(to number: Int) -> (bytes: [UInt8]?, Void)? {
        work.withLock { work in
            defer { work.answers.removeAll { $0.number <= number } }
            return work.answers.first { $0.number == number }.map { ($0.bytes, ()) }
        }
    }

    /// Accepts no more commands.
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
