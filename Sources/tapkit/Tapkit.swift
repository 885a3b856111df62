import TapKitCLI

@main struct Tapkit {
    static func main() async { await EntryPoint.main() }
}
