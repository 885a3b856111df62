import Bitcoin
import ByteCodec
import TapProtocol

/// A registered wallet as text, to keep it elsewhere and to pass it to other programs.
///
/// Spec: HWI's `RegisteredDescriptor`: Base64 of `rdesc`, version 1, and four texts with their lengths as compact sizes
/// before them: the name, the descriptor, the kind of device, and what the device needs. Several descriptors are on a line
/// each, which HWI does not read.
package struct RegistrationText: Sendable, Equatable {
    /// The wallet's name.
    package let name: String
    /// Its descriptors, as they are written.
    package let descriptors: [String]
    /// The kind of device that registered it, as HWI calls it.
    package let device: String
    /// What the device gave.
    package let registration: [UInt8]

    /// The most bytes that are read: a hundred of the largest descriptors would not fit, but nobody has those.
    package static let maximumLength = 1 << 20
    private static let magic = Array("rdesc".utf8)
    private static let version: UInt64 = 1

    /// - Parameter product: that of the card that registered it.
    package init(_ content: RegisteredContent, _ registration: WalletRegistration, by product: CardProduct) {
        name = content.name
        descriptors = content.descriptors.map(\.description)
        device = product.rawValue
        self.registration = registration.bytes
    }

    /// Reads it.
    /// - Throws: `RegistrationError.malformed`.
    package init(parsing text: String) throws(RegistrationError) {
        guard text.utf8.count <= Self.maximumLength, let bytes = try? Base64.decode(text.trimmingLineEnds) else {
            throw .malformed
        }
        var reader = ByteReader(bytes)
        do {
            guard try reader.read(Self.magic.count) == Self.magic, try reader.compactSize() == Self.version else {
                throw RegistrationError.malformed
            }
            name = try Self.text(&reader)
            descriptors = try Self.text(&reader).split(separator: "\n", omittingEmptySubsequences: false).map(
                String.init)
            device = try Self.text(&reader)
            registration = Array(try reader.sizedSlice())
            try reader.expectEnd()
        } catch { throw .malformed }
    }

    /// The text, in one line.
    package var text: String {
        var bytes = Self.magic
        bytes.appendCompactSize(Self.version)
        for text in [name, descriptors.joined(separator: "\n"), device] { bytes.appendSized(text.utf8) }
        bytes.appendSized(registration)
        return Base64.encode(bytes)
    }

    private static func text(_ reader: inout ByteReader) throws -> String {
        guard let text = String(validating: try reader.sizedSlice(), as: UTF8.self) else {
            throw RegistrationError.malformed
        }
        return text
    }
}

extension String {
    fileprivate var trimmingLineEnds: Substring {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
