import Synchronization

@testable import TapSimulator

/// A card for the chip that writes down what happens to it. Answers each APDU with the APDU and 9000.
final class FieldTarget: PN532Target {
    private struct Notes {
        var isPowered = false
        var powerCycles = 0
        var apdus: [[UInt8]] = []
        var isMute = false
    }

    let identifier: [UInt8]
    let historicalBytes = Array("Coinkite".utf8)
    private let notes = Mutex(Notes())
    private let reply: @Sendable ([UInt8]) -> [UInt8]?

    init(
        identifier: [UInt8] = [0x04, 1, 2, 3, 4, 5, 6],
        reply: @escaping @Sendable ([UInt8]) -> [UInt8]? = { $0 + [0x90, 0x00] }
    ) {
        self.identifier = identifier
        self.reply = reply
    }

    var isPowered: Bool { notes.withLock { $0.isPowered } }
    var powerCycles: Int { notes.withLock { $0.powerCycles } }
    var apdus: [[UInt8]] { notes.withLock { $0.apdus } }

    /// Whether it fails to come up.
    func setMute(_ isMute: Bool) { notes.withLock { $0.isMute = isMute } }

    func powerOn() throws(SimulatedCardError) {
        try notes.withLock { (notes) throws(SimulatedCardError) in
            guard !notes.isMute else { throw SimulatedCardError(.fileFailed, "mute") }
            notes.isPowered = true
            notes.powerCycles += 1
        }
    }

    func powerOff() { notes.withLock { $0.isPowered = false } }

    func answer(apdu: [UInt8]) -> [UInt8]? {
        notes.withLock { $0.apdus.append(apdu) }
        return reply(apdu)
    }
}
