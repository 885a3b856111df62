/// Which of a browser's bytes pass before anybody looks at the request: one request at a time, within limits, and none of
/// it that could be taken for another request.
///
/// Any web page in the browser can send a request, from this user, with a body of its choice; only what the browser writes
/// around it can be trusted. So a body is passed on only if whoever reads the request cannot miss where it ends. And to read
/// a line takes time that grows with the square of its length.
/// Spec: RFC 9112, sections 2.2, 5.1, 6.2, 6.3 and 11.2 (request smuggling).
struct RequestBound {
    /// What a browser sent that does not pass.
    enum Fault {
        /// Lines that are too long, or too many.
        case head
        /// A body that is too long.
        case body
        /// Not a request as browsers write it, or more than one at a time.
        case form

        /// What the browser is told. Spec: RFC 9110, sections 15.5.1 and 15.5.14; RFC 6585, section 5.
        var answer: [UInt8] {
            let status =
                switch self {
                case .head: "431 Request Header Fields Too Large"
                case .body: "413 Content Too Large"
                case .form: "400 Bad Request"
                }
            return [UInt8]("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        }
    }

    /// What comes next.
    private enum Place {
        case request, headers
        /// So many bytes of the body.
        case body(Int)
        /// The server's answer; nothing more of the browser's until then.
        case answer
        /// What follows the server's consent is no longer HTTP.
        case webSocket
    }

    /// In bytes; cookies of other servers on this machine can take some thousand.
    private static let longestLine = 8_192
    /// All lines of a request, in bytes.
    private static let longestHead = 65_536
    /// In bytes: a token is the longest that the page sends.
    private static let longestBody = 1_024
    /// The beginning of the answer to a browser that was let in: what follows is not a request. Spec: RFC 6455, section 4.2.2.
    private static let switching = [UInt8]("HTTP/1.1 101 ".utf8)

    private var place = Place.request
    /// The line of the head that comes in.
    private var line: [UInt8] = []
    /// In bytes.
    private var headLength = 0
    private var bodyLength: Int?

    /// What is wrong with these further bytes of the browser's; `nil`: they may pass.
    mutating func fault(in bytes: UnsafeRawBufferPointer) -> Fault? {
        if case .webSocket = place { return nil }
        for byte in bytes {
            switch place {
            case .request, .headers: if let fault = readHead(byte) { return fault }
            case .body(let rest): place = rest > 1 ? .body(rest - 1) : .answer
            case .answer, .webSocket: return .form
            }
        }
        return nil
    }

    /// Looks at what the browser is answered.
    mutating func answered(_ bytes: UnsafeRawBufferPointer) {
        guard case .answer = place else { return }
        place = bytes.starts(with: Self.switching) ? .webSocket : .request
    }

    private mutating func readHead(_ byte: UInt8) -> Fault? {
        guard line.count < Self.longestLine, headLength < Self.longestHead else { return .head }
        headLength += 1
        guard byte == UInt8(ascii: "\n") else {
            line.append(byte)
            return nil
        }
        defer { line.removeAll(keepingCapacity: true) }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else { return .form }
        if case .request = place {
            place = .headers
            return line.isEmpty ? .form : nil
        }
        return line.isEmpty ? endHead() : readHeader()
    }

    private mutating func readHeader() -> Fault? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            line[..<colon].allSatisfy({ (0x21...0x7E).contains($0) })
        else { return .form }
        switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
        case "transfer-encoding": return .form
        case "content-length":
            let value = String(decoding: line[(colon + 1)...], as: UTF8.self).trimmingPrefix { $0 == " " }
            guard bodyLength == nil, !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return .form
            }
            bodyLength = Int(value) ?? .max
            return nil
        default: return nil
        }
    }

    private mutating func endHead() -> Fault? {
        let length = bodyLength ?? 0
        guard length <= Self.longestBody else { return .body }
        place = length > 0 ? .body(length) : .answer
        (headLength, bodyLength) = (0, nil)
        return nil
    }
}
