import CPCSC
import Foundation

/// A look at the PC/SC service that does not go through the code under test.
enum PCSCProbe {
    /// The names of the virtual readers, slot 0 first; `nil` when no service answers.
    static func virtualReaders() -> [String]? {
        withContext { context in
            var length = DWORD()
            guard SCardListReaders(context, nil, nil, &length) == SCARD_S_SUCCESS else { return [] }
            var bytes = [CChar](repeating: 0, count: Int(length))
            guard SCardListReaders(context, nil, &bytes, &length) == SCARD_S_SUCCESS else { return [] }
            return bytes.split(separator: 0).map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
                .filter { $0.hasPrefix("Virtual PCD") }
                .sorted { $0.suffix(2) < $1.suffix(2) }
        }
    }

    /// Whether the reader is there without a card.
    static func isEmpty(_ reader: String) -> Bool { state(reader, has: SCARD_STATE_EMPTY) }

    /// Whether a card lies on the reader.
    static func hasCard(_ reader: String) -> Bool { state(reader, has: SCARD_STATE_PRESENT) }

    private static func state(_ reader: String, has flag: Int32) -> Bool {
        let isSet = withContext { context in
            reader.withCString { name in
                var state = SCARD_READERSTATE()
                state.szReader = name
                let status = SCardGetStatusChange(context, 0, &state, 1)
                return status == SCARD_S_SUCCESS && state.dwEventState & DWORD(flag) != 0
            }
        }
        return isSet ?? false
    }

    private static func withContext<Result>(_ body: (SCARDCONTEXT) -> Result) -> Result? {
        var context = SCARDCONTEXT()
        guard SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &context) == SCARD_S_SUCCESS else {
            return nil
        }
        defer { SCardReleaseContext(context) }
        return body(context)
    }
}
