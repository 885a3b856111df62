import Bitcoin
import ByteCodec

/// What the model says of a call: how it ends on an undisturbed line, and what the card's state is then.
struct Expectation {
    var outcome: Outcome
    var card: ModelCard
}

extension SequenceRunner {
    /// Works out what a call must come to.
    func expectation(of call: ClientCall) -> Expectation {
        var expectation = Expectation(outcome: .success, card: place.card)
        if let refusal = refusalByClient(call) {
            expectation.outcome = Outcome(description: refusal)
            return expectation
        }
        expectation.card.isSelected = true
        for request in requests(call) {
            if isBlind(request) {
                expectation.outcome = Outcome(description: "unproven_cvc")
                return expectation
            }
            guard case .refusal(let number) = expectation.card.answer(request) else { continue }
            expectation.outcome = outcome(number, of: request.name, after: expectation.card)
            return expectation
        }
        if let proof = failedProof(call) { expectation.outcome = Outcome(description: "bad_proof \(proof)") }
        return expectation
    }

    /// What keeps the client from sending anything.
    private func refusalByClient(_ call: ClientCall) -> String? {
        if !isThere { return "reader no_card" }
        if let bound, bound != onReader { return "another_card \(places[bound].ident) \(place.ident)" }
        if call.cvc == .tooShort { return "bad_cvc" }
        let card = place.card
        switch call {
        case .sign(_, let subpath, _):
            if !ModelCard.subpathSteps.contains(subpath.count) { return "bad_argument sign" }
            if subpath.contains(where: { $0 >= 0x8000_0000 }) { return "bad_argument sign" }
            return card.isSatscard ? "not_supported sign" : nil
        case .signSlot: return card.isSatscard ? nil : "not_supported sign"
        case .probe: return card.isSatscard ? "not_supported sign" : nil
        case .probeSlot: return card.isSatscard ? nil : "not_supported sign"
        case .proveMaster: return card.isSatscard ? "not_supported derive" : nil
        case .setPath(let path, _), .account(let path, _):
            if !ModelCard.pathSteps.contains(path.count) { return "bad_argument derive" }
            if path.contains(where: { $0 < 0x8000_0000 }) { return "bad_argument derive" }
            return card.isSatscard ? "not_supported derive" : nil
        case .read: return card.isSatscard ? nil : "not_supported read"
        case .createKey: return card.isSatscard ? "not_supported new" : nil
        case .test, .extendedKey: return card.isSatscard ? "not_supported xpub" : nil
        case .createSlotKey:
            if !card.isSatscard { return "not_supported new" }
            // An early card that is full looks as if its last slot were unused.
            return card.activeState == nil || card.hasActiveKey ? "bad_argument new" : nil
        case .proveSlotOrigin: return card.isSatscard ? nil : "not_supported derive"
        case .unseal:
            if !card.isSatscard { return "not_supported unseal" }
            return card.hasActiveKey ? nil : "bad_argument unseal"
        case .dump(let slot, _):
            if !card.isSatscard { return "not_supported dump" }
            return card.slots.indices.contains(slot) ? nil : "bad_argument dump"
        case .backup: return card.product == .tapsigner ? nil : "not_supported backup"
        case .changeCVC: return card.isSatscard ? "not_supported change" : nil
        case .status, .proveCard, .tapURL, .wait: return nil
        }
    }

    /// Whether the client would be trying a third time without having heard of the first two. A command that never looks at a
    /// CVC is sent without the one that the caller has: it tries nothing, and is nobody's business to refuse.
    private func isBlind(_ request: ModelRequest) -> Bool {
        guard bound != nil, place.card.needsCVC(request.name) != nil,
            case .digits(let digits) = request.credential
        else { return false }
        return lostTries >= 2 && !acceptedCVCs.contains(digits)
    }

    /// What the client sends, but for the statuses.
    private func requests(_ call: ClientCall) -> [ModelRequest] {
        let card = place.card
        let nonce: CBORMap = ["nonce": .bytes([UInt8](0..<16))]
        let credential = digits.map(ModelRequest.Credential.digits) ?? .none
        func request(_ name: String, _ arguments: CBORMap = [:]) -> ModelRequest {
            ModelRequest(name: name, arguments: arguments, credential: credential)
        }
        func steps(_ path: [UInt32]) -> CBORValue { .array(path.map { .unsigned(UInt64($0)) }) }
        func slot(_ number: Int) -> CBORValue { .unsigned(UInt64(number)) }
        func probe(_ subpath: [UInt32]?, slot number: Int = 0) -> ModelRequest {
            var arguments: CBORMap = ["slot": slot(number), "digest": .bytes([UInt8](0..<32))]
            if let subpath { arguments["subpath"] = steps(subpath) }
            return request("sign", arguments)
        }
        switch call {
        case .status: return [request("status")]
        case .proveCard: return (card.hasActiveKey ? [request("read", nonce)] : []) + [request("check", nonce)]
        case .tapURL: return [request("nfc")]
        case .wait: return [request("wait")]
        case .read: return [request("read", nonce)]
        case .createKey(let chainCode, _):
            return [request("new", ["slot": slot(0), "chain_code": .bytes(chainCode.chainCode.bytes)])]
        case .proveMaster(let isRight, _):
            var arguments = nonce
            arguments["path"] = steps([])
            return [request("derive", arguments)] + (isRight ? [probe([0, 0])] : [])
        case .probe: return [probe([0, 0])]
        case .probeSlot(let number, _, _): return [probe(nil, slot: number)]
        case .test: return [request("xpub", ["master": .bool(false)])]
        case .createSlotKey(let chainCode, _):
            return [request("new", ["slot": slot(card.activeSlot), "chain_code": .bytes(chainCode.chainCode.bytes)])]
        case .proveSlotOrigin: return [request("derive", nonce)]
        case .unseal: return [request("unseal", ["slot": slot(card.activeSlot)])]
        case .dump(let number, _): return [request("dump", ["slot": slot(number)])]
        case .sign(let digest, let subpath, _):
            return [request("sign", ["slot": slot(0), "digest": .bytes(digest.bytes), "subpath": steps(subpath)])]
        case .signSlot(let digest, let number, _, _):
            return [request("sign", ["slot": slot(number), "digest": .bytes(digest.bytes)])]
        case .setPath(let path, _), .account(let path, _):
            var arguments = nonce
            arguments["path"] = steps(path)
            return [request("derive", arguments)]
        case .extendedKey(let isMaster, _): return [request("xpub", ["master": .bool(isMaster)])]
        case .backup: return [request("backup")]
        case .changeCVC(_, let new): return [request("change", ["data": .bytes(Array(new.utf8))])]
        }
    }

    private func outcome(_ refusal: Int, of command: String, after card: ModelCard) -> Outcome {
        let text: String
        switch refusal {
        case 401 where card.delay > 0: text = "wrong_cvc delayed \(card.delay)"
        case 401:
            // What the client has not heard of may have been a wrong one, too.
            let earlier = bound == nil ? 0 : wrongTries + lostTries
            text = "wrong_cvc at most \(max(0, ModelCard.triesBeforeDelay - 1 - earlier))"
        case 403: text = "cvc_needed \(command)"
        case 429: text = "rate_limited \(card.delay)"
        default: text = "card \(refusal) \(command)"
        }
        return Outcome(description: text)
    }

    /// Which proof fails because the caller expects something else than is true.
    private func failedProof(_ call: ClientCall) -> String? {
        switch call {
        case .proveMaster(let isRight, _): isRight ? nil : "chain_code"
        case .probe(let claim, _): claim == .right ? nil : "account"
        case .probeSlot(_, let isRightKey, _): isRightKey ? nil : "opened_slot"
        case .proveSlotOrigin(.wrong): "chain_code"
        case .signSlot(_, _, let isRightKey, _): isRightKey ? nil : "signing_key"
        default: nil
        }
    }
}

extension Outcome {
    /// Whether a signature came that proves nothing: who gave it, nobody knows, nor whether the CVC was looked at.
    var isUnprovenSignature: Bool { isOf("bad_proof signing_key", "bad_proof account", "bad_proof opened_slot") }
}

extension UInt8 {
    /// A chain code of 32 bytes that begins with this one.
    var chainCode: ChainCode {
        guard let code = ChainCode((0..<32).map { self &+ $0 }) else {
            preconditionFailure("32 bytes are a chain code.")
        }
        return code
    }
}
