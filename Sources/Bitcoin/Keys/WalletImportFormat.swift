import ByteCodec

/// A private key in the format in which wallets exchange single keys, with its family of networks, and whether its
/// public key should be compressed.
///
/// Spec: Bitcoin Core, `key_io.cpp`.
public struct WalletImportFormat: Sendable, CustomStringConvertible {
    /// Why a text is not such a key. No error contains any part of the text.
    public enum ParsingError: Error, Equatable, Sendable {
        /// Not Base58Check.
        case notBase58Check(Base58Check.DecodingError)
        /// A version byte that is neither 80 nor EF.
        case unknownVersion(UInt8)
        /// Neither 32 bytes after the version, nor 33 bytes that end in 1.
        case length(Int)
        /// 33 bytes after the version, but the last is not 1.
        case compressionFlag
        /// The key inside is invalid.
        case key(KeyError)
    }

    /// The most characters of a key.
    static let maximumLength = 52

    /// The key.
    public let privateKey: PrivateKey
    /// Whether the public key should be compressed.
    public let isCompressed: Bool
    /// The family of networks.
    public let network: KeyNetwork

    /// A key for export.
    public init(_ privateKey: PrivateKey, isCompressed: Bool = true, network: KeyNetwork) {
        self.privateKey = privateKey
        self.isCompressed = isCompressed
        self.network = network
    }

    /// Reads Base58Check text: `K…`, `L…`, `5…` on the main network, `c…`, `9…` on test networks.
    public init(parsing text: some StringProtocol) throws(ParsingError) {
        var payload: [UInt8]
        do { payload = try Base58Check.decode(text) } catch { throw .notBase58Check(error) }
        defer { payload.wipe() }
        guard let version = payload.first else { throw .length(0) }
        guard let network = [KeyNetwork.main, .test].first(where: { $0.importFormatVersion == version }) else {
            throw .unknownVersion(version)
        }
        switch payload.count {
        case 1 + PrivateKey.length: isCompressed = false
        case 2 + PrivateKey.length:
            guard payload.last == 1 else { throw .compressionFlag }
            isCompressed = true
        default: throw .length(payload.count - 1)
        }
        self.network = network
        do { privateKey = try PrivateKey(SecretBytes(payload[1...].prefix(PrivateKey.length))) } catch {
            throw .key(error)
        }
    }

    /// Base58Check text, 51 or 52 characters. Secret: the caller must keep it short-lived.
    public var text: String {
        var payload: [UInt8] = []
        payload.reserveCapacity(2 + PrivateKey.length)
        defer { payload.wipe() }
        payload.append(network.importFormatVersion)
        privateKey.secret.withBytes { payload.append(contentsOf: $0) }
        if isCompressed { payload.append(1) }
        return Base58Check.encode(payload)
    }

    /// The public key in the intended encoding, 33 or 65 bytes.
    public var publicKeyBytes: [UInt8] {
        isCompressed ? privateKey.publicKey.bytes : privateKey.publicKey.uncompressedBytes
    }

    /// Always the same text, whatever the key.
    public var description: String { "<private key>" }
}

extension KeyNetwork {
    fileprivate var importFormatVersion: UInt8 { self == .main ? 0x80 : 0xEF }
}
