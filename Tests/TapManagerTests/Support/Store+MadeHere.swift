import Bitcoin
import TapManager
import TestSupport

extension Store {
    /// Adds every signature of a PSBT to the stored transaction, as if cards had made them for this store.
    func addMadeHere(_ psbt: PSBT, by signer: SampleWallet, at time: UnixTime) throws {
        for (index, input) in psbt.inputs.enumerated() {
            for signature in input.partialSignatures {
                let made = StoredSignature(inputIndex: index, signature: signature, signer: signer.fingerprint)
                try add(made, to: psbt.unsignedTransaction.id, at: time)
            }
        }
    }
}
