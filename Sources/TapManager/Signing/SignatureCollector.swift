import Bitcoin
import Synchronization

/// The PSBT as signatures arrive. Shared between the flow and the signer, which may use its own thread.
final class SignatureCollector: Sendable {
    private struct State {
        var psbt: PSBT
        var place: DerivationPath
        var signed: Set<SigningPlan.Item> = []
    }

    private let state: Mutex<State>
    private let presentCount: Int
    /// How many signatures there are once all is signed.
    let total: Int

    init(_ plan: SigningPlan) {
        state = Mutex(State(psbt: plan.psbt, place: plan.presentAccount))
        presentCount = plan.presentCount
        total = plan.presentCount + plan.signatureCount
    }

    /// The path that the card has, or may have been moved to.
    var place: DerivationPath {
        get { state.withLock { $0.place } }
        set { state.withLock { $0.place = newValue } }
    }

    /// With every signature so far, not finalized.
    var psbt: PSBT { state.withLock { $0.psbt } }
    /// How many signatures arrived.
    var added: Int { state.withLock { $0.signed.count } }
    /// How many signatures exist, including those of earlier runs.
    var done: Int { presentCount + added }

    /// Whether this signature arrived.
    func has(_ item: SigningPlan.Item) -> Bool { state.withLock { $0.signed.contains(item) } }

    /// Takes a verified signature.
    /// - Returns: the signature as a PSBT has it.
    @discardableResult
    func add(_ signature: ECDSASignature, for item: SigningPlan.Item) -> PartialSignature {
        let signature = PartialSignature(signature, type: item.sighashType, by: item.publicKey)
        state.withLock {
            $0.psbt.addPartialSignature(signature, toInput: item.inputIndex)
            $0.signed.insert(item)
        }
        return signature
    }
}
