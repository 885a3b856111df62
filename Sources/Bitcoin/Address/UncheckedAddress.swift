import ByteCodec

/// A well-formed address whose network has not been checked. Test networks share address formats, so a text may belong
/// to several networks; `require(_:)` makes it usable on one.
public struct UncheckedAddress: Hashable, Sendable {
    /// The networks that this address may belong to, at least one.
    public let networks: [Network]
    /// The locking script of outputs that pay to this address.
    public let scriptPubKey: Script

    /// Reads Base58Check (P2PKH, P2SH) or a witness address of any version, in lower or upper case.
    ///
    /// Spec: BIP-13, BIP-173, BIP-350.
    public init(parsing text: some StringProtocol) throws(AddressError) {
        let decoded: (humanReadablePart: String, values: [UInt8], variant: Bech32.Variant)
        do { decoded = try Bech32.decode(text) } catch {
            guard !Self.hasWitnessPrefix(text) else { throw .notBech32(error) }
            self = try Self(base58Check: text)
            return
        }
        self = try Self(bech32: decoded)
    }

    /// The address, for use on `network`.
    /// - Throws: `AddressError.wrongNetwork` when it belongs to other networks.
    public func require(_ network: Network) throws(AddressError) -> Address {
        guard networks.contains(network), let address = Address(scriptPubKey: scriptPubKey, network: network) else {
            throw .wrongNetwork(asked: network, found: networks)
        }
        return address
    }

    private static func hasWitnessPrefix(_ text: some StringProtocol) -> Bool {
        let start = String(decoding: text.utf8.prefix(5), as: UTF8.self).lowercased()
        return Network.allCases.contains { start.hasPrefix($0.humanReadablePart + "1") }
    }

    private init(networks: [Network], scriptPubKey: Script) {
        self.networks = networks
        self.scriptPubKey = scriptPubKey
    }

    private init(base58Check text: some StringProtocol) throws(AddressError) {
        let payload: [UInt8]
        do { payload = try Base58Check.decode(text) } catch { throw .notBase58Check(error) }
        guard let version = payload.first else { throw .hashLength(0) }
        let hash = Array(payload.dropFirst())
        let keyNetworks = Network.allCases.filter { $0.p2pkhVersion == version }
        let networks = keyNetworks.isEmpty ? Network.allCases.filter { $0.p2shVersion == version } : keyNetworks
        guard !networks.isEmpty else { throw .unknownVersion(version) }
        guard let script = keyNetworks.isEmpty ? Script.p2sh(scriptHash: hash) : Script.p2pkh(keyHash: hash) else {
            throw .hashLength(hash.count)
        }
        self.init(networks: networks, scriptPubKey: script)
    }

    private init(
        bech32 decoded: (humanReadablePart: String, values: [UInt8], variant: Bech32.Variant)
    ) throws(AddressError) {
        let networks = Network.allCases.filter { $0.humanReadablePart == decoded.humanReadablePart }
        guard !networks.isEmpty else { throw .unknownPrefix(decoded.humanReadablePart) }
        guard let version = decoded.values.first, version <= 16 else { throw .witnessVersion(decoded.values.first) }
        guard decoded.variant == (version == 0 ? .bech32 : .bech32m) else { throw .checksumVariant(version: version) }
        let program: [UInt8]
        do { program = try Bech32.bytes(fromFiveBitValues: decoded.values.dropFirst()) } catch {
            throw .notBech32(error)
        }
        guard let script = Script.witness(version: version, program: program) else {
            throw .programLength(version: version, length: program.count)
        }
        self.init(networks: networks, scriptPubKey: script)
    }
}
