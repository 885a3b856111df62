import Bitcoin

/// `status`: what the card reports about itself. The response to SELECT is the same map.
///
/// Verified: the key is the one that the session began with, and so is everything that never changes.
///
/// Spec: protocol, "Commands".
struct StatusCommand: TapCommand {
    static let name = "status"

    /// The lockout times of cards, in seconds: they count down from 15.
    static let usualAuthDelays = 0...255
    /// The block heights at manufacture that the protocol allows.
    static let usualBirths = 700_000...999_999

    static func authentication(for product: CardProduct) -> Authentication { .none }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> CardStatus {
        try Self.status(from: fields)
    }

    func verify(_ response: CardStatus, in exchange: Exchange) throws(TapError) {
        try Self.verify(response, against: exchange.card)
    }

    /// Parses a status map, from `status` or from SELECT. Fields that no proof needs may deviate from the protocol.
    static func status(from fields: ResponseFields) throws(TapError) -> CardStatus {
        try noteProtocol(of: fields)
        let isSigner = try fields.optionalFlag("tapsigner")
        let isChip = try fields.optionalFlag("satschip")
        if isChip, !isSigner { fields.note("`satschip` without `tapsigner`") }
        let product: CardProduct = isChip ? .satschip : isSigner ? .tapsigner : .satscard
        let isSatscard = product == .satscard
        return CardStatus(
            product: product, appletVersion: try version(from: fields),
            birthHeight: try fields.promisedNumber("birth", usually: usualBirths),
            publicKey: try fields.publicKey("pubkey"), isTestnet: try fields.optionalFlag("testnet"),
            authDelaySeconds: try fields.authDelay() ?? 0,
            path: isSatscard ? nil : try path(from: fields),
            backupCount: product == .tapsigner ? try fields.promisedNumber("num_backups", usually: 0...127) : nil,
            slots: isSatscard ? try slots(from: fields) : nil, address: isSatscard ? try address(from: fields) : nil,
            isTampered: try fields.optionalFlag("tampered"))
    }

    /// Verifies that a status belongs to the same card as an earlier one.
    /// - Throws: `TapError.anotherCard`, `.badProof`.
    static func verify(_ status: CardStatus, against earlier: CardStatus) throws(TapError) {
        guard status.publicKey == earlier.publicKey else {
            throw .anotherCard(expected: earlier.ident, found: status.ident)
        }
        guard status.hasConstantFacts(of: earlier) else {
            throw .badProof(.constantFacts, detail: "product, version, birth, network or slot count changed")
        }
    }

    private static func noteProtocol(of fields: ResponseFields) throws(TapError) {
        guard fields.has("proto") else { return fields.note("`proto` is missing") }
        let number = try fields.integer("proto")
        if number != 1 { fields.note("`proto` is \(number), not 1") }
    }

    private static func version(from fields: ResponseFields) throws(TapError) -> AppletVersion {
        let text = fields.has("ver") ? try fields.text("ver", maximumLength: .max) : ""
        let version = AppletVersion(cardText: text)
        if !version.isReadable {
            fields.note("`ver` is unreadable")
        } else if text != "\(version.major).\(version.minor).\(version.patch)" {
            fields.note("`ver` is more or less than three numbers: \(version)")
        }
        return version
    }

    /// - Returns: any BIP-32 path; whether the card accepts it shows when it is moved there.
    private static func path(from fields: ResponseFields) throws(TapError) -> DerivationPath? {
        guard fields.has("path") else { return nil }
        let numbers = try fields.integers("path", count: 0...Int(UInt8.max), in: 0...0xFFFF_FFFF)
        let path = DerivationPath(numbers.map { ChildNumber(rawValue: UInt32($0)) })
        if !DeriveCommand.canReach(path) { fields.note("`path` is \(path), which `derive` does not accept") }
        return path
    }

    private static func slots(from fields: ResponseFields) throws(TapError) -> CardStatus.Slots {
        let numbers = try fields.integers("slots", count: 2...2, in: 0...Int(UInt8.max))
        guard let active = numbers.first, let total = numbers.last, total >= 1, active <= total else {
            throw fields.bad("slots", "are out of range")
        }
        if total > usualSlotCount { fields.note("`slots` counts \(total)") }
        return CardStatus.Slots(active: active, total: total)
    }

    /// The most slots that the protocol allows.
    private static let usualSlotCount = 10

    private static func address(from fields: ResponseFields) throws(TapError) -> TrimmedAddress? {
        guard fields.has("addr") else { return nil }
        guard let address = TrimmedAddress(parsing: try fields.text("addr", maximumLength: 90)) else {
            throw fields.bad("addr", "is not a trimmed address")
        }
        if !address.isUsual { fields.note("`addr` is \(address)") }
        return address
    }
}
