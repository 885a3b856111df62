import Bitcoin
import ChainData
import TapManager

/// The chain server that was asked for.
extension GlobalOptions {
    /// The server; `nil`: none was named, and none is guessed.
    func chainServer() throws(Failure) -> ChainServer? { try ChainServer.asked(chainText) }

    /// A manager's: the server that was named, whichever network it is asked about; `nil`: none was named.
    func chainServers() throws(Failure) -> ChainServers? {
        guard let server = try chainServer() else { return nil }
        var settings = ChainSettings()
        if let proxy = try Setting(option: proxyText, variable: "TAPKIT_PROXY", key: .proxy) {
            settings.proxy = try proxy.proxyURL()
        }
        settings.homeFolder = EnvironmentVariable.value("HOME")
        let console = console
        settings.pins = CertificatePinFile(folder: try storeFolder().folder) { server, pin in
            console.note(
                "The certificate of \(server) is of no authority; from now on it is remembered: SHA-256 \(pin)")
        }
        return ChainServers { [settings] network in server.open(network: network, settings: settings) }
    }
}
