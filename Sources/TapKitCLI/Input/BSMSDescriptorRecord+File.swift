import Bitcoin
import TapManager
import Terminal

extension BSMSDescriptorRecord {
    private static let sizeLimit = 1 << 16

    /// Reads a coordinator's record, and checks that its first address is the wallet's.
    /// - Parameters:
    ///   - file: `-` for standard input.
    ///   - token: hexadecimal digits; `nil`: the record is not encrypted.
    ///   - network: the requested network; `nil`: that of the record's first address.
    /// - Throws: `Failure`: `.usage`, `.badDescriptor`, and what reading a file throws.
    init(file: String, token: String?, network: Network?) throws(Failure) {
        let token = try BSMSToken(option: token)
        let sent = String(decoding: try InputFile.read(file, limit: Self.sizeLimit), as: UTF8.self)
        do throws(Fault) { try self.init(opening: sent, with: token, network: network) } catch {
            throw Failure(error, file: file)
        }
    }
}
