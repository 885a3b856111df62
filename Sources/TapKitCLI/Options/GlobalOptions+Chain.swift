import Bitcoin
import ChainData
import TapManager

/// The chain server that was asked for.
extension GlobalOptions {
    /// The server; `nil`: none was named, and none is guessed.
    func chainServer() throws(Failure) -> ChainServer? {
        guard let setting = try Setting(option: chainText, variable: "TAPKIT_CHAIN", key: .chain) else { return nil }
        return try ChainServer(setting)
    }

    /// The way to the server, not yet connected; `nil` when none was named.
    func chainSource(for network: Network) throws(Failure) -> (any ChainSource)? {
        guard let server = try chainServer() else { return nil }
        var settings = ChainSettings()
        if let proxy = try Setting(option: proxyText, variable: "TAPKIT_PROXY", key: .proxy) {
            settings.proxy = try proxy.proxyURL()
        }
        settings.homeFolder = EnvironmentVariable.value("HOME")
        let console = console
        settings.pins = CertificatePinFile(folder: try dataFolder()) { server, pin in
            console.note(
                "The certificate of \(server) is of no authority; from now on it is remembered: SHA-256 \(pin)")
        }
        return server.open(network: network, settings: settings)
    }

    /// The way to the server, for verbs that are of no use without one.
    /// - Parameter task: what it is for, as a sentence ends.
    /// - Throws: `Failure.noChainServer`.
    func requiredChainSource(for network: Network, to task: String) throws(Failure) -> any ChainSource {
        guard let source = try chainSource(for: network) else {
            throw Failure(.noChainServer, "There is no chain server to \(task).")
        }
        return source
    }
}
