import Bitcoin
import TapSimulator
import TestSupport

/// Draws sequences: now one call after the other without plan, now what people do.
struct StepGenerator {
    private var random: SplitMix
    private let product: SimulatedProduct

    init(product: SimulatedProduct, seed: UInt64) {
        self.product = product
        random = SplitMix(seed)
    }

    /// A sequence of so many steps.
    mutating func steps(_ count: Int) -> [ModelStep] {
        var steps: [ModelStep] = []
        while steps.count < count {
            switch number(below: 100) {
            case ..<55: steps.append(clientStep(call(), disturbed: 20))
            case ..<77: steps.append(.program(programCall(), cvcChoice(right: 60)))
            case ..<90: steps += story()
            default: steps += mishap()
            }
            if chance(12) { steps.append(.layFirst) }
        }
        return Array(steps.prefix(count))
    }

    private mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    private mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }
    private mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: random.next()) }

    private mutating func clientStep(_ call: ClientCall, disturbed percent: Int = 0) -> ModelStep {
        var disturbance: Disturbance?
        if chance(percent), let kind = Disturbance.Kind.allCases.randomElement(using: &random) {
            disturbance = Disturbance(kind: kind, exchange: 1 + number(below: 4), comesBack: chance(80))
        }
        return .client(call, disturbance, isJoined: chance(40))
    }

    private mutating func cvcChoice(right percent: Int = 85) -> CVCChoice {
        chance(percent) ? .right : CVCChoice.allCases.randomElement(using: &random) ?? .right
    }

    private mutating func slot() -> Int { chance(90) ? number(below: 10) : 10 + number(below: 290) }

    private mutating func path(hardened percent: Int, count: Int) -> [UInt32] {
        (0..<count).map { _ in
            // Few different ones, so that the card comes back to a path.
            let step: UInt32 = chance(90) ? [84, 49, 0, 1][number(below: 4)] : UInt32(number(below: 0x7FFF_FFFF))
            return chance(percent) ? step | 0x8000_0000 : step
        }
    }

    private mutating func hardenedPath() -> [UInt32] {
        path(hardened: chance(92) ? 100 : 60, count: chance(92) ? number(below: 4) : number(below: 11))
    }

    private mutating func subpath() -> [UInt32] {
        path(hardened: chance(92) ? 0 : 60, count: chance(92) ? number(below: 3) : number(below: 5))
    }

    private mutating func digits() -> String {
        let count = chance(80) ? 6 : 6 + number(below: 27)
        return (0..<count).map { _ in String(number(below: 10)) }.joined()
    }

    /// A call that fits the product, or now and then one that does not.
    private mutating func call() -> ClientCall {
        let isSatscard = chance(94) == (product == .satscard)
        switch number(below: 12) {
        case 0: return .status
        case 1: return .proveCard
        case 2: return .tapURL
        case 3: return .wait(chance(50) ? .none : cvcChoice())
        case 4, 5: return isSatscard ? .read : .test(cvcChoice())
        default: return isSatscard ? satscardCall() : signerCall()
        }
    }

    private mutating func satscardCall() -> ClientCall {
        switch number(below: 13) {
        case 0...2: .createSlotKey(chainCode: byte(), cvcChoice())
        case 3: .proveSlotOrigin([.any, .right, .right, .wrong][number(below: 4)])
        case 4, 5: .unseal(cvcChoice())
        case 6, 7: .dump(slot: slot(), chance(50) ? .none : cvcChoice())
        case 8, 9: .probeSlot(slot: slot(), isRightKey: chance(70), cvcChoice())
        default: .signSlot(digest: digest(), slot: slot(), isRightKey: chance(85), cvcChoice())
        }
    }

    private mutating func claim() -> ClientCall.Claim {
        chance(60) ? .right : ClientCall.Claim.allCases[number(below: ClientCall.Claim.allCases.count)]
    }

    private mutating func digest() -> Digest {
        Digest(hashing: [byte()])
    }

    private mutating func signerCall() -> ClientCall {
        switch number(below: 16) {
        case 0: .createKey(chainCode: byte(), cvcChoice())
        case 1: .proveMaster(isRight: chance(70), cvcChoice())
        case 2...4: .setPath(hardenedPath(), cvcChoice())
        case 5: .account(hardenedPath(), cvcChoice())
        case 6, 7: .extendedKey(isMaster: chance(50), cvcChoice())
        case 8: .backup(cvcChoice())
        case 9: .probe(claim(), cvcChoice())
        case 10, 11: .changeCVC(cvcChoice(), to: digits())
        default: .sign(digest: digest(), subpath: subpath(), cvcChoice())
        }
    }

    private mutating func programCall() -> ProgramCall {
        switch number(below: 26) {
        case 0: .status
        case 1, 2: .read
        case 3, 4: .derive(path: product == .satscard && chance(90) ? nil : hardenedPath())
        case 5: .certs
        case 6, 7: .check
        case 8: .weakNonce
        case 9...11: .new(slot: chance(60) ? 0 : slot(), chainCode: chance(80) ? byte() : nil)
        case 12: .nfc
        case 13, 14:
            .sign(
                slot: product == .satscard ? slot() : 0, digestLength: chance(90) ? 32 : number(below: 32),
                subpath: chance(product == .satscard ? 5 : 90) ? subpath() : nil)
        case 15: .wait
        case 16, 17: .unseal(slot: slot())
        case 18, 19: .dump(slot: slot())
        case 20: .change(to: digits())
        case 21: .xpub(isMaster: chance(50))
        case 22: .backup
        case 23: .unknown
        case 24: .noMap
        default: .unselected
        }
    }

    /// Things that people do one after the other.
    private mutating func story() -> [ModelStep] {
        switch number(below: 8) {
        case 0...1:
            // Wrong until the delay begins, a try during it, and waiting it off.
            var steps = (0..<4).map { _ in clientStep(wrongCall()) }
            for _ in 0..<(chance(80) ? 15 : number(below: 15)) { steps.append(clientStep(.wait(.none))) }
            return steps
        case 2...4 where product != .satscard:
            return [
                .createKey(chainCode: byte(), .right), .proveMaster(isRight: true, .right),
                .setPath(hardenedPath(), .right), .probe(.right, .right), .backup(.right),
                .changeCVC(.right, to: digits()),
                .sign(digest: digest(), subpath: subpath(), .right),
            ].map { clientStep($0, disturbed: 5) }
        case 2...4:
            return [
                .createSlotKey(chainCode: byte(), .right), .proveCard, .proveSlotOrigin(.right), .unseal(.right),
                .probeSlot(slot: number(below: 10), isRightKey: true, .right), .dump(slot: number(below: 10), .right),
            ].map { clientStep($0, disturbed: 5) }
        case 5 where product == .satscard:
            // Slots used up one after the other.
            return (0..<4).flatMap { _ in
                [clientStep(.unseal(.right)), clientStep(.createSlotKey(chainCode: byte(), .right))]
            }
        case 5: return (0..<12).map { _ in clientStep(.sign(digest: digest(), subpath: subpath(), .right)) }
        case 6: return (0..<3).map { _ in clientStep(.wait(.none)) }
        default: return (0..<4).map { _ in clientStep(call()) }
        }
    }

    private mutating func wrongCall() -> ClientCall {
        let cvc: CVCChoice = chance(80) ? .wrong : .wrongLength
        return product == .satscard ? .dump(slot: 0, cvc) : .test(cvc)
    }

    /// Things that happen to cards.
    private mutating func mishap() -> [ModelStep] {
        switch number(below: 11) {
        case 0...3: [.cutPower]
        case 4, 5: [.pull, clientStep(call()), .layBack]
        case 6, 7: [.swap, clientStep(call()), .swap]
        case 8: [[.swap], [.layBack], [.pull]][number(below: 3)]
        default: [.disconnect]
        }
    }
}

/// Numbers that follow from a seed.
///
/// The algorithm is SplitMix64.
struct SplitMix: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
