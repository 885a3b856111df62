import Bitcoin
import Glibc

/// The file in which a running node leaves its current password.
///
/// Spec: Bitcoin Core, `-rpccookiefile`.
struct CookieFile: Sendable {
    private static let longest = 4096

    let path: String

    /// The usual place below a home folder.
    init(homeFolder: String, network: Network) {
        let folder =
            switch network {
            case .main: ""
            case .test: "testnet3/"
            case .testnet4: "testnet4/"
            case .signet: "signet/"
            case .regtest: "regtest/"
            }
        path = "\(homeFolder)/.bitcoin/\(folder).cookie"
    }

    init(path: String) { self.path = path }

    /// Reads `user:password`. A node rewrites the file each time it starts.
    func credentials() throws(ChainError) -> HTTPRequest.Credentials {
        let shown = ServerText(path)
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            throw .unauthorized(detail: "\(shown): \(ServerText(String(cString: strerror(errno))))")
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.longest)
        let count = read(file, &bytes, bytes.count)
        let text = count > 0 ? String(validating: bytes.prefix(count), as: UTF8.self) : nil
        let line = text?.prefix { !$0.isNewline } ?? ""
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { throw .unauthorized(detail: "\(shown) does not contain user:password") }
        return HTTPRequest.Credentials(user: String(parts[0]), password: String(parts[1]))
    }
}
