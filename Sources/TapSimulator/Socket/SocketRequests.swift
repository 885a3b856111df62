/// Cuts a stream of bytes into requests: one CBOR map each, however the writes were split or run together.
///
/// What can become no map, is longer than a card reads, or stays unfinished, is unreadable, together with all that came
/// behind it.
struct SocketRequests {
    /// What is found in the stream.
    enum Request: Equatable {
        /// A whole CBOR map, not yet looked into.
        case map([UInt8])
        /// Bytes to be answered with error 422.
        case unreadable
    }

    /// How long the rest of a request may take, in milliseconds.
    static let patience: Int32 = 1_000

    private let longest: Int
    private var buffer: [UInt8] = []
    private var isHopeless = false

    /// - Parameter longest: bytes in the longest request.
    init(longest: Int) { self.longest = longest }

    /// Whether the rest of a request is awaited.
    var isBegun: Bool { !buffer.isEmpty }

    /// Takes up what came.
    mutating func append(_ bytes: [UInt8]) { buffer += bytes }

    /// No more bytes came: what there is will be no request any more.
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
