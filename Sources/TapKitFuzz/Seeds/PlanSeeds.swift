import Bitcoin

/// PSBTs of the wallet that plans are about, from recipes that are the same in every run.
enum PlanSeeds {
    /// Recipes in the form that `PlanTarget` accepts.
    static let recipes: [[UInt8]] = {
        var random = SeedRandom()
        return (0..<400).map { _ in [4 | UInt8.random(in: 0..<4, using: &random), 0] + random.bytes(120) }
    }()

    /// The PSBT of a recipe.
    static func psbt(_ recipe: [UInt8]) -> PSBT? {
        var maker = PlanRecipe(ByteSource(Array(recipe.dropFirst(2))))
        return maker.psbt()
    }

    /// With valid signatures by every key that is named, and by one that is not.
    static var signed: [[UInt8]] {
        recipes.prefix(150).compactMap(psbt).map { psbt in
            var signed = psbt
            for index in psbt.inputs.indices {
                guard let spend = NaiveSpend(psbt, input: index) else { continue }
                let digest = spend.digest(psbt.unsignedTransaction, input: index, type: 1)
                for derivation in psbt.inputs[index].derivations {
                    for holder in 0..<3 {
                        let key = PlanWallet.key(holder, derivation.path)
                        let signature = key.privateKey.sign(digest: digest)
                        signed.addPartialSignature(
                            PartialSignature(signature, by: key.neutered.publicKey), toInput: index)
                    }
                }
                signed[input: index].sighashType = nil
            }
            return signed.serialized()
        }
    }
}
