import Bitcoin
import ByteCodec
import TapSimulator

/// A card's state as the protocol describes it, and no more of it than that: neither keys nor nonces.
///
/// Spec: protocol.
struct ModelCard: Equatable {
    enum Slot: Equatable {
        case unused
        case sealed
        case opened
    }

    /// The most steps of a path, and below it.
    static let pathSteps = 0...8
    static let subpathSteps = 0...2
    static let cvcLengths = 6...32
    static let delaySeconds = 15
    static let triesBeforeDelay = 3
    static let mostBackups = 127
    /// Where a signer stands after setup: m/84h/0h/0h.
    static let startingPath: [UInt32] = [0x8000_0054, 0x8000_0000, 0x8000_0000]

    let product: SimulatedProduct
    let version: SimulatorVersion
    let isTestnet: Bool
    let publicKey: [UInt8]

    var cvc: String
    /// Wrong CVCs in a row, counted up to three.
    var wrongTries = 0
    /// `wait` commands until the next try.
    var delay = 0
    /// Whether the card was selected since it got power.
    var isSelected = false

    /// SATSCARD: its slots; otherwise none.
    var slots: [Slot] = []
    /// SATSCARD: the chain codes that were supplied, by slot. Signers: slot 0 is the master key's.
    var chainCodes: [Int: ChainCode] = [:]
    /// SATSCARD: slots that opened without `unseal`.
    var selfOpenedSlots: Set<Int> = []
    /// Whether the card has found something wrong with itself.
    var isTampered = false
    /// Signers: the hardened path; `nil` before setup.
    var path: [UInt32]?
    /// TAPSIGNER: how many backups were made.
    var backups = 0

    var isSatscard: Bool { product == .satscard }

    /// SATSCARD: the first slot that was not opened. On a full card the number behind the last one, or the last one; which
    /// versions do which is not documented, so this is the simulator's choice.
    var activeSlot: Int {
        if let slot = slots.firstIndex(where: { $0 != .opened }) { return slot }
        return version >= .v102 ? slots.count : slots.count - 1
    }

    /// SATSCARD: what the active slot is; `nil` behind the last.
    var activeState: Slot? { slots.indices.contains(activeSlot) ? slots[activeSlot] : nil }

    /// SATSCARD: whether `status` has an address and `read` a key.
    var hasActiveKey: Bool { activeState == .sealed }

    /// Signers: whether a key was picked.
    var isSetUp: Bool { path != nil }

    /// Takes itself for tampered with; a sealed slot is then opened.
    mutating func tamper() {
        isTampered = true
        guard hasActiveKey else { return }
        selfOpenedSlots.insert(activeSlot)
        slots[activeSlot] = .opened
    }

    /// Whether the product has the command.
    func has(_ command: String) -> Bool {
        switch command {
        case "unseal", "dump": isSatscard
        case "change", "xpub": !isSatscard
        case "backup": product == .tapsigner
        default:
            ["status", "read", "derive", "certs", "check", "new", "nfc", "sign", "wait"].contains(command)
        }
    }

    /// Whether the command needs a CVC; `nil`: it never looks at one; false: it looks at one that comes.
    func needsCVC(_ command: String) -> Bool? {
        switch command {
        case "status", "certs", "check", "nfc": nil
        case "read", "derive": isSatscard ? nil : true
        case "wait", "dump": false
        default: true
        }
    }
}

/// The simulator's name for versions; `TapProtocol` has another.
typealias SimulatorVersion = TapSimulator.AppletVersion

extension SimulatorVersion {
    static func >= (left: Self, right: Self) -> Bool { left.rawValue >= right.rawValue }
}
