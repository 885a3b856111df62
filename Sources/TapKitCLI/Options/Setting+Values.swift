import Bitcoin
import ByteCodec
import ChainData
import TapProtocol

/// What settings are read as, wherever they come from.
extension ReaderSpec {
    /// - Throws: `Failure`: `.usage`, `.badEnvironment`, `.badConfiguration`.
    init(_ setting: Setting) throws(Failure) {
        guard let spec = ReaderSpec(parsing: setting.text) else {
            throw setting.invalid(
                "Unknown reader “\(setting.text)”.",
                hint: "Use one of \(ReaderSpec.formsText) (tapkit help readers).")
        }
        self = spec
    }
}

extension Network {
    /// - Throws: `Failure`: `.usage`, `.badEnvironment`, `.badConfiguration`.
    init(_ setting: Setting) throws(Failure) {
        guard let network = Network(rawValue: setting.text) else {
            throw setting.invalid("Unknown network “\(setting.text)”: main, test, testnet4, signet or regtest.")
        }
        self = network
    }
}

extension [PublicKey] {
    /// Keys with commas or spaces between.
    /// - Throws: `Failure`: `.usage`, `.badEnvironment`, `.badConfiguration`.
    init(_ setting: Setting) throws(Failure) {
        self = []
        for text in setting.text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            guard let bytes = try? Hex.decode(String(text)), let key = try? PublicKey(bytes) else {
                throw setting.invalid("A factory root is a compressed public key of 66 hexadecimal digits.")
            }
            append(key)
        }
    }
}

extension Setting {
    private static let proxySchemes = ["socks5h://", "socks5://", "http://"]

    /// The way to the chain server.
    /// - Throws: `Failure`: `.usage`, `.badEnvironment`, `.badConfiguration`.
    func proxyURL() throws(Failure) -> String {
        guard let scheme = Self.proxySchemes.first(where: text.hasPrefix), text.count > scheme.count else {
            throw invalid(
                "“\(text)” is no proxy.", hint: "For Tor: socks5h://127.0.0.1:9050. Also: socks5://…, http://….")
        }
        return text
    }
}

extension ChainServer {
    /// - Throws: `Failure`: `.usage`, `.badEnvironment`, `.badConfiguration`.
    init(_ setting: Setting) throws(Failure) {
        do throws(ChainServerError) { self = try ChainServer(parsing: setting.text) } catch {
            throw setting.invalid("\(error).", hint: "Use esplora:URL, electrum:HOST:PORT[:t|:s] or core:URL.")
        }
    }
}
