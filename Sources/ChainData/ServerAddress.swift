import Glibc

/// Hosts and ports.
enum ServerAddress {
    /// Reads `host` or `[IPv6]`; the brackets are removed.
    static func host(_ text: some StringProtocol) -> String? {
        if text.hasPrefix("[") {
            guard text.hasSuffix("]") else { return nil }
            let address = text.dropFirst().dropLast()
            let isAddress =
                address.contains(":")
                && address.utf8.allSatisfy { isHex($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
            return isAddress ? String(address) : nil
        }
        guard (1...253).contains(text.utf8.count), text.utf8.allSatisfy(isNameCharacter), !text.hasPrefix("-"),
            !text.hasPrefix(".")
        else { return nil }
        return String(text)
    }

    /// Reads a port, 1…65535, digits only.
    static func port(_ text: some StringProtocol) -> UInt16? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(text), port > 0
        else { return nil }
        return port
    }

    /// Whether a host is this machine, without asking a name server.
    static func isLoopback(_ host: String) -> Bool {
        if host.lowercased() == "localhost" { return true }
        var address = in_addr()
        if inet_pton(AF_INET, host, &address) == 1 { return UInt32(bigEndian: address.s_addr) >> 24 == 127 }
        var long = in6_addr()
        guard inet_pton(AF_INET6, host, &long) == 1 else { return false }
        return withUnsafeBytes(of: &long) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }

    /// Whether this is a host, with or without a port.
    static func isAuthority(_ text: Substring) -> Bool {
        guard let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") else { return host(text) != nil }
        return host(text[..<colon]) != nil && port(text[text.index(after: colon)...]) != nil
    }

    private static func isHex(_ byte: UInt8) -> Bool { Unicode.Scalar(byte).properties.isASCIIHexDigit }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }
}
