import Foundation
import TestSupport
import Testing

/// The ways of a PSBT to the card and of a signature to the file, as two pages draw them.
@Suite struct WalkTests {
    /// The stops of each way that a page draws, in order: a line that is not continued begins another one.
    private func walks(_ path: String) throws -> [[String]] {
        let page = try String(contentsOf: Vectors.root.appendingPathComponent(path), encoding: .utf8)
        var walks: [[String]] = []
        for drawing in page.matches(of: /```\n([^`]*→[^`]*)```/).map(\.1) {
            for line in drawing.split(separator: "\n") {
                let stops = line.split(separator: "→").compactMap { stop -> String? in
                    let text = stop.trimmingCharacters(in: .whitespaces)
                    // What a stop does stands behind it.
                    let name = text.firstRange(of: "  ").map { String(text[..<$0.lowerBound]) } ?? text
                    return name.isEmpty ? nil : name
                }
                if line.hasPrefix("→") || line.hasPrefix(" "), let last = walks.indices.last {
                    walks[last] += stops
                } else {
                    walks.append(stops)
                }
            }
        }
        return walks
    }

    private func types(_ stops: [String]) -> [String] {
        stops.filter { $0.first?.isUppercase == true }.map { String($0.prefix { $0 != "." }) }
    }

    @Test func everyStopIsATypeAndNoneIsFar() async throws {
        let readme = try walks("README.md")
        let handbook = try walks("Sources/TapKitCLI/Handbook.docc/Contributing.md")
        #expect(readme.count == 2 && readme.map(types) == handbook.map(types))
        let files = try await SourceFile.all()
        let kinds = ["struct", "class", "enum", "actor", "protocol"]
        for walk in readme + handbook {
            #expect((2...11).contains(walk.count), "\(walk)")
            for type in types(walk) {
                let declaration = try Regex("\\b(\(kinds.joined(separator: "|"))) \(type)\\b")
                let words = kinds.map { "\($0) \(type)" }
                #expect(files.contains { !$0.code(matching: declaration, with: words).isEmpty }, "\(type)")
            }
        }
    }
}
