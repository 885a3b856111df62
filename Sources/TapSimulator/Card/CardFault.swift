import ByteCodec

/// An error that a card returns: a map of text and number.
///
/// Spec: protocol, "Errors".
struct CardFault: Error, Sendable, Equatable {
    let code: UInt64
    let text: String

    static let unluckyNumber = Self(code: 205, text: "unlucky number")
    static let badArguments = Self(code: 400, text: "bad arguments")
    static let badAuth = Self(code: 401, text: "bad auth")
    static let needsAuth = Self(code: 403, text: "needs auth")
    static let unknownCommand = Self(code: 404, text: "unknown command")
    static let invalidCommand = Self(code: 405, text: "invalid command")
    static let invalidState = Self(code: 406, text: "invalid state")
    static let weakNonce = Self(code: 417, text: "weak nonce")
    static let badCBOR = Self(code: 422, text: "bad CBOR")
    static let backupFirst = Self(code: 425, text: "backup first")
    static let rateLimited = Self(code: 429, text: "rate limited")

    /// Not an error of a card: the maker's emulator returns it when it fails itself.
    static let internalFailure = Self(code: 500, text: "internal fail")

    /// Every error of a card.
    static let all: [Self] = [
        unluckyNumber, badArguments, badAuth, needsAuth, unknownCommand, invalidCommand, invalidState, weakNonce,
        badCBOR, backupFirst, rateLimited,
    ]

    /// The response's CBOR map.
    var answer: CBORMap { ["error": .text(text), "code": .unsigned(code)] }
}
