import Bitcoin

/// `status`: what the card says of itself. The answer to SELECT is the same map.
///
/// Verified: the key is the one the session began with, and so is all that never changes.
///
/// Spec: protocol, "Commands".
struct StatusCommand: TapCommand {
    static let name = "status"

    /// The longest security delay that is believed, in seconds. Cards count down from 15.
    static let authDelays = 0...255

    static func authentication(for product: CardProduct) -> Authentication { .none }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> CardStatus {
        try Self.status(from: fields)
    }

    func verify(_ response: CardStatus, in exchange: Exchange) throws(TapError) {
        try Self.verify(response, against: exchange.card)
    }

    /// Reads a status map, from `status` or from SELECT.
    static func status(from fields: ResponseFields) throws(TapError) -> CardStatus {
        _ = try fields.integer("proto", in: 1...1)
        guard let version = AppletVersion(parsing: try fields.text("ver", maximumLength: 11)) else {
            throw fields.bad("ver", "is no version")
        }
        let isSigner = try fields.optionalFlag("tapsigner")
        let isChip = try fields.optionalFlag("satschip")
        let product: CardProduct =
            switch (isSigner, isChip) {
            case (true, true): .satschip
            case (true, false): .tapsigner
            case (false, false): .satscard
            case (false, true): throw fields.bad("satschip", "stands without `tapsigner`")
            }
        return CardStatus(
            product: product, appletVersion: version,
            birthHeight: try fields.integer("birth", in: 700_000...999_999),
            publicKey: try fields.publicKey("pubkey"), isTestnet: try fields.optionalFlag("testnet"),
            authDelaySeconds: fields.has("auth_delay") ? try fields.integer("auth_delay", in: authDelays) : 0,
            path: isSigner ? try path(from: fields) : nil,
            backupCount: product == .tapsigner ? try fields.integer("num_backups", in: 0...127) : nil,
            slots: isSigner ? nil : try slots(from: fields), address: isSigner ? nil : try address(from: fields),
            isTampered: try fields.optionalFlag("tampered"))
    }

    /// Confirms that a status is the same card's as an earlier one.
    /// - Throws: `TapError.anotherCard`, `.badProof`.
    static func verify(_ status: CardStatus, against earlier: CardStatus) throws(TapError) {
        guard status.publicKey == earlier.publicKey else {
            throw .anotherCard(expected: earlier.ident, found: status.ident)
        }
        guard status.hasConstantFacts(of: earlier) else {
            throw .badProof(.constantFacts, detail: "product, version, birth, network or slot count changed")
        }
    }

    private static func path(from fields: ResponseFields) throws(TapError) -> DerivationPath? {
        guard fields.has("path") else { return nil }
        let numbers = try fields.integers(
            "path", count: 0...DeriveCommand.maximumSteps, in: 0x8000_0000...0xFFFF_FFFF)
        return DerivationPath(numbers.map { ChildNumber(rawValue: UInt32($0)) })
    }

    private static func slots(from fields: ResponseFields) throws(TapError) -> CardStatus.Slots {
        let numbers = try fields.integers("slots", count: 2...2, in: 0...10)
        guard let active = numbers.first, let total = numbers.last, total >= 1, active <= total else {
            throw fields.bad("slots", "are out of range")
        }
        return CardStatus.Slots(active: active, total: total)
    }

    private static func address(from fields: ResponseFields) throws(TapError) -> TrimmedAddress? {
        guard fields.has("addr") else { return nil }
        guard let address = TrimmedAddress(parsing: try fields.text("addr", maximumLength: 90)) else {
            throw fields.bad("addr", "is no trimmed address")
        }
        return address
    }
}
