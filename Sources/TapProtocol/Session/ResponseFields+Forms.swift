import Bitcoin
import ByteCodec

/// Parts of a response that the protocol promises but no proof needs: accepted as they are, and reported in the trace.
///
/// Spec: protocol, first paragraph ("lenient with forms").
extension ResponseFields {
    /// Reports in the trace that a form deviates from the protocol.
    /// - Parameter detail: printable ASCII without secrets.
    func note(_ detail: String) { trace?(.form(command: command, detail: detail)) }

    /// The card's refusal, if the response is one: it then has `error` or `code`, usually both.
    var refusal: CardError? {
        get throws(TapError) {
            guard has("error") || has("code") else { return nil }
            var (number, text) = (0, "no reason given")
            if has("code") { number = try integer("code") } else { note("`code` is missing") }
            if has("error") { text = try self.text("error", maximumLength: .max) } else { note("`error` is missing") }
            return CardError(number: number, text: text)
        }
    }

    /// An unsigned integer that may be missing or out of the protocol's range; bounded by `Int.max`.
    func promisedNumber(_ key: String, usually range: ClosedRange<Int>) throws(TapError) -> Int? {
        guard has(key) else {
            note("`\(key)` is missing")
            return nil
        }
        let number = Int(clamping: try unsigned(key))
        if !range.contains(number) { note("`\(key)` is \(number), outside \(range.lowerBound)-\(range.upperBound)") }
        return number
    }

    /// The seconds of the lockout, if given; bounded by 4 294 967 295, so that twice as many can be counted.
    func authDelay() throws(TapError) -> Int? {
        guard has("auth_delay") else { return nil }
        let seconds = Int(clamping: min(try unsigned("auth_delay"), UInt64(UInt32.max)))
        if !StatusCommand.usualAuthDelays.contains(seconds) { note("`auth_delay` is \(seconds)") }
        return seconds
    }

    /// The nonce for the next command, sixteen bytes; `nil` if it is missing although it should be there.
    func promisedCardNonce() throws(TapError) -> [UInt8]? {
        guard has("card_nonce") else {
            note("`card_nonce` is missing")
            return nil
        }
        return try bytes("card_nonce", count: Exchange.nonceLength)
    }

    /// Checks that the card does not report a failure; a response without this field is a success.
    func confirmSuccess() throws(TapError) {
        guard has("success") else { return note("`success` is missing") }
        guard try flag("success") else { throw bad("success", "is false") }
    }

    /// Checks that the response is about the requested slot, if it names one.
    func confirmSlot(_ slot: SlotNumber) throws(TapError) {
        guard has("slot") else { return note("`slot` is missing") }
        let answered = try unsigned("slot")
        guard answered == UInt64(clamping: slot.index) else {
            throw bad("slot", "is \(answered) instead of \(slot.index)")
        }
    }

    /// Reports which of these ignored fields are present.
    func ignore(_ keys: [String], beside other: String) {
        for key in keys where has(key) { note("`\(key)` comes with \(other) and is ignored") }
    }
}
