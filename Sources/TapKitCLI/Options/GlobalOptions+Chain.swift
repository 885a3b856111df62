import Bitcoin
import ChainData
import Settings
import TapManager
import Terminal

/// The requested chain server.
extension GlobalOptions {
    /// The server; `nil`: none was named. There is no default.
    func chainServer() throws(Failure) -> ChainServer? {
        do { return try ChainServer.asked(chainText) } catch { throw Failure(error) }
    }

    /// The named server for a manager, on any network; `nil`: none was named.
    func chainServers() throws(Failure) -> ChainServers? {
        guard let server = try chainServer() else { return nil }
        var settings = ChainSettings()
        do {
            settings.proxy = try Setting(option: proxyText, variable: "TAPKIT_PROXY", key: .proxy)?.proxyURL()
        } catch { throw Failure(error) }
        settings.homeFolder = EnvironmentVariable.value("HOME")
        let console = console
        settings.pins = CertificatePinFile(folder: try storeFolder().folder) { server, pin in
            console.note(
                "No authority has signed the certificate of \(server). From now on only this certificate is accepted: SHA-256 \(pin)"
            )
        }
        return ChainServers { [settings] network in server.open(network: network, settings: settings) }
    }
}
