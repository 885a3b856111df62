import Bitcoin
import ByteCodec

/// Where a card's habits show: in its signatures, and in the form of its responses.
extension CardCore {
    /// Whether the card has a habit.
    func has(_ habit: CardHabit) -> Bool { state.habits.contains(habit) }

    /// A signature of the same digest by the same key, adapted to the card's habits. Uses none of the card's randomness, so
    /// that the card otherwise behaves like one without habits.
    func habitual(_ signature: ECDSASignature, digest: Digest, key: PrivateKey) throws(CardFault) -> ECDSASignature {
        var signature = signature
        if has(.highR) {
            var entropy = SHA256.hash(signature.compact)
            while signature.hasLowR {
                guard let next = try? key.sign(digest: digest, extraEntropy: entropy) else { throw .invalidState }
                signature = next
                entropy = SHA256.hash(entropy)
            }
        }
        guard has(.highS) else { return signature }
        guard let high = ECDSASignature(compact: HighS.of(signature.compact)) else { throw .invalidState }
        return high
    }

    /// The encoded response to a command, adapted to the card's habits.
    func encoded(_ answer: CBORMap, to command: String) -> [UInt8] {
        guard !state.habits.isEmpty else { return CBOREncoder.encode(.map(answer)) }
        var answer = answer
        if command == StatusHandler.name { changeStatus(&answer) }
        if has(.oddXpub), case .bytes(let key)? = answer["xpub"] {
            answer["xpub"] = .bytes(Self.oddBeginning + key.dropFirst(Self.oddBeginning.count))
        }
        if has(.missingFields) { leaveOut(of: &answer, to: command) }
        if has(.missingNonces), command != StatusHandler.name { answer["card_nonce"] = nil }
        if has(.extraFields) {
            answer["mark"] = .unsigned(1)
            answer["lot"] = .array([.null, .negative(offset: 1)])
        }
        if has(.otherOrder) {
            answer = answer.pairs.reversed().reduce(into: CBORMap()) { $0[$1.key] = $1.value }
        }
        return has(.longHeads) ? LongHeads.encode(.map(answer)) : CBOREncoder.encode(.map(answer))
    }

    /// Version bytes of another kind, depth 99, a parent, and a hardened child.
    private static let oddBeginning: [UInt8] = [0x04, 0xB2, 0x47, 0x46, 99, 1, 2, 3, 4, 0x80, 0, 0, 7]

    private func changeStatus(_ answer: inout CBORMap) {
        let version = state.version.rawValue
        if has(.oddBirth) { answer["birth"] = .unsigned(5_000_000_000) }
        if has(.otherProtocol) { answer["proto"] = .unsigned(2) }
        if has(.versionSuffix) { answer["ver"] = .text("v\(version)-rc1 (lot 7)") }
        if has(.unreadableVersion) { answer["ver"] = .text("second edition") }
        if has(.chipAlone), answer["satschip"] != nil { answer["tapsigner"] = nil }
        if has(.addressEnds), case .text(let address)? = answer["addr"] {
            answer["addr"] = .text("\(address.prefix(10))_____\(address.suffix(9))")
        }
    }

    private func leaveOut(of answer: inout CBORMap, to command: String) {
        for name in ["proto", "birth", "num_backups", "slot", "success", "error"] { answer[name] = nil }
        if command == WaitHandler.name { answer["auth_delay"] = nil }
        if answer["privkey"] != nil { answer["pubkey"] = nil }
        if command == DumpHandler.name, answer["pubkey"] != nil { answer["addr"] = nil }
    }
}

/// CBOR whose lengths and numbers take two or more bytes, longer than any encoder needs to write.
///
/// Spec: RFC 8949, section 3.
enum LongHeads {
    static func encode(_ value: CBORValue) -> [UInt8] {
        switch value {
        case .unsigned(let number): head(0, number)
        case .negative(let offset): head(1, offset)
        case .bytes(let content): head(2, UInt64(content.count)) + content
        case .text(let text): head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let items): head(4, UInt64(items.count)) + items.flatMap(encode)
        case .map(let map):
            head(5, UInt64(map.pairs.count)) + map.pairs.flatMap { encode(.text($0.key)) + encode($0.value) }
        case .bool, .null, .other: CBOREncoder.encode(value)
        }
    }

    private static func head(_ major: UInt8, _ argument: UInt64) -> [UInt8] {
        let bytes = withUnsafeBytes(of: argument.bigEndian) { Array($0) }
        return switch argument {
        case 0...0xFFFF: [major << 5 | 25] + bytes.suffix(2)
        case 0x1_0000...0xFFFF_FFFF: [major << 5 | 26] + bytes.suffix(4)
        default: [major << 5 | 27] + bytes
        }
    }
}
