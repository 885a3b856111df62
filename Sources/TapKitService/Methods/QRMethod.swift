/// A QR code as its dark and light modules, without a margin.
package struct QRMatrix: Encodable, Sendable, Equatable {
    /// Modules a side.
    let size: Int
    /// From top to bottom: a `1` for each dark module, a `0` for each light one.
    let rows: [String]

    /// A code.
    /// - Parameter isDark: whether the module at a column and a row, both from 0, is dark.
    package init(size: Int, isDark: (_ column: Int, _ row: Int) -> Bool) {
        self.size = size
        let places = 0..<max(0, size)
        rows = places.map { row in String(places.map { column in isDark(column, row) ? "1" : "0" }) }
    }
}

/// `qr`: a text as a QR code. Who makes codes is given by the program.
struct QRMethod: ServiceMethod {
    static let name = "qr"
    static let summary = "A text as a QR code, to be drawn. Capitals and digits take less room than other characters."
    static let result =
        "size: how many modules a side has; rows: strings of 1 for dark and 0 for light ones, without a margin."
    private static let text = Parameter.text(
        "text", "The text: ASCII, at most \(longest) characters; from 2332 on, it depends on which ones."
    ).required
    static let parameters: [any ParameterDescription] = [text]

    /// No code holds more, even of digits. Spec: ISO/IEC 18004, "Symbol capacity", version 40 at level M.
    private static let longest = 5_596

    private let text: String

    static func isOffered(by processor: ServiceProcessor) -> Bool { processor.qrCode != nil }

    init(_ arguments: Arguments) throws {
        text = try arguments.required(Self.text)
        guard text.utf8.count <= Self.longest else {
            throw RPCFault(.invalidParams, "The parameter text may have at most \(Self.longest) characters.")
        }
    }

    func run(_ call: ServiceCall) throws -> ServiceAnswer {
        guard let qrCode = call.processor.qrCode else { throw MethodList.unknown }
        return ServiceAnswer(try qrCode(text))
    }
}
