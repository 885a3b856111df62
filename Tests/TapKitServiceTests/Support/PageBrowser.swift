import Glibc
import Synchronization
import TapKitService

/// What a browser does with the page's address, with every header in the test's hand.
final class PageBrowser: Sendable {
    /// An answer.
    struct Answer: Sendable {
        var status = 0
        /// By their names in lower case.
        var headers: [String: String] = [:]
        var body = ""
    }

    let host: String
    let port: UInt16
    let token: String
    /// What the page's own requests say.
    var origin: String { "http://\(host)" }
    /// In this machine's byte order.
    private let address: UInt32
    private let stored = Mutex<String?>(nil)

    /// - Parameter address: as the transport gave it.
    init?(_ address: String) {
        guard let parts = address.wholeMatch(of: /http:\/\/((?:[0-9]+\.){3}[0-9]+):([0-9]+)\/#(.+)/),
            let port = UInt16(parts.2)
        else { return nil }
        (host, self.port, token) = ("\(parts.1):\(port)", port, String(parts.3))
        self.address = parts.1.split(separator: ".").reduce(0) { $0 << 8 | (UInt32($1) ?? 0) }
    }

    /// The headers that the page's own requests have; `cookie` once there is one.
    var ownHeaders: [String: String] {
        var headers = ["Host": host, "Origin": origin, "Sec-Fetch-Site": "same-origin"]
        headers["Cookie"] = stored.withLock { $0 }
        return headers
    }

    /// Exchanges the token for the cookie, as the page does once.
    func enter() -> Answer {
        let answer = request("POST", "/session", ownHeaders, token)
        if let cookie = answer.headers["set-cookie"]?.split(separator: ";").first {
            stored.withLock { $0 = String(cookie) }
        }
        return answer
    }

    /// Sends a request on a connection of its own, and reads the whole answer.
    func request(
        _ method: String, _ path: String, _ headers: [String: String], _ body: String = ""
    ) -> Answer {
        Answer(content(method, path, headers, body)) ?? Answer()
    }

    /// Sends a request on a connection of its own; everything that comes back, until the connection ends or is upgraded.
    func content(
        _ method: String, _ path: String, _ headers: [String: String], _ body: String = ""
    ) -> [UInt8] {
        guard let socket = connected() else { return [] }
        defer { close(socket) }
        let length = method == "POST" ? ["Content-Length": "\(body.utf8.count)"] : [:]
        let all = headers.merging(length) { first, _ in first }.merging(["Connection": "close"]) { first, _ in first }
        let lines = ["\(method) \(path) HTTP/1.1"] + all.map { "\($0): \($1)" } + ["", body]
        Self.send(Array(lines.joined(separator: "\r\n").utf8), on: socket)
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            content += buffer.prefix(count)
            // A connection that was upgraded stays open.
            if let answer = Answer(content), answer.status == 101 { break }
        }
        return content
    }

    /// A connection; `nil` if nobody listens any more.
    func connected() -> Int32? {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = self.address.bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            close(socket)
            return nil
        }
        return socket
    }

    static func send(_ bytes: [UInt8], on socket: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

extension PageBrowser.Answer {
    /// - Returns: `nil` while the headers are not whole.
    init?(_ content: [UInt8]) {
        let text = String(decoding: content, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        guard let first = lines.first?.split(separator: " "), first.count > 1, let status = Int(first[1]) else {
            return nil
        }
        self.status = status
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        body = String(text[end.upperBound...])
    }
}
