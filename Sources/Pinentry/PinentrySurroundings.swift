import Glibc

/// The screen and terminal that a pinentry may use, passed on as GnuPG's agent does.
///
/// Spec: gpg-agent(1), "GPG_TTY"; pinentry, "Protocol".
struct PinentrySurroundings: Sendable {
    /// The only environment variables that the program gets.
    let variables: [String: String]
    /// The options that it gets, in order.
    let options: [String]

    private static let passed = [
        "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TERM", "GPG_TTY",
        "DISPLAY", "XAUTHORITY", "XMODIFIERS", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE",
        "XDG_CURRENT_DESKTOP", "XDG_DATA_DIRS", "DBUS_SESSION_BUS_ADDRESS", "GTK_IM_MODULE", "QT_IM_MODULE",
        "QT_QPA_PLATFORM", "INSIDE_EMACS", "PINENTRY_USER_DATA",
    ]

    /// Reads this process's environment and terminal.
    /// - Parameter environment: a variable's value; `nil` when unset or empty.
    init(environment: (String) -> String?) {
        var variables: [String: String] = [:]
        for name in Self.passed { variables[name] = environment(name) }
        var options: [String] = []
        if let display = environment("DISPLAY") { options.append("display=\(display)") }
        if let terminal = environment("GPG_TTY") ?? Self.inputTerminal {
            options.append("ttyname=\(terminal)")
            options.append("ttytype=\(environment("TERM") ?? "dumb")")
        }
        if let type = environment("LC_ALL") ?? environment("LC_CTYPE") ?? environment("LANG") {
            options.append("lc-ctype=\(type)")
        }
        if let messages = environment("LC_ALL") ?? environment("LC_MESSAGES") ?? environment("LANG") {
            options.append("lc-messages=\(messages)")
        }
        self.variables = variables
        self.options = options
    }

    /// The terminal behind standard input, if there is one.
    private static var inputTerminal: String? {
        var name = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard ttyname_r(STDIN_FILENO, &name, name.count) == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
