import Bitcoin
import ByteCodec

/// Spends from the published vectors in the form that `ScriptTarget` accepts, and single operations.
enum ScriptSeeds {
    static func all(_ vectors: VectorTexts) throws -> [[UInt8]] {
        try vectors.objects(in: "computed/script_spends.json").compactMap(published) + operations
    }

    /// A whole transaction.
    private static func published(_ fields: [String: Any]) -> [UInt8]? {
        guard let text = fields["transaction"] as? String, let transaction = try? Hex.decode(text),
            let outputs = fields["spent_outputs"] as? [[String: Any]], (1...4).contains(outputs.count)
        else { return nil }
        var seed: [UInt8] = [5] + [UInt8](repeating: 0xFF, count: 8) + [UInt8(outputs.count - 1)]
        for output in outputs {
            guard let value = output["value"] as? Int64, let text = output["script_pub_key"] as? String,
                let script = try? Hex.decode(text), let length = UInt8(exactly: script.count)
            else { return nil }
            seed += (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * Int64($0))) } + [length] + script
        }
        return seed + transaction
    }

    /// Each operation between pushes, in each wrapping.
    private static var operations: [[UInt8]] {
        var seeds: [[UInt8]] = []
        for wrapping: UInt8 in 0..<5 {
            // Conditions that are not minimal, without rules and with each.
            for rule: UInt32 in [0] + (0..<10).map({ 1 << $0 }) {
                var seed = [wrapping]
                seed += (0..<4).map { UInt8(truncatingIfNeeded: rule >> (24 - 8 * $0)) }
                seed += [UInt8](repeating: 0, count: 13)
                seed += [1, 1, 2, 0x63, 0x51, 0x67, 0x00, 0x68]
                seeds.append(seed)
            }
            for operation: UInt8 in 0x4F...0xBA {
                // The rules, the transaction's version, sequence and lock time; then three items of the stack.
                var seed = [wrapping]
                seed += [UInt8](repeating: 0, count: 17)
                seed += [3, 1, 1, 1, 2, 2, 3, 4, 0x51, operation, 0x51]
                seeds.append(seed)
            }
        }
        return seeds
    }
}
