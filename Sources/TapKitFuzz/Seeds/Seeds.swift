import Bitcoin
import ByteCodec
import Foundation

/// What searches start with, as files.
enum Seeds {
    /// The longest seed: longer ones are slow and rarely add anything.
    private static let longest = 1_536

    /// Writes a folder for each target. File names are the beginning of the hash, as in libFuzzer.
    static func write(to folder: String) throws {
        let vectors = VectorTexts()
        for target in FuzzTargets.all {
            let place = URL(fileURLWithPath: folder).appendingPathComponent(target.name)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let seeds = Set(try target.seeds(vectors)).filter { $0.count <= min(longest, target.maximumLength) }
            for seed in seeds {
                let name = Hex.encode(SHA256.hash(seed).prefix(10))
                try Data(seed).write(to: place.appendingPathComponent(name))
            }
            print("\(target.name): \(seeds.count) seeds")
        }
    }
}
