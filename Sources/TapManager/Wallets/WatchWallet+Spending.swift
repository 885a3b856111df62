import Bitcoin

extension WatchWallet {
    /// How to spend from a place, with all the data that a signer needs.
    /// - Throws: `.noAddress`.
    package func spending(at place: WalletPlace) throws(WalletError) -> SpendingInformation {
        do throws(DescriptorError) { return try row(of: place).spending(index: place.index) } catch {
            throw .noAddress(error)
        }
    }

    /// The place of an output whose PSBT fields show where its keys come from, if the wallet derives the same script
    /// there; `nil` for others' outputs, or if the fields do not show it.
    package func place(of output: TransactionOutput, _ fields: PSBT.Output) -> WalletPlace? {
        place(of: output, fields.derivations.map(\.path) + fields.taprootDerivations.map(\.path))
    }

    /// The same for an output whose keys are claimed to have these paths. A descriptor without keys, such as of somebody's
    /// address beside the wallet's own, derives nothing.
    func place(of output: TransactionOutput, _ paths: [DerivationPath]) -> WalletPlace? {
        for index in Set(paths.compactMap { $0.steps.last?.index }) {
            for branch in branches where !descriptors[branch.descriptor].keys.isEmpty {
                let place = branch.place(branch.isRanged ? index : 0)
                if (try? script(at: place)) == output.scriptPubKey { return place }
            }
        }
        return nil
    }

    /// The extended keys of a wallet with several signers, for its PSBTs, so that signers can verify the cosigners of
    /// change. Empty for a single signer.
    ///
    /// Spec: BIP-174, `PSBT_GLOBAL_XPUB`.
    var cosignerKeys: [ExtendedKeyDerivation] {
        descriptors.filter { $0.keys.count > 1 }.flatMap(\.extendedKeyDerivations)
    }
}
