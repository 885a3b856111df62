import Bitcoin
import ByteCodec

/// The fields of a link's fragment, parsed strictly: those of its product, each once, in a card's own spelling, the
/// signature last. Unknown fields are signed with the rest, and ignored if their names are lower-case letters. Nothing
/// is proven yet.
///
/// Spec: protocol, "Tap link".
struct LinkFields {
    /// Hexadecimal digits of a signature.
    static let signatureDigits = 2 * ECDSASignature.length
    /// Hexadecimal digits of a nonce and of a short ident.
    private static let shortDigits = 16
    /// Characters of the address's end.
    private static let addressEndLength = 8

    /// What the link claims to be about.
    enum Claim {
        /// The slot, and the last 8 characters of its address.
        case slot(SlotNumber, addressEnd: String)
        /// The card's short ident.
        case card(shortIdent: String)
    }

    let state: TapLink.State
    let claim: Claim
    /// 8 bytes.
    let nonce: [UInt8]
    /// 64 bytes; not verified here.
    let signature: [UInt8]
    /// The signed text: up to and including `s=`.
    let signedText: String
}

extension LinkFields {
    /// Parses a fragment.
    /// - Throws: `TapLinkError`, except the cases about finding and proving the link.
    init(_ fragment: String, product: CardProduct) throws(TapLinkError) {
        let values = try Self.values(fragment)
        let isSigner = product != .satscard
        let known = isSigner ? TapLinkField.ofSigners : TapLinkField.ofSatscards
        for field in TapLinkField.allCases where values[field] != nil && !known.contains(field) {
            throw .wrongProduct(product, field)
        }
        func value(_ field: TapLinkField) throws(TapLinkError) -> String {
            guard let value = values[field] else { throw .missing(field) }
            return value
        }
        func hex(_ field: TapLinkField, digits: Int) throws(TapLinkError) -> [UInt8] {
            let value = try value(field)
            guard value.utf8.count == digits, value.utf8.allSatisfy({ $0.isLowercaseHex }),
                let bytes = try? Hex.decode(value)
            else { throw .badValue(field, value) }
            return bytes
        }

        let letter = try value(.state)
        switch (letter, isSigner) {
        case ("S", _): state = .sealed
        case ("U", false): state = .unsealed
        case ("U", true): state = .unused
        case ("E", _): state = .error
        default: throw .badValue(.state, letter)
        }
        if isSigner {
            guard try value(.signer) == "1" else { throw .badValue(.signer, try value(.signer)) }
            claim = .card(shortIdent: Hex.encode(try hex(.ident, digits: Self.shortDigits)))
        } else {
            let slot = try value(.slot)
            // As a card writes it: no sign, no leading zeros.
            guard let index = UInt8(slot), String(index) == slot else { throw .badValue(.slot, slot) }
            let end = try value(.addressEnd)
            guard end.utf8.count == Self.addressEndLength, end.utf8.allSatisfy({ $0.isLowercaseOrDigit }) else {
                throw .badValue(.addressEnd, end)
            }
            claim = .slot(SlotNumber(index: Int(index)), addressEnd: end)
        }
        nonce = try hex(.nonce, digits: Self.shortDigits)
        signature = try hex(.signature, digits: Self.signatureDigits)
        signedText = String(fragment.dropLast(Self.signatureDigits))
    }

    /// The pairs of a fragment; the signature's is the last.
    private static func values(_ fragment: String) throws(TapLinkError) -> [TapLinkField: String] {
        var values: [TapLinkField: String] = [:]
        for pair in fragment.split(separator: "&", omittingEmptySubsequences: false) {
            if values[.signature] != nil { throw .textAfterSignature("&" + pair) }
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { throw .notAPair(String(pair)) }
            guard let field = TapLinkField(rawValue: String(halves[0])) else {
                guard !halves[0].isEmpty, halves[0].utf8.allSatisfy({ (97...122).contains($0) }) else {
                    throw .unknownField(String(halves[0]))
                }
                continue
            }
            guard values.updateValue(String(halves[1]), forKey: field) == nil else { throw .repeated(field) }
        }
        if let signature = values[.signature], signature.utf8.count > signatureDigits,
            signature.utf8.prefix(signatureDigits).allSatisfy({ $0.isLowercaseHex })
        {
            throw .textAfterSignature(String(signature.dropFirst(signatureDigits)))
        }
        return values
    }
}

extension UInt8 {
    fileprivate var isLowercaseOrDigit: Bool { (48...57).contains(self) || (97...122).contains(self) }
    fileprivate var isLowercaseHex: Bool { (48...57).contains(self) || (97...102).contains(self) }
}
