import Bitcoin
import Testing

extension PSBT {
    /// The PSBT with a signature of every key for every input that names it and can be signed. Those that there are stay.
    func signed(
        with keys: [WalletImportFormat], by sign: (PrivateKey, Digest) throws -> ECDSASignature
    ) throws -> PSBT {
        var psbt = self
        let cache = SighashCache(unsignedTransaction)
        for index in inputs.indices {
            guard let spending = try? spending(ofInput: index) else { continue }
            let type = inputs[index].sighashType ?? .all
            let signers = inputs[index].partialSignatures.map(\.publicKey)
            for key in keys where spending.script.names(publicKey: key.publicKeyBytes) {
                if signers.contains(key.publicKeyBytes) { continue }
                let signature = try sign(key.privateKey, try spending.digest(type, using: cache))
                psbt.addPartialSignature(
                    PartialSignature(
                        publicKey: key.publicKeyBytes, signature: signature.der + [try #require(type.byte)]),
                    toInput: index)
            }
            try psbt.verifyPartialSignatures(ofInput: index, using: cache)
        }
        return psbt
    }
}
