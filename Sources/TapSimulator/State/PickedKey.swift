import Bitcoin
import ByteCodec

/// A master key as the card picked it, with the chain code that the host supplied or the card reused.
struct PickedKey: Codable, Sendable, Equatable {
    private let masterKey: StoredSecret
    private let storedChainCode: HexBytes

    private enum CodingKeys: String, CodingKey {
        case masterKey = "master_key"
        case storedChainCode = "chain_code"
    }

    init(masterKey: PrivateKey, chainCode: [UInt8]) {
        self.masterKey = StoredSecret(masterKey.secret)
        storedChainCode = HexBytes(chainCode)
    }

    private init(masterKey: StoredSecret, chainCode: HexBytes) {
        self.masterKey = masterKey
        storedChainCode = chainCode
    }

    /// The same master key with another chain code.
    func with(chainCode: [UInt8]) -> Self { Self(masterKey: masterKey, chainCode: HexBytes(chainCode)) }

    /// 32 bytes.
    var chainCode: [UInt8] { storedChainCode.bytes }

    /// The master key as the root of a BIP-32 tree.
    /// - Throws: `CardFault.invalidState` for bytes that are not a key, which an opened file never has.
    func master(_ network: SimulatedNetwork) throws(CardFault) -> ExtendedPrivateKey {
        guard let key = try? PrivateKey(masterKey.bytes), let code = ChainCode(chainCode) else { throw .invalidState }
        return ExtendedPrivateKey(master: key, chainCode: code, network: network.keyNetwork)
    }

    /// The key below the master key at a path.
    /// - Throws: `CardFault.invalidState` if there is none (probability below 2⁻¹²⁷).
    func descendant(_ path: [UInt32], _ network: SimulatedNetwork) throws(CardFault) -> ExtendedPrivateKey {
        let master = try master(network)
        do {
            return try master.descendant(DerivationPath(path.map(ChildNumber.init(rawValue:))))
        } catch {
            throw .invalidState
        }
    }
}

extension SimulatedNetwork {
    var keyNetwork: KeyNetwork { self == .main ? .main : .test }
}
