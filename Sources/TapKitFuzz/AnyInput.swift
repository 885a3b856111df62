#if CHANGES_ANY_INPUT
    import CFuzzer
    import Foundation

    /// The corpus for libraries that do not tell libFuzzer where they have been: it would change one and the same input for
    /// ever then. Instead any input is taken, as libFuzzer's seed has it, and changed.
    enum AnyInput {
        private static let mostChanges: UInt32 = 4

        /// What the folders on the command line hold, always in the same order.
        private static let inputs: [[UInt8]] = CommandLine.arguments.dropFirst(2).flatMap { folder -> [[UInt8]] in
            guard !folder.hasPrefix("-") else { return [] }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.sorted().compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)").map(Array.init) }
        }

        /// Puts a changed input where libFuzzer wants it.
        /// - Returns: how many bytes it has.
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

    /// What libFuzzer calls for its next input.
    @_cdecl("LLVMFuzzerCustomMutator")
    func changeAnyInput(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: UInt32) -> Int {
        AnyInput.change(bytes, count: count, most: most, seed: seed)
    }
#endif
