import Bitcoin
import FlowSupport
import TapManager
import TapProtocol
import TapSimulator
import TestSupport

/// A card as far used as the flows that begin there need it, without habits: these come when it is copied.
enum HabitStage: String, CaseIterable, Sendable {
    case freshTapsigner, readyTapsigner, freshSatschip, readySatschip
    /// SATSCARDs: two slots opened and the third sealed; two opened, the third without a key; nine opened and the last
    /// sealed; all opened.
    case sealedSlot, unusedSlot, lastSlot, full

    func bench() async throws -> FlowBench {
        var generator = SeededGenerator(for: "habits, \(rawValue)")
        return switch self {
        case .freshTapsigner: try FlowBench(.tapsigner, using: &generator)
        case .readyTapsigner: try await FlowBench.ready(.tapsigner, using: &generator)
        case .freshSatschip: try FlowBench(.satschip, using: &generator)
        case .readySatschip: try await FlowBench.ready(.satschip, using: &generator)
        case .sealedSlot: try FlowBench.satscard(opened: 2, using: &generator)
        case .unusedSlot: try FlowBench.satscard(opened: 2, isBlank: true, using: &generator)
        case .lastSlot: try FlowBench.satscard(opened: 9, using: &generator)
        case .full: try FlowBench.satscard(opened: 10, using: &generator)
        }
    }

    /// Every flow that begins there.
    var flows: [HabitFlow] {
        switch self {
        case .freshTapsigner, .freshSatschip: [.verify, .link, .setup]
        case .readyTapsigner: HabitFlow.signers + [.backup, .changeCVC]
        case .readySatschip: HabitFlow.signers + [.changeCVC]
        case .sealedSlot: HabitFlow.satscards + [.address, .unseal, .message, .sweep]
        case .unusedSlot: HabitFlow.satscards + [.nextSlot, .message, .sweep]
        case .lastSlot: HabitFlow.satscards + [.address, .unseal]
        case .full: HabitFlow.satscards + [.unseal, .message]
        }
    }
}
