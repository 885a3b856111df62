#if CHANGES_ANY_INPUT
    import CFuzzer
    import Foundation

    /// The corpus for libraries without libFuzzer's coverage: libFuzzer would mutate the same input forever. Instead, any
    /// input is picked with libFuzzer's seed, and mutated.
    enum AnyInput {
        private static let mostChanges: UInt32 = 4

        /// The content of the folders on the command line, always in the same order.
        private static let inputs: [[UInt8]] = CommandLine.arguments.dropFirst(2).flatMap { folder -> [[UInt8]] in
            guard !folder.hasPrefix("-") else { return [] }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.sorted().compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)").map(Array.init) }
        }

        /// Puts a mutated input where libFuzzer expects it.
        /// - Returns: its length in bytes.
        fileprivate static func change(_ bytes: UnsafeMutablePointer<UInt8>, count: Int, most: Int, seed: UInt32) -> Int
        {
            var count = count
            if !inputs.isEmpty {
                let input = inputs[Int(seed) % inputs.count].prefix(most)
                for (place, byte) in input.enumerated() { bytes[place] = byte }
                count = input.count
            }
            for _ in 0...(seed >> 16) % mostChanges { count = LLVMFuzzerMutate(bytes, count, most) }
            return count
        }
    }

    /// libFuzzer calls this for its next input.
    @_cdecl("LLVMFuzzerCustomMutator")
    func changeAnyInput(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: UInt32) -> Int {
        AnyInput.change(bytes, count: count, most: most, seed: seed)
    }
#endif
