import ByteCodec
import Foundation

/// The texts of the published vectors in `Vectors`, wherever they are in a file.
struct VectorTexts {
    private let folder: URL

    /// The vectors of the repository whose root is the current folder.
    init() { folder = URL(fileURLWithPath: "Vectors") }

    /// The texts of a file, such as `bips/bip32.json`, in its order.
    /// - Parameter keys: the keys of the objects whose values are wanted; `nil` means all.
    func texts(in file: String, at keys: Set<String>? = nil) throws -> [String] {
        let data = try Data(contentsOf: folder.appendingPathComponent(file))
        var found: [String] = []
        Self.collect(try JSONSerialization.jsonObject(with: data), isWanted: keys == nil, keys, into: &found)
        return found
    }

    /// The objects of a file's list `vectors`.
    func objects(in file: String) throws -> [[String: Any]] {
        let data = try Data(contentsOf: folder.appendingPathComponent(file))
        let content = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return content?["vectors"] as? [[String: Any]] ?? []
    }

    /// The hexadecimal texts of some files, except those shorter than five bytes.
    func hexadecimal(in files: [String]) throws -> [[UInt8]] {
        try files.flatMap { try texts(in: $0) }.compactMap { try? Hex.decode($0) }.filter { $0.count > 4 }
    }

    /// All PSBTs, valid or not.
    var psbts: [[UInt8]] {
        get throws {
            let files = [
                "bips/bip174.json", "bips/bip370.json", "bips/bip371.json", "bitcoin-core/rpc_psbt.json",
                "hwi/test_psbt.json", "libwally-core/psbt.json",
            ]
            return try files.flatMap { try texts(in: $0) }.compactMap { text in
                if text.hasPrefix("cHNidP") { return try? Base64.decode(utf8: Array(text.utf8)) }
                return text.hasPrefix("70736274ff") ? try? Hex.decode(text) : nil
            }
        }
    }

    private static func collect(_ value: Any, isWanted: Bool, _ keys: Set<String>?, into found: inout [String]) {
        switch value {
        case let text as String where isWanted: found.append(text)
        case let items as [Any]: for item in items { collect(item, isWanted: isWanted, keys, into: &found) }
        case let fields as [String: Any]:
            for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
                collect(value, isWanted: keys?.contains(key) ?? true, keys, into: &found)
            }
        default: break
        }
    }
}
