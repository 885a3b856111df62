import ByteCodec
import TapManager

/// Registered wallets as text. The first byte chooses whether the input is the text, or what its Base64 says.
enum RegistrationTarget: FuzzTarget {
    static let name = "registration"
    static let maximumLength = 2_048

    static func run(_ bytes: [UInt8]) throws {
        var source = ByteSource(bytes)
        let isText = source.flag()
        let rest = source.rest()
        guard let text = isText ? String(validating: rest, as: UTF8.self) : Base64.encode(rest) else { return }
        let registration = try RegistrationText(parsing: text)
        let again = required("what is written is read") { try RegistrationText(parsing: registration.text) }
        expectSame(again, registration, "writing changes nothing")
        if !isText { expectSame(registration.text, text, "a registration is written in one way") }
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        let descriptors = try vectors.texts(in: "bips/bip389.json").filter { $0.contains("(") }.prefix(12)
        let registrations = descriptors.map { descriptor in
            var bytes = Array("rdesc".utf8)
            bytes.appendCompactSize(1)
            for text in ["Vault", descriptor, "tapsigner"] { bytes.appendSized(text.utf8) }
            bytes.appendSized([UInt8](repeating: 7, count: 105))
            return bytes
        }
        return registrations.map { [0] + $0 } + registrations.map { [1] + Base64.encode($0).utf8 }
    }
}
