import Foundation
import RegexBuilder
import TestSupport

/// One Swift file below `Sources`, as text.
struct SourceFile {
    /// The path below the repository's root.
    let path: String
    /// The target's folder.
    let folder: String
    private let text: String
    /// The lines as they stand.
    let lines: [String]
    /// The lines without line comments.
    let code: [Substring]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        folder = String(path.split(separator: "/")[1])
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        code = lines.map { line in
            guard line.contains("//") else { return line[...] }
            return line.firstRange(of: /(^|\s)\/\//).map { line[..<$0.lowerBound] } ?? line[...]
        }
    }

    /// All Swift files of the repository's `Sources`.
    static func all() async throws -> [SourceFile] { try await everything.value }

    /// Read once for all rules.
    private static let everything = Task {
        try await Repository.files().filter { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }.map {
            SourceFile(path: $0, text: try String(contentsOf: Vectors.root.appendingPathComponent($0), encoding: .utf8))
        }
    }

    /// The lines of code with a match, numbered from 1.
    /// - Parameter words: every match holds one of them. `Regex` is slow in debug builds: files without any are left out.
    func code(matching regex: some RegexComponent, with words: [String]) -> [(number: Int, line: Substring)] {
        guard words.contains(where: { strstr(text, $0) != nil }) else { return [] }
        return code.enumerated().filter { $0.element.contains(regex) }.map { ($0.offset + 1, $0.element) }
    }

    /// The modules that the file imports, with whatever stands before or after the word `import`.
    var imports: Set<String> {
        let attributes = /(?:@\w+(?:\([^)]*\))?\s+)*/
        let access = /(?:(?:public|package|internal|fileprivate|private)\s+)?/
        let kind = /(?:(?:struct|class|enum|protocol|typealias|func|let|var|actor)\s+)?/
        let statement = Regex {
            /^\s*/
            attributes
            access
            /import\s+/
            kind
            Capture { /\w+/ }
        }
        let statements = code.filter { $0.contains("import") }.flatMap { $0.split(separator: ";") }
        return Set(statements.compactMap { $0.firstMatch(of: statement).map { String($0.1) } })
    }
}

/// What git knows of the repository.
enum Repository {
    /// The paths of all files that are tracked, or new and not ignored.
    static func files() async throws -> [String] { try await listed.value }

    /// Listed once for all tests.
    private static let listed = Task {
        let root = Vectors.root
        let listing = try await Subprocess.run(
            "git", ["-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard"], directory: root
        ).succeeded().text
        return listing.split(separator: "\n").map(String.init).filter {
            FileManager.default.fileExists(atPath: root.appendingPathComponent($0).path)
        }
    }
}
