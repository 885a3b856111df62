/// How much of a request passes before anybody looks at it. Whoever reads a request takes time that grows with the square of
/// a line's length, and any web page in the browser can send one.
struct RequestBound {
    /// In bytes; cookies of other servers on this machine can take some thousand.
    private static let longestLine = 8_192
    /// All lines of a request, in bytes.
    private static let longestHead = 65_536

    /// What a browser is told that sends more. Spec: RFC 6585, section 5.
    static let refusal = [UInt8](
        "HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
    /// The beginning of the answer to a browser that was let in: what follows is not a request. Spec: RFC 6455, section 4.2.2.
    private static let switching = [UInt8]("HTTP/1.1 101 ".utf8)

    private var line = 0
    /// Whether the line has nothing but carriage returns so far.
    private var isBlank = true
    private var head = 0
    private var isLifted = false

    /// Whether these further bytes of the browser's may pass.
    mutating func allows(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isLifted else { return true }
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                // A blank line ends the request's head.
                if isBlank { head = 0 }
                (line, isBlank) = (0, true)
            } else {
                if byte != UInt8(ascii: "\r") { isBlank = false }
                line += 1
                head += 1
            }
            guard line <= Self.longestLine, head <= Self.longestHead else { return false }
        }
        return true
    }

    /// Looks at what the browser is answered.
    mutating func answered(_ bytes: UnsafeRawBufferPointer) {
        if bytes.starts(with: Self.switching) { isLifted = true }
    }
}
