import ByteCodec
import Synchronization

/// What lets one browser in: a token that is good once, and the cookie that it is exchanged for.
///
/// Both are 32 bytes of the system's random source, as 43 characters of base64url (RFC 4648, section 5).
final class PageSecrets: Sendable {
    /// For the fragment of the page's address, which a browser sends to nobody.
    let token: String
    private let cookie: String
    private let isTokenSpent = Mutex(false)

    init() {
        var generator = SystemRandomNumberGenerator()
        (token, cookie) = (Self.drawn(using: &generator), Self.drawn(using: &generator))
    }

    /// Spends the token.
    /// - Returns: the cookie; `nil` for anything but the token, and for the token from the second time on.
    func cookie(for given: String) -> String? {
        guard Self.isSame(given, token) else { return nil }
        return isTokenSpent.withLock { isSpent in
            defer { isSpent = true }
            return isSpent ? nil : cookie
        }
    }

    /// Whether this is the cookie, which nobody has before the token is spent.
    func isCookie(_ given: String) -> Bool { isTokenSpent.withLock { $0 } && Self.isSame(given, cookie) }

    private static func drawn(using generator: inout SystemRandomNumberGenerator) -> String {
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return Base64.encode(bytes).filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : String($0) }
            .joined()
    }

    /// Compares in a time that does not depend on where they differ.
    private static func isSame(_ first: String, _ second: String) -> Bool {
        let (first, second) = (Array(first.utf8), Array(second.utf8))
        guard first.count == second.count else { return false }
        return zip(first, second).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
