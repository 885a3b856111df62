import FlowSupport
import SmartCard
import TapManager
import TapProtocol
import TapSimulator
import TestSupport

/// One cell of the tear matrix: what happens to a flow, where, and what people do then.
struct TearCell: Sendable, CustomStringConvertible {
    /// What happens, and what people do then.
    enum Recovery: String, CaseIterable, Sendable {
        /// The card is taken away, and laid back while the flow waits.
        case cardReturns
        /// The card is taken away; the command is run again.
        case runAgain
        /// The process is killed; the command is run again.
        case killed
        /// Another card is laid down in its place, then the right one, while the flow waits.
        case otherCard
        /// Another card is laid down; the command is run again with that one, then with the right one.
        case otherCardRunAgain
        /// The reader's service is restarted while the flow waits.
        case serviceReturns
        /// The reader's service is restarted; the command is run again.
        case serviceRunAgain

        /// With the newest version everything; with older ones, whose answers differ, what differs by them.
        static func of(_ version: TapSimulator.AppletVersion) -> [Recovery] {
            version == .newest ? allCases : [.cardReturns, .killed]
        }

        var isPatient: Bool {
            switch self {
            case .cardReturns, .otherCard, .serviceReturns: true
            case .runAgain, .killed, .otherCardRunAgain, .serviceRunAgain: false
            }
        }
    }

    /// Where the flow is torn.
    enum Place: Sendable {
        case exchange(Int, SinglePull.Moment)
        case write(Int, MortalStore.Death)
    }

    let flow: String
    let place: Place
    let recovery: Recovery

    var description: String { "\(flow), \(place), \(recovery)" }

    /// The cells of a flow of so many exchanges and writes: at each of them two of what people do then, or all of it.
    static func all(_ flow: String, exchanges: Int, writes: Int, recoveries: [Recovery]) -> [TearCell] {
        var share = MatrixShare(oneOf: 1, of: flow)
        var cells: [TearCell] = []
        for number in 0..<exchanges {
            for moment in SinglePull.Moment.allCases {
                cells += share.ofNext(recoveries, count: 2).map {
                    TearCell(flow: flow, place: .exchange(number + 1, moment), recovery: $0)
                }
            }
        }
        guard recoveries.contains(.killed) else { return cells }
        for number in 0..<writes {
            cells += MortalStore.Death.allCases.map {
                TearCell(flow: flow, place: .write(number + 1, $0), recovery: .killed)
            }
        }
        return cells
    }

    /// Prepares the bench for what is to happen.
    func arrange(_ bench: FlowBench, other: FlowBench) {
        switch place {
        case .write(let number, let death): bench.mortal.die(death, atWrite: number)
        case .exchange(let number, let moment):
            bench.watch.disturbance = SingleStrike(atExchange: number, moment) { strike(bench, other) }
        }
    }

    /// What happens at the exchange.
    /// - Returns: what the reader says.
    private func strike(_ bench: FlowBench, _ other: FlowBench) -> ReaderError {
        switch recovery {
        case .cardReturns: bench.reader.pull(.whenAwaited)
        case .runAgain: bench.reader.pull()
        case .killed: bench.mortal.die()
        case .otherCard, .otherCardRunAgain: bench.reader.insert(other.simulated)
        case .serviceReturns:
            bench.reader.pull(.whenAwaited)
            bench.unsteady.refuse(connections: 2)
            return ReaderError(.readerGone, "The service ended.")
        case .serviceRunAgain:
            bench.reader.pull()
            return ReaderError(.noService, "The service ended.")
        }
        return ReaderError(.cardRemoved, "The card was taken away.")
    }

    /// Whether an impatient flow may end so.
    func explains(_ error: FlowError) -> Bool {
        if recovery == .killed { return true }
        let lost = error.lostReader
        return recovery == .serviceRunAgain
            ? lost?.isReaderLost == true || lost?.isCardLost == true : lost?.isCardLost == true || error.isOtherCard
    }
}

/// Does something once, at the exchange with a given number, and breaks it off there.
struct SingleStrike: CardInterceptor {
    private let number: Int
    private let moment: SinglePull.Moment
    private let strike: @Sendable () -> ReaderError

    init(atExchange number: Int, _ moment: SinglePull.Moment, _ strike: @escaping @Sendable () -> ReaderError) {
        (self.number, self.moment, self.strike) = (number, moment, strike)
    }

    func command(_ exchange: CardExchange) -> CommandInterception {
        exchange.number == number && moment == .beforeCommand ? .fail(strike()) : .pass
    }

    func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
        guard exchange.number == number, moment != .beforeCommand else { return .pass }
        let error = strike()
        return moment == .inAnswer ? .replace(Array(answer.prefix(answer.count / 2))) : .fail(error)
    }
}

extension FlowError {
    /// How the card was lost.
    var lostReader: ReaderError? {
        switch self {
        case .card(.reader(let error)): error
        case .cvcInDoubt(let cause): cause.lostReader
        default: nil
        }
    }

    /// Whether the error says that the card was taken away.
    var isCardLost: Bool { lostReader?.isCardLost == true }

    /// Whether the error says that another card lies there.
    var isOtherCard: Bool {
        switch self {
        case .card(.anotherCard): true
        case .cvcInDoubt(let cause): cause.isOtherCard
        default: false
        }
    }
}
