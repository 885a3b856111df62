import Bitcoin
import ByteCodec

/// A key and its address, for texts about slots.
enum SlotSamples {
    /// The generator point.
    static func key() throws -> PublicKey {
        try PublicKey(Hex.decode("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"))
    }

    /// Its P2WPKH address, as BIP-173 gives it.
    static let text = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"

    static func address() throws -> Address { try Address(parsing: text, network: .main) }
}
