import QRCodes

extension QRCodeError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .tooLong(bytes: 9, limit: 8) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .tooLong: .tooManyCodes(bytes: 9)
        case .tooManyCodes: .characters
        case .characters: .empty
        case .empty: .terminalTooNarrow(needed: 33, columns: 20)
        case .terminalTooNarrow: .system("Cannot allocate memory")
        case .system: nil
        }
    }
}
