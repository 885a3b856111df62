import TapKitCLI

/// The command `tapkit`.
@main struct Tapkit {
    static func main() async { await EntryPoint.main() }
}
