import SmartCard
import TapProtocol
import TapSimulator

extension ReaderError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { Self(.noService, "The service does not answer.") }

    func next(_ sample: Sample) -> Self? {
        let kinds = Kind.allCases
        let following = kinds.drop { $0 != kind }.dropFirst().first
        return following.map { Self($0, "Something happened.", remedy: "Do something about it.") }
    }

    static func others(_ sample: Sample) -> [Self] {
        Kind.allCases.map { Self($0, "Something happened.") }
            + [
                Self(.noService, "It does not answer.", remedy: "Start it.", subject: .reader(.service)),
                Self(
                    .noReader, "There is none.", remedy: "Name it.", subject: .reader(.unnamed(example: "nfc:x:/dev/y"))
                ),
                Self(
                    .noReader, "It does not answer.", remedy: "Look at it.", subject: .reader(.named("nfc:pn532_uart"))),
                Self(.noReader, "There is no card.", subject: .file("card.json")),
            ]
    }
}

extension SimulatedCardError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { Self(.badOptions, "There is no such card.") }

    func next(_ sample: Sample) -> Self? {
        let following = Kind.allCases.drop { $0 != kind }.dropFirst().first
        return following.map { Self($0, "Something is wrong with the card.") }
    }
}

extension CardError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { Self(number: 205, text: "unlucky number") }

    func next(_ sample: Sample) -> Self? {
        switch kind {
        case .unluckyNumber: Self(number: 400, text: "bad arguments")
        case .badArguments: Self(number: 401, text: "bad auth")
        case .badAuth: Self(number: 403, text: "needs auth")
        case .needsAuth: Self(number: 404, text: "unknown command")
        case .unknownCommand: Self(number: 405, text: "invalid command")
        case .invalidCommand: Self(number: 406, text: "invalid state")
        case .invalidState: Self(number: 417, text: "weak nonce")
        case .weakNonce: Self(number: 422, text: "bad CBOR")
        case .badCBOR: Self(number: 425, text: "backup first")
        case .backupFirst: Self(number: 429, text: "rate limited")
        case .rateLimited: Self(number: 999, text: "novel")
        case nil: nil
        }
    }
}

extension TapError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .reader(ReaderError(.cardRemoved, "The card was removed.")) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .reader: .notATapCard(StatusWord(rawValue: 0x6A82))
        case .notATapCard: .anotherCard(expected: sample.ident, found: sample.ident)
        case .anotherCard: .statusWord(StatusWord(rawValue: 0x6F00), command: "sign")
        case .statusWord: .badResponse(command: "sign", field: "sig", problem: "is missing")
        case .badResponse: .card(CardError(number: 406, text: "invalid state"), command: "new")
        case .card: .wrongCVC(.atMost(2))
        case .wrongCVC: .unprovenCVC
        case .unprovenCVC: .cvcNeeded(command: "sign")
        case .cvcNeeded: .rateLimited(seconds: 12)
        case .rateLimited: .badProof(.cardKey, detail: "it is by another key")
        case .badProof: .invalidCVC(.length(5))
        case .invalidCVC: .invalidArgument(command: "sign", problem: "the digest has 31 bytes")
        case .invalidArgument: .notSupported(command: "backup", product: .satschip)
        case .notSupported: .weakRandomness
        case .weakRandomness: .badBackup(.keyFormat)
        case .badBackup: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] {
        let problems: [Backup.Problem] = [.keyLength(31), .length(1), .wrongKey, .damaged, .notMaster, .path, .cutOff]
        let products: [CardProduct] = [.tapsigner, .satscard]
        let refusals = (0...999).map { Self.card(CardError(number: $0, text: "text"), command: "sign") }
        let tries: [RemainingTries] = [.atMost(1), .atMost(0), .delayed(seconds: 15)]
        return Proof.allCases.map { .badProof($0, detail: "it is not so") } + problems.map { .badBackup($0) }
            + products.map { .notSupported(command: "slots", product: $0) } + tries.map { .wrongCVC($0) } + refusals
            + [.invalidCVC(.notADigit), .badResponse(command: "sign", field: "", problem: "is truncated")]
    }
}

extension TapLinkError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .tooLong }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .tooLong: .noLink
        case .noLink: .unknownHost("example.org")
        case .unknownHost: .severalLinks
        case .severalLinks: .nothingSigned(.satscard)
        case .nothingSigned: .notAPair("x")
        case .notAPair: .unknownField("x")
        case .unknownField: .wrongProduct(.tapsigner, .slot)
        case .wrongProduct: .repeated(.nonce)
        case .repeated: .missing(.nonce)
        case .missing: .badValue(.nonce, "x")
        case .badValue: .textAfterSignature("x")
        case .textAfterSignature: .forged
        case .forged: .severalKeys
        case .severalKeys: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] { [.notAPair(""), .badValue(.state, "")] }
}
