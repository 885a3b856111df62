import Foundation
import TestSupport
import Testing

@testable import TapManager

/// A kit is read in time that grows as its main document and its folder do. How JSON is read, `JSONScalingTests`
/// measures.
@Suite struct KitScalingTests {
    @Test func kits() async throws {
        let bench = try DrillBench()
        let holders = try (UInt8(1)...2).map { try SampleWallet(seed: $0) }
        try await bench.written(try #require(SamplePolicy("multi(2,#A,#B)", holders).descriptor().text))
        let path = URL(fileURLWithPath: bench.kit + "/" + KitFile.Name.document.rawValue)
        let document = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any])
        let files = try #require(document["files"] as? [Any])
        // A kit takes a while by itself: what grows begins where it takes longer.
        let changes: [(String, Int, (Int) -> (String, Any))] = [
            ("values", 40_000, { ("more", [Int](repeating: 1, count: $0)) }),
            ("letters", 1 << 18, { ("more", String(repeating: "é", count: $0)) }),
            ("cards", 16_000, { ("cards", [Any](repeating: ["fingerprint": "0a0b0c0d", "ident": "x"], count: $0)) }),
            ("files", 16_000, { ("files", [Any](repeating: ["name": "x", "sha256": ""], count: $0) + files) }),
        ]
        for (what, most, change) in changes {
            try Scaling.expectLinear("\(what) of a kit", from: most / 16, upTo: most) { size in
                let kit = bench.folder.path("\(what)-\(size)")
                if !FileManager.default.fileExists(atPath: kit) {
                    try FileManager.default.copyItem(atPath: bench.kit, toPath: kit)
                }
                var document = document
                let (key, value) = change(size)
                document[key] = value
                try JSONSerialization.data(withJSONObject: document)
                    .write(to: URL(fileURLWithPath: kit + "/" + path.lastPathComponent))
                return kit
            } work: { kit in
                _ = try ReadKit(folder: kit)
            }
        }
        try Scaling.expectLinear("what else is in a kit's folder", from: 128, upTo: 2_048) { size in
            let kit = bench.folder.path("folder-\(size)")
            if !FileManager.default.fileExists(atPath: kit) {
                try FileManager.default.copyItem(atPath: bench.kit, toPath: kit)
                for number in 0..<size {
                    try Data().write(to: URL(fileURLWithPath: kit + (number % 4 == 0 ? "/" : "/.") + "x\(number)"))
                }
            }
            return kit
        } work: { kit in
            _ = try ReadKit(folder: kit)
        }
    }
}
