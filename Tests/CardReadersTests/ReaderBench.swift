import CardReaders
import SmartCard
import TestSupport
import Testing

/// A reader that a test has for itself, and the hand that lays scripted cards on it.
protocol ReaderBench: Sendable {
    /// The reader, as its backend gives it.
    var reader: any CardReader { get }
    /// Another reader object for the same reader.
    func freshReader() throws -> any CardReader
    /// Lays a card on the reader and returns once the reader must have noticed.
    func insertCard(_ answer: @escaping @Sendable ([UInt8]) -> CardReply) throws
    /// Takes the card away and returns once the reader must have noticed.
    func removeCard() throws
    /// Lays a card on the reader, or takes it away, after a while, without waiting for the reader.
    func after(_ delay: Duration, _ action: CardAction) throws
    /// Another program resets the card.
    func resetFromOutside() throws
    /// What happens at the reader.
    func events() -> AsyncStream<ReaderEvent>
}

/// A bench whose backend may die and come back.
protocol MortalBench: ReaderBench {
    /// What owns the reader dies, or the reader is unplugged.
    func killBackend()
    /// It comes back, with no card on the reader.
    func startBackend() throws
}

/// What a bench does later.
enum CardAction: Sendable {
    case insert
    case remove
}

/// The backends under test. A new one gets a case and a bench, and must pass `ReaderConformance` as it is.
enum ReaderBenchKind: CaseIterable, CustomTestStringConvertible {
    case pcsc
    case nfc
    /// libnfc with a chip through which it does not ask a card whether it is there.
    case olderNFC

    var testDescription: String {
        switch self {
        case .pcsc: "PC/SC"
        case .nfc: "libnfc"
        case .olderNFC: "libnfc with a PN531"
        }
    }

    /// Those where several programs may have a card open at once.
    static let shared: [Self] = [.pcsc]
    /// Those where one has it alone.
    static let exclusive: [Self] = [.nfc, .olderNFC]

    /// Runs the body with a bench for it alone, on a thread that may block.
    func withBench(_ body: @Sendable (any ReaderBench) throws -> Void) async throws {
        switch self {
        case .pcsc:
            try await VirtualReaderSlot.withLease { slot in
                try await BlockingThread.run { try body(PCSCBench(slot)) }
            }
        case .nfc: try await BlockingThread.run { try body(NFCBench()) }
        case .olderNFC: try await BlockingThread.run { try body(NFCBench(.pn531)) }
        }
    }

    /// Runs the body with a bench whose backend it may kill.
    func withMortalBench(_ body: @Sendable (any MortalBench) throws -> Void) async throws {
        switch self {
        case .pcsc: try await BlockingThread.run { try body(PCSCServiceBench()) }
        case .nfc: try await BlockingThread.run { try body(NFCBench()) }
        case .olderNFC: try await BlockingThread.run { try body(NFCBench(.pn531)) }
        }
    }
}

/// Scripts for cards.
enum ScriptedCard {
    /// Says yes to everything.
    @Sendable static func agree(_ command: [UInt8]) -> CardReply { .answer([0x90, 0x00]) }

    /// `E0`: gives the command's data back; `E1 P1 P2`: that many bytes, counting up; all else: yes.
    @Sendable static func echo(_ command: [UInt8]) -> CardReply {
        switch command.count > 3 ? command[1] : 0 {
        case 0xE0: .answer(command.dropFirst(5) + [0x90, 0x00])
        case 0xE1: .answer(counting(Int(command[2]) << 8 | Int(command[3])) + [0x90, 0x00])
        default: .answer([0x90, 0x00])
        }
    }

    /// Answers each command with the one byte.
    static func saying(_ byte: UInt8) -> @Sendable ([UInt8]) -> CardReply { { _ in .answer([byte, 0x90, 0x00]) } }

    /// Is torn away when asked `E2`.
    @Sendable static func vanish(_ command: [UInt8]) -> CardReply {
        command.count > 1 && command[1] == 0xE2 ? .vanish : .answer([0x90, 0x00])
    }

    /// That many bytes, counting up.
    static func counting(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }
}
