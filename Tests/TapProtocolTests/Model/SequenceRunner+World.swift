import Bitcoin
import ByteCodec
import TapSimulator

@testable import TapProtocol

/// What happens between the client's steps.
extension SequenceRunner {
    /// Runs a step that is no call of the client.
    func runOther(_ step: ModelStep) async throws {
        switch step {
        case .client: return
        case .disconnect:
            await tap.disconnect()
            bound = nil
            acceptedCVCs = []
            lostTries = 0
        case .cutPower:
            guard place.simulated.hasPower else { return }
            place.simulated.powerOff()
            try place.simulated.powerOn()
            place.card.isSelected = false
        case .pull:
            guard isThere else { return }
            reader.pull(.byHand)
            isThere = false
            place.card.isSelected = false
        case .layBack:
            guard !isThere else { return }
            reader.insert()
            isThere = true
        case .swap: swap()
        case .layFirst:
            guard onReader != 0 || !isThere else { return }
            if onReader == 0 { reader.insert() } else { swap() }
            isThere = true
        case .program(let call, let cvc):
            guard isThere else { return }
            let outcome = try runProgram(call, cvc)
            tally.count(step.name, outcome)
            try place.compare(isThorough: false)
            return
        }
        tally.count(step.name, .success)
    }

    private func swap() {
        reader.insert(places[1 - onReader].simulated)
        layDownOther()
    }

    /// Another program sends one command, with the CVC or what it takes for it.
    private func runProgram(_ call: ProgramCall, _ choice: CVCChoice) throws -> Outcome {
        let simulated = place.simulated
        if !simulated.hasPower {
            try simulated.powerOn()
            place.card.isSelected = false
        }
        if case .unselected = call {
            simulated.powerOff()
            try simulated.powerOn()
            place.card.isSelected = false
            return try ask(ModelRequest(name: "status"), TapAPDU.command("status", arguments: [:]).encoded)
        }
        if !place.card.isSelected { _ = try ask(ModelRequest(name: "select"), TapAPDU.select().encoded) }
        if case .noMap = call {
            let answer = simulated.process(apdu: [0x00, 0xCB, 0x00, 0x00, 0x02, 0xA1, 0xFF])
            let problem = ModelAnswer.refusal(422).contradiction(in: answer)
            try agree(problem == nil, "`noMap` of another program got \(problem ?? "")")
            return Outcome(description: "card 422")
        }
        var nonce = try cardNonce()
        if choice == .stale {
            let check = try TapAPDU.command("check", arguments: ["nonce": .bytes([UInt8](0..<16))])
            _ = try ask(ModelRequest(name: "check", arguments: ["nonce": .bytes([UInt8](0..<16))]), check.encoded)
        }
        var request = ModelRequest(name: call.command, arguments: call.arguments)
        var arguments = request.arguments
        if let digits = digits(choice) {
            request.credential = choice == .stale ? .garbage(length: digits.utf8.count) : .digits(digits)
            let ephemeral = try PrivateKey(SecretBytes(SHA256.hash(nonce)))
            let key = try SessionKey(ephemeral: ephemeral, cardKey: PublicKey(place.card.publicKey))
            let mask = SHA256.hash(nonce + Array(call.command.utf8))
            arguments["epubkey"] = .bytes(ephemeral.publicKey.bytes)
            arguments["xcvc"] = .bytes(key.hidden(zip(digits.utf8, mask).map { $0 ^ $1 }))
            for field in ["digest", "data"] {
                if case .bytes(let plain)? = arguments[field] {
                    arguments[field] = .bytes(zip(plain, key.hidden([UInt8](repeating: 0, count: 32))).map { $0 ^ $1 })
                }
            }
        }
        nonce.removeAll()
        return try ask(request, TapAPDU.command(call.command, arguments: arguments).encoded)
    }

    /// Sends a command to the card and the same to the model.
    private func ask(_ request: ModelRequest, _ apdu: [UInt8]) throws -> Outcome {
        let answer = place.simulated.process(apdu: apdu)
        let isUnlucky = request.name == "sign" && place.unluckyPercent > 0
        let predicted = place.card.answer(request)
        if let problem = predicted.contradiction(in: answer, isUnlucky: isUnlucky) {
            throw Disagreement("`\(request.name)` of another program got \(problem)")
        }
        guard case .map(let map)? = try? CBORDecoder.decode(Array(answer.dropLast(2))) else {
            return Outcome(description: "status_word")
        }
        return ModelAnswer.refusal(in: map).map { Outcome(description: "card \($0)") } ?? .success
    }

    private func cardNonce() throws -> [UInt8] {
        let apdu = try TapAPDU.command("status", arguments: [:]).encoded
        let answer = place.simulated.process(apdu: apdu)
        guard case .map(let map)? = try? CBORDecoder.decode(Array(answer.dropLast(2))),
            case .bytes(let nonce)? = map["card_nonce"]
        else { throw Disagreement("the card has no nonce") }
        if let problem = place.card.answer(ModelRequest(name: "status")).contradiction(in: answer) {
            throw Disagreement("`status` of another program got \(problem)")
        }
        return nonce
    }

    /// Compares all keys that were shown, and everything else, with the cards' own records.
    func compareAtTheEnd() throws {
        for place in places {
            try place.compare(isThorough: true)
            try place.keys.compare(with: place.simulated.record)
        }
    }
}

extension ProgramCall {
    /// The arguments as they are before anything is hidden.
    fileprivate var arguments: CBORMap {
        let nonce: CBORMap = ["nonce": .bytes([UInt8](0..<16))]
        func slot(_ number: Int) -> CBORValue { .unsigned(UInt64(number)) }
        func steps(_ path: [UInt32]) -> CBORValue { .array(path.map { .unsigned(UInt64($0)) }) }
        switch self {
        case .read, .check: return nonce
        case .weakNonce: return ["nonce": .bytes([UInt8](repeating: 7, count: 16))]
        case .derive(let path):
            var arguments = nonce
            if let path { arguments["path"] = steps(path) }
            return arguments
        case .new(let number, let chainCode):
            var arguments: CBORMap = ["slot": slot(number)]
            if let chainCode { arguments["chain_code"] = .bytes(chainCode.chainCode.bytes) }
            return arguments
        case .sign(let number, let length, let subpath):
            var arguments: CBORMap = ["slot": slot(number)]
            arguments["digest"] = .bytes([UInt8](repeating: 3, count: length))
            if let subpath { arguments["subpath"] = steps(subpath) }
            return arguments
        case .unseal(let number), .dump(let number): return ["slot": slot(number)]
        case .change(let new): return ["data": .bytes(Array(new.utf8))]
        case .xpub(let isMaster): return ["master": .bool(isMaster)]
        case .status, .certs, .nfc, .wait, .backup, .unknown, .noMap, .unselected: return [:]
        }
    }
}
