import Bitcoin
import ByteCodec

/// What the card answers to a command, and what becomes of its state.
///
/// Where the protocol does not say which of two refusals comes first, the order is: unknown command, CVC, arguments,
/// state.
extension ModelCard {
    /// A refusal's number.
    private struct Refusal: Error { let number: Int }

    private static let badArguments = Refusal(number: 400)
    private static let unknownCommand = Refusal(number: 404)
    /// Not now, and at no other time.
    private static let invalidCommand = Refusal(number: 405)
    private static let invalidState = Refusal(number: 406)

    /// Runs a command.
    mutating func answer(_ request: ModelRequest) -> ModelAnswer {
        guard isSelected || request.name == "select" else { return .word(0x6D00) }
        do throws(Refusal) {
            if request.name == "select" {
                isSelected = true
                return .fields(status)
            }
            guard has(request.name) else { throw Self.unknownCommand }
            try authenticate(request)
            return .fields(try run(request))
        } catch {
            return .refusal(error.number)
        }
    }

    private mutating func authenticate(_ request: ModelRequest) throws(Refusal) {
        guard let isNeeded = needsCVC(request.name) else { return }
        // During the delay nobody is let in, but everybody may wait.
        if request.name == "wait", delay > 0 { return }
        if request.credential == .none {
            if isNeeded { throw Refusal(number: 403) }
            return
        }
        if delay > 0 { throw Refusal(number: 429) }
        let length: Int
        switch request.credential {
        case .none: return
        case .garbage(let count): length = count
        case .digits(let digits):
            if digits == cvc {
                wrongTries = 0
                return
            }
            length = digits.utf8.count
        }
        guard Self.cvcLengths.contains(length) else { throw Self.badArguments }
        // "1.0.2 and later also count CVCs of a wrong length."
        if length == cvc.utf8.count || version >= .v102 {
            wrongTries = min(wrongTries + 1, Self.triesBeforeDelay)
            if wrongTries == Self.triesBeforeDelay { delay = Self.delaySeconds }
        }
        throw Refusal(number: 401)
    }

    private mutating func run(_ request: ModelRequest) throws(Refusal) -> [String: ModelAnswer.Field] {
        let arguments = request.arguments
        switch request.name {
        case "status": return status
        case "read":
            try requireNonce(arguments)
            try require(isSatscard ? hasActiveKey : isSetUp)
            return ["sig": .present, "pubkey": .present, "card_nonce": .present]
        case "derive":
            try requireNonce(arguments)
            return try derive(arguments)
        case "certs": return ["cert_chain": .present]
        case "check":
            try requireNonce(arguments)
            return ["auth_sig": .present, "card_nonce": .present]
        case "new": return try new(arguments)
        case "nfc": return ["url": .present]
        case "sign": return try sign(arguments)
        case "wait":
            delay = max(0, delay - 1)
            return ["success": .value(.bool(true)), "auth_delay": .value(.unsigned(UInt64(delay)))]
        case "unseal":
            let slot = try slot(arguments)
            guard slot == activeSlot else { throw Self.badArguments }
            try require(activeState == .sealed)
            slots[slot] = .opened
            return answerAbout(slot, with: ["privkey", "pubkey", "master_pk", "chain_code"])
        case "dump": return try dump(arguments, isOwner: request.credential != .none)
        case "change": return try change(arguments)
        case "xpub":
            guard case .bool? = arguments["master"] else { throw Self.badArguments }
            try require(isSetUp)
            return ["xpub": .present, "card_nonce": .present]
        case "backup":
            try require(isSetUp)
            backups = min(backups + 1, Self.mostBackups)
            return ["data": .present, "card_nonce": .present]
        default: throw Self.unknownCommand
        }
    }

    private mutating func derive(_ arguments: CBORMap) throws(Refusal) -> [String: ModelAnswer.Field] {
        let common: [String: ModelAnswer.Field] = [
            "sig": .present, "chain_code": .present, "master_pubkey": .present, "card_nonce": .present,
        ]
        guard !isSatscard else {
            try require(hasActiveKey)
            return common
        }
        // Without a path the card stays where it stands.
        var asked = path
        if let argument = arguments["path"] { asked = try steps(argument, count: Self.pathSteps, areHardened: true) }
        try require(isSetUp)
        path = asked
        return common.merging(["pubkey": .present]) { $1 }
    }

    private mutating func new(_ arguments: CBORMap) throws(Refusal) -> [String: ModelAnswer.Field] {
        guard case .unsigned(0...255)? = arguments["slot"] else { throw Self.badArguments }
        if isSatscard, slots.allSatisfy({ $0 == .opened }) { throw Self.invalidCommand }
        let slot = try slot(arguments)
        let chainCode = try bytes(arguments["chain_code"], count: 32...32)
        if isSatscard {
            guard slot == activeSlot else { throw Self.badArguments }
            try require(activeState == .unused)
            // Only the first slot of a blank card needs one.
            if chainCode == nil, slot == 0 { throw Self.badArguments }
            slots[slot] = .sealed
        } else {
            guard slot == 0, chainCode != nil else { throw Self.badArguments }
            if isSetUp { throw Self.invalidCommand }
            path = Self.startingPath
        }
        chainCodes[slot] = chainCode.flatMap { ChainCode($0) }
        return answerAbout(slot)
    }

    private mutating func sign(_ arguments: CBORMap) throws(Refusal) -> [String: ModelAnswer.Field] {
        guard case .unsigned(0...255)? = arguments["slot"], try bytes(arguments["digest"], count: 32...32) != nil else {
            throw Self.badArguments
        }
        if isSatscard, arguments["subpath"] != nil {
            // "Never send `subpath` to a SATSCARD."
            if version == .v090 { tamper() }
            throw Self.badArguments
        }
        let slot = try slot(arguments)
        if isSatscard {
            try require(slots[slot] == .opened)
        } else {
            guard slot == 0 else { throw Self.badArguments }
            if let subpath = arguments["subpath"] {
                _ = try steps(subpath, count: Self.subpathSteps, areHardened: false)
            }
            try require(isSetUp)
        }
        return answerAbout(slot, with: ["sig", "pubkey"])
    }

    private func dump(_ arguments: CBORMap, isOwner: Bool) throws(Refusal) -> [String: ModelAnswer.Field] {
        let slot = try slot(arguments)
        let secrets = ["privkey", "master_pk", "chain_code"]
        switch (slots[slot], isOwner) {
        case (.unused, _):
            return answerAbout(slot, with: [], without: secrets + ["sealed", "addr", "pubkey"])
                .merging(["used": .value(.bool(false))]) { $1 }
        case (.sealed, _):
            return answerAbout(slot, with: [], without: secrets + ["used", "addr", "pubkey"])
                .merging(["sealed": .value(.bool(true))]) { $1 }
        case (.opened, false):
            let key = version >= .v103
            return answerAbout(
                slot, with: ["addr"] + (key ? ["pubkey"] : []), without: secrets + ["used"] + (key ? [] : ["pubkey"])
            ).merging(["sealed": .value(.bool(false))]) { $1 }
        case (.opened, true):
            let tampered: ModelAnswer.Field = selfOpenedSlots.contains(slot) ? .value(.bool(true)) : .absent
            return answerAbout(slot, with: secrets + ["pubkey"], without: ["used"]).merging(["tampered": tampered]) {
                $1
            }
        }
    }

    private mutating func change(_ arguments: CBORMap) throws(Refusal) -> [String: ModelAnswer.Field] {
        guard let new = try bytes(arguments["data"], count: Self.cvcLengths) else { throw Self.badArguments }
        if product == .tapsigner, backups == 0 { throw Refusal(number: 425) }
        cvc = String(decoding: new, as: UTF8.self)
        return ["success": .value(.bool(true)), "card_nonce": .present]
    }

    private func require(_ condition: Bool) throws(Refusal) { if !condition { throw Self.invalidState } }

    private func requireNonce(_ arguments: CBORMap) throws(Refusal) {
        guard let nonce = try bytes(arguments["nonce"], count: 16...16) else { throw Self.badArguments }
        if Set(nonce).count == 1 { throw Refusal(number: 417) }
    }

    private func slot(_ arguments: CBORMap) throws(Refusal) -> Int {
        guard case .unsigned(let number)? = arguments["slot"], let slot = Int(exactly: number),
            slot == 0 || slots.indices.contains(slot)
        else { throw Self.badArguments }
        return slot
    }

    private func bytes(_ value: CBORValue?, count: ClosedRange<Int>) throws(Refusal) -> [UInt8]? {
        guard let value else { return nil }
        guard case .bytes(let bytes) = value, count.contains(bytes.count) else { throw Self.badArguments }
        return bytes
    }

    private func steps(_ value: CBORValue?, count: ClosedRange<Int>, areHardened: Bool) throws(Refusal) -> [UInt32] {
        guard case .array(let items)? = value, count.contains(items.count) else { throw Self.badArguments }
        var steps: [UInt32] = []
        for item in items {
            guard case .unsigned(let number) = item, let step = UInt32(exactly: number),
                (step >= 0x8000_0000) == areHardened
            else { throw Self.badArguments }
            steps.append(step)
        }
        return steps
    }

    private func answerAbout(
        _ slot: Int, with keys: [String] = [], without missing: [String] = []
    ) -> [String: ModelAnswer.Field] {
        var fields: [String: ModelAnswer.Field] = [
            "slot": .value(.unsigned(UInt64(slot))), "card_nonce": .present,
        ]
        for key in keys { fields[key] = .present }
        for key in missing { fields[key] = .absent }
        return fields
    }

    private var status: [String: ModelAnswer.Field] {
        var fields: [String: ModelAnswer.Field] = [
            "proto": .value(.unsigned(1)), "ver": .value(.text(version.rawValue)), "birth": .present,
            "pubkey": .value(.bytes(publicKey)), "card_nonce": .present,
            "testnet": isTestnet ? .value(.bool(true)) : .absent,
            "tampered": isTampered ? .value(.bool(true)) : .absent,
            "auth_delay": delay > 0 ? .value(.unsigned(UInt64(delay))) : .absent,
            "tapsigner": isSatscard ? .absent : .value(.bool(true)),
            "satschip": product == .satschip ? .value(.bool(true)) : .absent,
            "num_backups": product == .tapsigner ? .value(.unsigned(UInt64(backups))) : .absent,
            "path": path.map { .value(.array($0.map { .unsigned(UInt64($0)) })) } ?? .absent,
        ]
        let active = isSatscard ? [activeSlot, slots.count].map { CBORValue.unsigned(UInt64($0)) } : nil
        fields["slots"] = active.map { .value(.array($0)) } ?? .absent
        fields["addr"] = hasActiveKey ? .present : .absent
        return fields
    }
}
