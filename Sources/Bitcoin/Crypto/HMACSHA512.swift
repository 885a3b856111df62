import CNettle
import Glibc

/// HMAC with SHA-512, as BIP-32 uses it.
///
/// Spec: RFC 2104, FIPS 180-4.
enum HMACSHA512 {
    /// Writes the 64-byte code of `message` under `key` to memory that the caller owns, so that it can be secret.
    static func authenticate(
        key: some Collection<UInt8>, message: UnsafeRawBufferPointer, into code: SecretBytesBuffer
    ) {
        var context = hmac_sha512_ctx()
        let key = Array(key)
        nettle_hmac_sha512_set_key(&context, key.count, key)
        nettle_hmac_sha512_update(
            &context, message.count, message.baseAddress?.assumingMemoryBound(to: UInt8.self))
        nettle_hmac_sha512_digest(&context, min(64, code.count), code.baseAddress?.assumingMemoryBound(to: UInt8.self))
        withUnsafeMutableBytes(of: &context) { $0.wipe() }
    }

    /// The 64-byte code of a message, when neither it nor the key is secret.
    static func authenticate(key: [UInt8], publicMessage message: [UInt8]) -> [UInt8] {
        [UInt8](capacity: 64) { code, count in
            message.withUnsafeBytes {
                authenticate(key: key, message: $0, into: SecretBytesBuffer(start: code, count: count))
            }
        }
    }
}

/// Memory lent by `SecretBytes` while it is being filled.
public typealias SecretBytesBuffer = UnsafeMutableRawBufferPointer

extension UnsafeMutableRawBufferPointer {
    /// Overwrites the memory with zeros in a way that the compiler cannot leave out.
    public func wipe() { if let baseAddress { explicit_bzero(baseAddress, count) } }
}
