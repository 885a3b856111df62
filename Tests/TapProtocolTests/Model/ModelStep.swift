import Bitcoin
import SmartCard
import TapSimulator

/// One step of a sequence. Steps name no state, so that a sequence makes sense when some of them are left out.
enum ModelStep: Sendable, CustomStringConvertible {
    /// A call of the client; `isJoined`: within the same step of a flow as the call before.
    case client(ClientCall, Disturbance?, isJoined: Bool)
    /// Another program sends a command between two steps of a flow.
    case program(ProgramCall, CVCChoice)
    /// The client gives the card back and forgets it.
    case disconnect
    /// The card loses power without the reader's notice.
    case cutPower
    /// The card is taken away.
    case pull
    /// The card is laid back.
    case layBack
    /// The other card is laid down in its place.
    case swap
    /// The first card is laid down, unless it lies there.
    case layFirst

    var description: String {
        switch self {
        case .client(let call, let disturbance, let isJoined):
            "\(isJoined ? "  and " : "")\(call)\(disturbance.map { " with \($0)" } ?? "")"
        case .program(let call, let cvc): "another program: \(call), CVC \(cvc)"
        case .disconnect: "disconnect"
        case .cutPower: "cutPower"
        case .pull: "pull"
        case .layBack: "layBack"
        case .swap: "swap"
        case .layFirst: "layFirst"
        }
    }

    /// Under which name the step is counted.
    var name: String {
        switch self {
        case .client(let call, _, _): call.name
        case .program(let call, _): "program \(call.name)"
        default: description
        }
    }
}

/// Which CVC is given.
enum CVCChoice: Sendable, CaseIterable {
    case right
    case wrong
    /// One digit more or less than the card's.
    case wrongLength
    /// Fewer digits than any CVC has.
    case tooShort
    case none
    /// Another program only: the right one under an old nonce.
    case stale
}

/// What happens to the line in the middle of a call.
struct Disturbance: Sendable, CustomStringConvertible {
    enum Kind: Sendable, CaseIterable {
        case cutBefore
        case cutAfter
        case pullBefore
        case pullAfter
        case pullInAnswer
        case failBefore
        case failAfter
        case swap
        case swapUnnoticed
    }

    let kind: Kind
    /// At which exchange of the call, counted from 1.
    let exchange: Int
    /// Whether a card that was taken away is there again at once.
    let comesBack: Bool

    var description: String { "\(kind) at exchange \(exchange)\(comesBack ? "" : ", not back")" }
}

/// A call of `TapSession`.
enum ClientCall: Sendable {
    case status
    case proveCard
    case tapURL
    case wait(CVCChoice)
    case read
    case test(CVCChoice)
    case createKey(chainCode: UInt8, CVCChoice)
    /// As setups do it: moves the card to `m`, compares the chain code there, and probes.
    case proveMaster(isRight: Bool, CVCChoice)
    case probe(Claim, CVCChoice)
    case probeSlot(slot: Int, isRightKey: Bool, CVCChoice)
    case createSlotKey(chainCode: UInt8, CVCChoice)
    case proveSlotOrigin(ChainCodeChoice)
    case unseal(CVCChoice)
    case dump(slot: Int, CVCChoice)
    case sign(digest: Digest, subpath: [UInt32], CVCChoice)
    case signSlot(digest: Digest, slot: Int, isRightKey: Bool, CVCChoice)
    case setPath([UInt32], CVCChoice)
    case account([UInt32], CVCChoice)
    case extendedKey(isMaster: Bool, CVCChoice)
    case backup(CVCChoice)
    case changeCVC(CVCChoice, to: String)

    /// Which chain code the caller expects.
    enum ChainCodeChoice: Sendable {
        case any
        case right
        case wrong
    }

    /// What the caller takes the account to be.
    enum Claim: Sendable, CaseIterable {
        case right
        case anotherKey
        case anotherChainCode
    }

    /// The case's name.
    var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }

    var cvc: CVCChoice {
        switch self {
        case .status, .proveCard, .tapURL, .proveSlotOrigin, .read: .none
        case .wait(let cvc), .test(let cvc), .createKey(_, let cvc), .proveMaster(_, let cvc), .probe(_, let cvc),
            .probeSlot(_, _, let cvc), .createSlotKey(_, let cvc), .unseal(let cvc), .dump(_, let cvc),
            .sign(_, _, let cvc), .signSlot(_, _, _, let cvc), .setPath(_, let cvc), .account(_, let cvc),
            .extendedKey(_, let cvc), .backup(let cvc), .changeCVC(let cvc, _):
            cvc
        }
    }

    /// Whether a call without a CVC can be written down.
    var mayLackCVC: Bool {
        switch self {
        case .status, .proveCard, .tapURL, .proveSlotOrigin, .wait, .read, .dump: true
        default: false
        }
    }

    /// The commands that the call may send beside `select` and `status`.
    var commands: Set<String> {
        switch self {
        case .status: []
        case .proveCard: ["read", "check", "certs"]
        case .tapURL: ["nfc"]
        case .wait: ["wait"]
        case .read: ["read"]
        case .createKey, .createSlotKey: ["new"]
        case .extendedKey, .test: ["xpub"]
        case .proveMaster: ["derive", "sign"]
        case .proveSlotOrigin, .account, .setPath: ["derive"]
        case .unseal: ["unseal"]
        case .dump: ["dump"]
        case .sign, .signSlot, .probe, .probeSlot: ["sign"]
        case .backup: ["backup"]
        case .changeCVC: ["change"]
        }
    }
}

/// A command as another program sends it, right or wrong.
enum ProgramCall: Sendable {
    case status
    case read
    case derive(path: [UInt32]?)
    case certs
    case check
    case weakNonce
    case new(slot: Int, chainCode: UInt8?)
    case nfc
    case sign(slot: Int, digestLength: Int, subpath: [UInt32]?)
    case wait
    case unseal(slot: Int)
    case dump(slot: Int)
    case change(to: String)
    case xpub(isMaster: Bool)
    case backup
    case unknown
    case noMap
    /// Without SELECT, after a loss of power.
    case unselected

    /// The case's name.
    var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }

    /// The command on the wire.
    var command: String {
        switch self {
        case .weakNonce: "check"
        case .unselected: "status"
        case .unknown, .noMap: "frobnicate"
        default: name
        }
    }
}
