import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// A program on a terminal of its own, and the hands on its keyboard.
final class Terminal: Sendable {
    private let terminal: PseudoTerminal
    private let files: TemporaryFolder
    private let process: InteractiveProcess
    /// The beginning of a character that was read in part.
    private let begun = Mutex<[UInt8]>([])

    /// Starts `tapkit` in a session whose controlling terminal is this one; its standard output goes to a file.
    convenience init(_ workshop: Workshop, _ arguments: String..., environment: [String: String?] = [:]) throws {
        try self.init(workshop, arguments, environment: environment)
    }

    /// Starts `tapkit` in a session whose controlling terminal is this one.
    /// - Parameters:
    ///   - columns: the terminal's width; 0: it does not say.
    ///   - showsOutput: whether standard output goes to the terminal too, and not to a file.
    ///   - isOther: whether `tapkit` has no terminal, and is only told of this one by `GPG_TTY`.
    ///   - isNamed: whether `GPG_TTY` names the terminal that it has.
    init(
        _ workshop: Workshop, _ arguments: [String], environment: [String: String?] = [:], columns: UInt16 = 0,
        showsOutput: Bool = false, isOther: Bool = false,
        isNamed: Bool = false
    ) throws {
        files = try TemporaryFolder()
        terminal = try PseudoTerminal(columns: columns)
        _ = fcntl(terminal.controller, F_SETFL, O_NONBLOCK)
        var surroundings = workshop.environment.merging(["TERM": "xterm"]) { $1 }
        if isOther || isNamed { surroundings["GPG_TTY"] = terminal.path }
        guard !isOther else {
            process = try InteractiveProcess(
                Subprocess.tapkit, arguments,
                environment: surroundings.merging(environment) { $1 },
                directory: workshop.folder.url)
            return
        }
        process = try InteractiveProcess(
            "/usr/bin/setsid",
            ["--wait", "--ctty", "sh", "-c", #"exec "$0" "$@" 2>&0"# + (showsOutput ? " >&0" : ""), Subprocess.tapkit]
                + arguments,
            environment: surroundings.merging(environment) { $1 }, directory: workshop.folder.url,
            terminal: terminal.device)
    }

    /// Whether typed characters are shown.
    var echoes: Bool {
        var attributes = termios()
        return tcgetattr(terminal.device, &attributes) == 0 && attributes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// What the program wrote to standard output.
    var output: String { process.text }

    /// What the program wrote to standard error, where that is not the terminal.
    var errorOutput: String { process.errorText }

    /// Sends a program without a terminal of its own a signal.
    func signal(_ number: Int32) { kill(process.identifier, number) }

    /// Waits until the screen shows a text that was not waited for before.
    /// - Returns: everything that was shown up to it.
    @discardableResult
    func shows(_ text: String, at location: SourceLocation = #_sourceLocation) async throws -> String {
        var shown = ""
        for _ in 0..<1000 {
            shown += whatIsThere()
            if shown.contains(text) { return shown }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("No “\(text)” in: \(shown)", sourceLocation: location)
        return shown
    }

    /// Everything that was shown and not waited for, once the program has ended.
    func rest() -> String {
        var shown = ""
        while case let part = whatIsThere(), !part.isEmpty { shown += part }
        return shown
    }

    /// The next part of what was shown; the beginning of a character whose end has not been read is kept for later.
    private func whatIsThere() -> String {
        begun.withLock { begun in
            var part = [UInt8](repeating: 0, count: 4096)
            let count = read(terminal.controller, &part, part.count)
            guard count > 0 else { return "" }
            var bytes = begun + part.prefix(count)
            // A character has at most four bytes, and begins with one that is no continuation.
            let tail = bytes.suffix(4)
            let start = tail.lastIndex { $0 & 0xC0 != 0x80 } ?? bytes.endIndex
            let length = start < bytes.endIndex ? [0xC0: 2, 0xD0: 2, 0xE0: 3, 0xF0: 4][bytes[start] & 0xF0] ?? 1 : 0
            begun = start + length > bytes.count ? Array(bytes[start...]) : []
            bytes.removeLast(begun.count)
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Types, key by key as it stands.
    func type(_ keys: String) { _ = keys.withCString { write(terminal.controller, $0, strlen($0)) } }

    /// Waits until echo is off or on.
    func waitUntil(echoes: Bool, at location: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<500 where self.echoes != echoes { try await Task.sleep(for: .milliseconds(10)) }
        #expect(self.echoes == echoes, sourceLocation: location)
    }

    /// Waits until a typed line is in the terminal and nobody has read it; by then it was echoed, if the terminal echoes.
    func waitUntilALineLies(at location: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<500 {
            var door = pollfd(fd: terminal.device, events: Int16(POLLIN), revents: 0)
            if poll(&door, 1, 0) == 1 { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("No typed line is waiting in the terminal.", sourceLocation: location)
    }

    /// Waits for the program's end.
    func ending() async throws -> Subprocess.Ending { try await process.ending() }
}
