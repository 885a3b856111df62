/// Splits a stream of bytes into requests: one CBOR map each, however the writes were split or merged.
///
/// Bytes that cannot become a map, are longer than a card accepts, or stay incomplete are unreadable, together with
/// everything after them.
struct SocketRequests {
    /// What is found in the stream.
    enum Request: Equatable {
        /// A complete CBOR map, not yet parsed.
        case map([UInt8])
        /// Bytes to be answered with error 422.
        case unreadable
    }

    /// How long the rest of a request may take, in milliseconds.
    static let patience: Int32 = 1_000

    private let longest: Int
    private var buffer: [UInt8] = []
    private var isHopeless = false

    /// - Parameter longest: the longest request, in bytes.
    init(longest: Int) { self.longest = longest }

    /// Whether a request has begun but is incomplete.
    var isBegun: Bool { !buffer.isEmpty }

    /// Appends received bytes.
    mutating func append(_ bytes: [UInt8]) { buffer += bytes }

    /// No more bytes came: what there is will not become a request.
    mutating func giveUp() {
        buffer = []
        isHopeless = true
    }

    /// The next request; `nil` until more bytes come.
    mutating func next() -> Request? {
        if isHopeless {
            isHopeless = false
            return .unreadable
        }
        guard let first = buffer.first else { return nil }
        guard first >> 5 == 5 else { return unreadable() }
        switch CBORExtent(of: buffer) {
        case .complete(let end) where end <= longest:
            defer { buffer.removeFirst(end) }
            return .map(Array(buffer.prefix(end)))
        case .incomplete where buffer.count <= longest: return nil
        case .complete, .incomplete, .malformed: return unreadable()
        }
    }

    private mutating func unreadable() -> Request {
        buffer = []
        return .unreadable
    }
}
