import Bitcoin
import TapManager

/// A coordinator's descriptor record in a file.
///
/// Spec: BIP-129, "Round 2", "Signer".
enum BSMSFile {
    private static let limit = 1 << 16

    /// The wallet's descriptors, whose first address was found to be the record's.
    /// - Parameters:
    ///   - path: the file; `-` for standard input.
    ///   - token: hexadecimal digits; `nil`: the record is not encrypted.
    ///   - network: the one that was asked for; `nil`: the one of the record's first address.
    /// - Throws: `Failure`: `.usage`, `.badDescriptor`, `.wrongNetwork`, and what reading a file throws.
    static func descriptors(_ path: String, token: String?, network: Network?) throws(Failure) -> [String] {
        guard let token = BSMSToken(hex: token ?? "00") else {
            throw Failure(.usage, "--token has 16 or 32 hexadecimal digits, or is 00.")
        }
        let bytes = try InputFile.read(path, limit: limit)
        guard let text = token.opened(String(decoding: bytes, as: UTF8.self)) else {
            throw Failure(
                .badDescriptor, "\(path): the record does not open with this token, or was altered.",
                hint: "Ask the coordinator for both again.")
        }
        let networks = network.map { [$0] } ?? [.main, .test, .regtest]
        do throws(BSMSDescriptorRecord.Fault) {
            return try BSMSDescriptorRecord(parsing: text, networks: networks).descriptors
        } catch { throw Failure(error, file: path) }
    }
}
