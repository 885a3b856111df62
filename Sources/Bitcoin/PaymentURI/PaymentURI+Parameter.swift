extension PaymentURI {
    /// One `key=value` of the query, percent-decoded.
    public struct Parameter: Hashable, Sendable {
        /// The key as written. Keys are case-insensitive: compare `name`.
        public let key: String
        /// The value; `nil` when there is no equals sign. It is text from outside and may hold any character.
        public let value: String?

        /// A parameter from its parts, before percent-encoding.
        init(key: String, value: String?) {
            self.key = key
            self.value = value
        }

        /// Reads one part of a query, without its ampersands. A second equals sign belongs to the value.
        init(parsing part: some Collection<UInt8>) throws(PaymentURIError) {
            let separator = part.firstIndex(of: UInt8(ascii: "="))
            key = try PercentEncoding.decode(part[..<(separator ?? part.endIndex)])
            guard !key.isEmpty else { throw .emptyKey }
            value = try separator.map { position throws(PaymentURIError) in
                try PercentEncoding.decode(part[position...].dropFirst())
            }
        }

        /// The key with ASCII letters in lower case.
        ///
        /// Spec: BIP-321, "ABNF grammar" (keys are case-insensitive).
        public var name: String { key.asciiLowercased }

        /// Whether a program that does not understand the parameter must reject the whole URI.
        ///
        /// Spec: BIP-321, "Forward compatibility".
        public var isRequired: Bool { name.utf8.starts(with: "req-".utf8) }

        /// The parameter as written in a query.
        var text: String { PercentEncoding.encode(key) + (value.map { "=" + PercentEncoding.encode($0) } ?? "") }
    }

    /// The query's parts, in order, without empty ones.
    static func parameters(of query: some Collection<UInt8>) throws(PaymentURIError) -> [Parameter] {
        var parameters: [Parameter] = []
        for part in query.split(separator: UInt8(ascii: "&")) { parameters.append(try Parameter(parsing: part)) }
        return parameters
    }
}
