import Foundation
import TestSupport

/// A simulated card that was made with `tapkit sim new`, and the two CVCs that a test gives it.
struct TestCard {
    /// The card's state and the test's other files.
    let folder: TemporaryFolder
    /// The state file.
    let file: String
    let cvc: String
    let rootKey: String
    let aesKey: String
    let ident: String

    /// Makes a TAPSIGNER.
    static func tapsigner(network: String = "test", options: [String] = []) async throws -> TestCard {
        let folder = try TemporaryFolder()
        let file = folder.path("card.json")
        let made = try await Subprocess.run(
            Subprocess.tapkit,
            ["sim", "new", file, "--product", "tapsigner", "--network", network, "--json"] + options
        ).succeeded().json()
        return TestCard(
            folder: folder, file: file, cvc: try made.text("cvc"), rootKey: try made.text("root_key"),
            aesKey: try made.text("aes_key"), ident: try made.text("ident"))
    }

    /// The options with which `tapkit` takes this card: its root, and a CVC from a file.
    func options(cvc: String? = nil) throws -> [String] {
        ["--root-key", rootKey, "--cvc-file", try folder.write("\(cvc ?? self.cvc)\n", to: "cvc"), "--json", "--yes"]
    }
}

extension [String: Any] {
    /// A field that must be there.
    func text(_ key: String) throws -> String { try field(key) }

    /// A field that must be there with this type.
    func field<Field>(_ key: String, as type: Field.Type = Field.self) throws -> Field {
        guard let value = self[key] as? Field else { throw MissingField(name: key, present: keys.sorted()) }
        return value
    }

    /// An answer lacks a field, or it has another type.
    struct MissingField: Error {
        let name: String
        let present: [String]
    }
}
