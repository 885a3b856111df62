import Glibc

/// The pinentry to use: the one that `TAPKIT_PINENTRY` names, else the one that GnuPG uses.
///
/// Spec: gpg-agent(1), `--pinentry-program`.
struct PinentryProgram: Equatable, Sendable {
    /// tapkit's own variable, which overrides GnuPG's choice.
    static let variable = "TAPKIT_PINENTRY"
    private static let name = "pinentry"
    private static let usualPath = "/usr/bin/pinentry"
    private static let configurationLimit = 1 << 16

    /// The program's path.
    let path: String

    /// Finds the program: `TAPKIT_PINENTRY`; `pinentry-program` in `gpg-agent.conf` in `$GNUPGHOME`, or else
    /// in `~/.gnupg`; `pinentry` in the `PATH`; `/usr/bin/pinentry`.
    /// - Parameter environment: a variable's value; `nil` when unset or empty.
    /// - Returns: `nil` when there is none. A named program is returned even if it cannot be started.
    init?(environment: (String) -> String?) {
        if let named = environment(Self.variable) ?? Self.configured(environment) {
            path = named
            return
        }
        let folders = environment("PATH")?.split(separator: ":").filter { $0.hasPrefix("/") } ?? []
        let candidates = folders.map { "\($0)/\(Self.name)" } + [Self.usualPath]
        guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else { return nil }
        path = found
    }

    private static func configured(_ environment: (String) -> String?) -> String? {
        let folder = environment("GNUPGHOME") ?? environment("HOME").map { $0 + "/.gnupg" }
        guard let folder, folder.hasPrefix("/"),
            let content = content(of: folder + "/gpg-agent.conf")
        else { return nil }
        return program(in: content)
    }

    /// A file's text; `nil` when it cannot be read, or is too long for such a file.
    private static func content(of path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: configurationLimit + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0, count <= configurationLimit else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// The program that the text of a `gpg-agent.conf` names; the last one wins.
    static func program(in configuration: String) -> String? {
        var found: String?
        for line in configuration.split(whereSeparator: \.isNewline) {
            let words = line.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
            guard words.count == 2, words[0] == "pinentry-program" || words[0] == "--pinentry-program" else { continue }
            var value = words[1].drop { $0.isWhitespace }
            while value.last?.isWhitespace == true { value = value.dropLast() }
            if value.count > 1, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
            if value.hasPrefix("/") { found = String(value) }
        }
        return found
    }
}
