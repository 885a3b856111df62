import ByteCodec
import TapSimulator

@testable import TapProtocol

/// Before and after each call of the client.
extension SequenceRunner {
    /// Works out what the call must come to, and sets the line up for it.
    func begin(_ call: (ClientCall, Disturbance?)) {
        var disturbance = call.1
        // To a client that has seen no card yet, or waits for the other one, it would be the right one.
        if bound != onReader, disturbance?.kind == .swapUnnoticed { disturbance = nil }
        wire.begin(disturbance, otherCard: places[1 - onReader].simulated)
        let choice = call.0.cvc
        digits = digits(choice == .none && !call.0.mayLackCVC ? .right : choice)
        expectation = expectation(of: call.0)
    }

    /// The digits that a choice stands for, on the card at hand.
    func digits(_ choice: CVCChoice) -> String? {
        let right = place.card.cvc
        switch choice {
        case .right, .stale: return right
        case .wrong: return right.dropLast() + (right.hasSuffix("0") ? "1" : "0")
        case .wrongLength: return right.utf8.count < 32 ? right + "0" : String(right.dropLast())
        case .tooShort: return String(right.prefix(5))
        case .none: return nil
        }
    }

    /// Compares how a call ended, each of its exchanges, and the card's state afterwards with the model.
    func settle(_ call: ClientCall, _ outcome: Outcome) throws {
        tally.count(call.name, outcome)
        try follow(call)
        let entries = wire.entries
        let disturbance = wire.disturbance
        try agree(
            isAllowed(outcome, after: disturbance, entries),
            "`\(call)` ended with \(outcome) where the model says \(expectation.outcome)")
        if disturbance.map(\.kind.isHarmless) ?? true, entries.count(where: \.isUnselected) < 2 {
            var after = place.card
            // Whether the card is selected is the log's business.
            after.isSelected = expectation.card.isSelected
            try agree(
                expectation.card == after,
                "`\(call)` left the card as \(after) where the model says \(expectation.card)")
        }
        if let disturbance { noteReader(disturbance) }
        let isThorough = entries.contains { $0.name == "new" || $0.name == "unseal" }
        try place.compare(isThorough: isThorough)
    }

    /// Whether the line broke without the call's failing because of it, as it may after a wrong CVC.
    var hasLostLine: Bool { wire.disturbance.map { !$0.kind.isHarmless } ?? false }

    /// Lets the model's card answer all that the card was asked, and compares.
    private func follow(_ call: ClientCall) throws {
        var accepted: [String: Int] = [:]
        var wrongCVCs = 0
        for entry in wire.entries {
            if entry.wasSwapped { layDownOther() }
            if entry.lostPower || entry.name == "select" { place.card.isSelected = false }
            let request = try request(entry, call)
            if request.credential != .none { try countTry(entry) }
            guard let answer = entry.answer else { continue }
            try agree(
                call.commands.contains(request.name) || request.name == "select" || request.name == "status",
                "`\(call)` sent `\(request.name)`")
            let isUnlucky = request.name == "sign" && place.unluckyPercent > 0
            defer { if entry.losesPower { place.card.isSelected = false } }
            var after = place.card
            let predicted = after.answer(request)
            if let problem = predicted.contradiction(in: answer, isUnlucky: isUnlucky) {
                throw Disagreement("`\(request.name)` in `\(call)` got \(problem)")
            }
            place.card = after
            guard case .map(let map)? = try? CBORDecoder.decode(Array(answer.dropLast(2))) else { continue }
            let refusal = ModelAnswer.refusal(in: map)
            if refusal == nil { accepted[request.name, default: 0] += 1 }
            if refusal == 401 { wrongCVCs += 1 }
            guard entry.isDelivered, request.credential != .none else { continue }
            if refusal == 401 {
                wrongTries += 1
                if let digits { acceptedCVCs.remove(digits) }
            }
            if refusal == nil, !expectation.outcome.isUnprovenSignature { wrongTries = 0 }
        }
        try agree(wrongCVCs <= 1, "`\(call)` tried a wrong CVC \(wrongCVCs) times")
        for (name, count) in accepted where ["new", "unseal", "change", "backup"].contains(name) {
            try agree(count == 1, "`\(call)` ran `\(name)` \(count) times")
        }
    }

    /// Counts a try with a CVC as the client must: what it has not heard of may have been a wrong one.
    private func countTry(_ entry: WireLog.Entry) throws {
        guard let digits else { return }
        let isAccepted = acceptedCVCs.contains(digits)
        try agree(isAccepted || lostTries < 2, "`\(entry.name)` is a third try without an answer to the first two")
        guard entry.isDelivered, let answer = entry.answer else {
            if !isAccepted { lostTries += 1 }
            return
        }
        guard !entry.isUnselected, case .map(let map)? = try? CBORDecoder.decode(Array(answer.dropLast(2))),
            ModelAnswer.refusal(in: map) == nil
        else { return }
        // What fails its proof may have come from anybody.
        if entry.name == "sign", expectation.outcome.isUnprovenSignature {
            if !isAccepted { lostTries += 1 }
            return
        }
        lostTries = 0
        if entry.name == "change" { acceptedCVCs = [] } else { acceptedCVCs.insert(digits) }
    }

    /// The command in an exchange; what is hidden in it is known from the call.
    private func request(_ entry: WireLog.Entry, _ call: ClientCall) throws -> ModelRequest {
        if entry.name == "select" { return ModelRequest(name: "select") }
        guard case .map(var map)? = try? CBORDecoder.decode(Array(entry.command.dropFirst(5))) else {
            throw Disagreement("a command that is no map")
        }
        var credential = ModelRequest.Credential.none
        if case .bytes(let hidden)? = map["xcvc"] {
            guard let digits else { throw Disagreement("`\(entry.name)` has a CVC that nobody gave") }
            try agree(hidden.count == digits.utf8.count, "`\(entry.name)` has a CVC of another length")
            credential = .digits(digits)
        }
        if case .changeCVC(_, let new) = call, entry.name == "change" { map["data"] = .bytes(Array(new.utf8)) }
        return ModelRequest(name: entry.name, arguments: map, credential: credential)
    }

    /// Whether a call may end like this.
    private func isAllowed(_ outcome: Outcome, after disturbance: Disturbance?, _ entries: [WireLog.Entry]) -> Bool {
        // A card that loses power twice in one call is given up.
        if outcome.isOf("status_word"), entries.count(where: \.isUnselected) >= 2 { return true }
        guard let disturbance, !disturbance.kind.isHarmless else {
            let unlucky = entries.count { $0.isUnlucky }
            return unlucky > 10 ? outcome == Outcome(description: "card 205 sign") : outcome == expectation.outcome
        }
        // A wrong CVC is reported even when the status that follows is lost.
        if expectation.outcome.isOf("wrong_cvc"), outcome.isOf("wrong_cvc") { return true }
        switch disturbance.kind {
        case .cutBefore, .cutAfter: return false
        case .pullBefore, .pullAfter, .swap: return outcome.isOf("reader card_removed")
        case .failBefore, .failAfter: return outcome.isOf("reader transport_failed")
        case .pullInAnswer: return outcome.isOf("reader", "status_word", "not_a_tap_card", "bad_response")
        case .swapUnnoticed: return outcome.isOf("another_card")
        }
    }

    /// Notes where the cards are after a disturbance.
    private func noteReader(_ disturbance: Disturbance) {
        switch disturbance.kind {
        case .pullBefore, .pullAfter, .pullInAnswer:
            place.card.isSelected = false
            isThere = disturbance.comesBack
        case .swap: layDownOther()
        case .cutBefore, .cutAfter, .failBefore, .failAfter, .swapUnnoticed: break
        }
    }

    /// Notes that the other card lies on the reader.
    func layDownOther() {
        place.card.isSelected = false
        onReader = 1 - onReader
        place.card.isSelected = false
        isThere = true
    }
}

extension Disturbance.Kind {
    /// Whether a client is not put off by it.
    fileprivate var isHarmless: Bool { self == .cutBefore || self == .cutAfter }
}

extension WireLog.Entry {
    /// Whether the card had to be selected first.
    fileprivate var isUnselected: Bool { answer == [0x6D, 0x00] }

    /// Whether the card hit an unlucky number.
    fileprivate var isUnlucky: Bool {
        guard let answer, name == "sign", case .map(let map)? = try? CBORDecoder.decode(Array(answer.dropLast(2)))
        else { return false }
        return ModelAnswer.refusal(in: map) == 205
    }
}
