import Bitcoin
import ByteCodec

/// `new`: the card picks its master key, once for ever, from its own randomness and our chain code.
///
/// Verified: the slot is the asked one. That our chain code is in use is proven by `TapSession.proveChainCode`.
///
/// Spec: protocol, "Commands".
struct NewCommand: TapCommand {
    static let name = "new"
    static let products = CardProduct.signers

    /// Bytes of a chain code.
    static let chainCodeLength = 32

    /// 32 bytes.
    let chainCode: [UInt8]

    /// - Throws: `TapError.invalidArgument` for a chain code of other length.
    init(chainCode: [UInt8]) throws(TapError) {
        guard chainCode.count == Self.chainCodeLength else {
            throw Self.invalid("a chain code has 32 bytes, not \(chainCode.count)")
        }
        self.chainCode = chainCode
    }

    static func authentication(for product: CardProduct) -> Authentication { .required }

    func arguments(in exchange: Exchange) -> CBORMap {
        ["slot": .unsigned(0), "chain_code": .bytes(chainCode)]
    }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> Int {
        try fields.integer("slot", in: 0...0)
    }
}
