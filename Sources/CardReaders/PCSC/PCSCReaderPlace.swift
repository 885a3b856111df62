import Synchronization

/// Which of the service's readers one reader is: it may be unplugged, and get another number when it comes back.
///
/// The service appends two numbers to a reader's name, as in `ACS ACR122U 01 00`: that of the reader, the lowest that is
/// free when it is plugged in, and that of its slot. So once a reader is gone, it may be any of the same model and slot
/// that was not there beside it before. Which card is on it is for the card to prove.
final class PCSCReaderPlace: Sendable {
    private struct State {
        /// The name that it had at the last connection.
        var name: String
        /// The others that were there then and have been there ever since; `nil` before the first connection.
        var others: Set<String>?
    }

    private let state: Mutex<State>

    init(_ name: String) { state = Mutex(State(name: name)) }

    /// The name that it had at the last connection.
    var name: String { state.withLock { $0.name } }

    /// The names that it may have now: its own if it is there, otherwise those that it may have got. Empty if it is gone.
    /// - Parameter present: all readers that are there.
    func names(among present: [String]) -> [String] {
        state.withLock { state in
            // A number that was given up is given again.
            state.others?.formIntersection(present)
            if present.contains(state.name) { return [state.name] }
            guard let others = state.others, let own = Self.parts(state.name) else { return [] }
            return present.filter { name in
                guard !others.contains(name), let parts = Self.parts(name) else { return false }
                return parts.model == own.model && parts.slot == own.slot
            }
        }
    }

    /// Notes that a card was reached at it by this name, beside others.
    func settle(on name: String, among present: [String]) {
        state.withLock { $0 = State(name: name, others: Set(present).subtracting([name])) }
    }

    /// A name without the reader's number: the model, which may include a serial number, and the slot's number.
    private static func parts(_ name: String) -> (model: Substring, slot: Substring)? {
        let numbers = name.suffix(6).split(separator: " ", omittingEmptySubsequences: false)
        guard numbers.count == 3, numbers[0].isEmpty,
            numbers.dropFirst().allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isHexDigit) })
        else { return nil }
        return (name.dropLast(6), numbers[2])
    }
}

extension PCSCReaderPlace {
    /// The names that it may have now, by what the service lists; the last one if it is gone, or the service does not answer.
    func names(in context: PCSCContext) -> [String] {
        let names = names(among: (try? context.readerNames()) ?? [])
        return names.isEmpty ? [name] : names
    }
}
