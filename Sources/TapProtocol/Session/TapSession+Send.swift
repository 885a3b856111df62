import Bitcoin
import SmartCard

/// The only path to the card.
extension TapSession {
    /// The result of one transmission.
    private enum Outcome<Response> {
        case answered(Response)
        case refused(CardError)
        /// 6D00: the card had lost power, so the command did not run.
        case selectionLost
    }

    /// How often one command is repeated, for each reason.
    private struct Patience {
        var unluckyNumbers = 10
        var weakNonces = 3
        var lostSelections = 1
    }

    /// Sends a command and returns its verified response.
    ///
    /// Repeated: after 205 at most 10 times; after 417 with a new nonce at most 3 times; once after a loss of power (the
    /// card is selected again and compared); once after a failed proof with a nonce of an earlier step. The session key is
    /// new each time; what it hides is the same.
    /// - Throws: `TapError`, any case except `.invalidCVC` and `.badBackup`.
    func send<Command: TapCommand>(_ command: Command, cvc: CVC? = nil) throws(TapError) -> Command.Response {
        try requireProduct(in: Command.products, for: Command.self)
        let authentication = Command.authentication(for: status.product)
        let cvc = authentication == .none ? nil : cvc
        if authentication == .required, cvc == nil { throw .cvcNeeded(command: Command.name) }
        var patience = Patience()
        while true {
            let cardNonce = try self.cardNonce(for: Command.self, isAuthenticated: cvc != nil)
            let exchange = try makeExchange(Command.self, cardNonce: cardNonce.bytes, isAuthenticated: cvc != nil)
            if let cvc { try trials.begin(cvc) }
            let outcome: Outcome<Command.Response>
            do throws(TapError) {
                outcome = try transmit(command, cvc: cvc, in: exchange)
            } catch {
                guard case .badProof = error, !cardNonce.isChecked else { throw error }
                nonce = .unknown
                continue
            }
            switch outcome {
            case .answered(let response):
                if let cvc {
                    wrongCVCs = 0
                    trials.accept(cvc)
                }
                return response
            case .selectionLost:
                if let cvc { trials.settle(cvc) }
                guard patience.lostSelections > 0 else {
                    throw .statusWord(.instructionNotSupported, command: Command.name)
                }
                patience.lostSelections -= 1
                try selectAgain()
            case .refused(let refusal):
                if let cvc { if refusal.kind == .badAuth { trials.refuse(cvc) } else { trials.settle(cvc) } }
                try settle(refusal, of: Command.name, in: exchange, &patience)
                trace?(.repeated(command: Command.name, refusal: refusal))
            }
        }
    }

    /// Checks that the card is one of these products.
    /// - Throws: `TapError.notSupported`.
    func requireProduct(
        in products: Set<CardProduct>, for command: (some TapCommand).Type
    ) throws(TapError) {
        guard products.contains(status.product) else {
            throw .notSupported(command: command.name, product: status.product)
        }
    }

    /// Returns if the command should be repeated; otherwise throws what the refusal means.
    private func settle(
        _ refusal: CardError, of command: String, in exchange: Exchange, _ patience: inout Patience
    ) throws(TapError) {
        switch refusal.kind {
        case .unluckyNumber where patience.unluckyNumbers > 0: patience.unluckyNumbers -= 1
        case .weakNonce where patience.weakNonces > 0: patience.weakNonces -= 1
        case .badAuth where exchange.sessionKey != nil:
            // The CVC is wrong whatever `status` reports now. But if the card cannot be asked, or is a different one, this
            // connection is not used any further.
            do throws(TapError) { try refreshStatus() } catch { connection.drop() }
            wrongCVCs += 1
            throw .wrongCVC(
                status.authDelaySeconds > 0
                    ? .delayed(seconds: status.authDelaySeconds) : .atMost(max(0, 3 - possibleWrongTries)))
        case .needsAuth: throw .cvcNeeded(command: command)
        // Real cards never refuse `status` like this; asking one that does for its status would never end.
        case .rateLimited where command != StatusCommand.name:
            try refreshStatus()
            throw .rateLimited(seconds: status.authDelaySeconds)
        default: throw .card(refusal, command: command)
        }
    }

    /// The nonce to use, fetched with `status` if it is not certain enough.
    private func cardNonce(
        for command: (some TapCommand).Type, isAuthenticated: Bool
    ) throws(TapError) -> (bytes: [UInt8], isChecked: Bool) {
        switch nonce {
        case .current(let bytes): return (bytes, true)
        case .unchecked(let bytes):
            if command.maySendUncheckedNonce, !isAuthenticated { return (bytes, false) }
        case .unknown: break
        }
        guard isAuthenticated || command.usesAppNonce else { return ([], true) }
        try refreshStatus()
        guard case .current(let bytes) = nonce else {
            throw .badResponse(command: StatusCommand.name, field: "card_nonce", problem: "is missing")
        }
        return (bytes, true)
    }

    private func makeExchange<Command: TapCommand>(
        _: Command.Type, cardNonce: [UInt8], isAuthenticated: Bool
    ) throws(TapError) -> Exchange {
        var sessionKey: SessionKey?
        let appNonce = Command.usesAppNonce ? try makeAppNonce() : []
        if isAuthenticated {
            do {
                sessionKey = try SessionKey(ephemeral: PrivateKey(using: &random), cardKey: status.publicKey)
            } catch { throw .weakRandomness }
        }
        return Exchange(
            card: status, cardNonce: cardNonce, appNonce: appNonce, sessionKey: sessionKey, knownKeys: knownKeys,
            trace: trace)
    }

    /// 16 random bytes, not all equal.
    private func makeAppNonce() throws(TapError) -> [UInt8] {
        for _ in 0..<4 {
            let bytes = (0..<Exchange.nonceLength).map { _ in UInt8.random(in: 0...255, using: &random) }
            if Set(bytes).count > 1 { return bytes }
        }
        throw .weakRandomness
    }

    private func transmit<Command: TapCommand>(
        _ command: Command, cvc: CVC?, in exchange: Exchange
    ) throws(TapError) -> Outcome<Command.Response> {
        var arguments = command.arguments(in: exchange)
        if Command.usesAppNonce { arguments["nonce"] = .bytes(exchange.appNonce) }
        if let cvc, let key = exchange.sessionKey {
            arguments["epubkey"] = .bytes(key.ephemeralPublicKey.bytes)
            arguments["xcvc"] = .bytes(
                key.hidden(cvc, cardNonce: exchange.cardNonce, command: Command.name))
        }
        let apdu = try TapAPDU.command(Command.name, arguments: arguments)

        // Until a verified response says otherwise; on early cards a refusal says nothing about the nonce either.
        let nonceBefore = nonce
        nonce = .unknown
        let keepsNonce = status.appletVersion.keepsNonceOnError && !Command.alwaysChangesNonce
        let nonceAfterSilence = keepsNonce ? nonceBefore : .unknown

        let answer = try connection.transmit(apdu, named: Command.name)
        switch answer.status {
        case .success: break
        // With data, this is the end of a response that was cut short: the command has run.
        case .instructionNotSupported where answer.data.isEmpty: return .selectionLost
        case let word: throw .statusWord(word, command: Command.name)
        }
        let fields = try ResponseFields(command: Command.name, encoded: answer.data, trace: trace)
        if let refusal = try fields.refusal {
            nonce = nonceAfterSilence
            return .refused(refusal)
        }
        let response = try command.response(from: fields, in: exchange)
        try command.verify(response, in: exchange)
        nonce =
            Command.answersWithNonce || fields.has("card_nonce")
            ? try fields.promisedCardNonce().map { .current($0) } ?? .unknown : nonceAfterSilence
        return .answered(response)
    }
}
