import Bitcoin
import Synchronization

/// A sweep as its signatures arrive from the card's thread.
final class SweepCollector: Sendable {
    private struct State {
        var psbt: PSBT
        var added = 0
    }

    private let state: Mutex<State>

    init(_ psbt: PSBT) { state = Mutex(State(psbt: psbt)) }

    /// With every signature so far, not finalized.
    var psbt: PSBT { state.withLock { $0.psbt } }
    /// How many signatures arrived.
    var added: Int { state.withLock { $0.added } }
    /// How many signatures exist, including those of earlier runs.
    var done: Int { state.withLock { $0.psbt.inputs.count { !$0.partialSignatures.isEmpty || $0.isFinal } } }

    /// Whether an input is signed.
    func has(_ index: Int) -> Bool { state.withLock { !$0.psbt.inputs[index].partialSignatures.isEmpty } }

    /// Takes a verified signature.
    func add(_ signature: StoredSignature) {
        state.withLock {
            $0.psbt.addPartialSignature(signature.signature, toInput: signature.inputIndex)
            $0.added += 1
        }
    }
}
