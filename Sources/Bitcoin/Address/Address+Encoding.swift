import ByteCodec

extension Address {
    /// The text of a script's address; `nil` for scripts that have none.
    ///
    /// Spec: BIP-173 and BIP-350, "Segwit address format"; Base58Check for P2PKH and P2SH (BIP-13).
    static func text(of script: Script, network: Network) -> String? {
        switch ScriptTemplate(script) {
        case .p2pkh(let keyHash): Base58Check.encode([network.p2pkhVersion] + keyHash)
        case .p2sh(let scriptHash): Base58Check.encode([network.p2shVersion] + scriptHash)
        case .p2wpkh(let program), .p2wsh(let program): witnessText(version: 0, program: program, network: network)
        case .p2tr(let program): witnessText(version: 1, program: program, network: network)
        case .futureWitness(let version, let program):
            witnessText(version: version, program: program, network: network)
        case .p2pk, .multisig, .nullData, .nonStandard: nil
        }
    }

    private static func witnessText(version: UInt8, program: [UInt8], network: Network) -> String {
        Bech32.encode(
            humanReadablePart: network.humanReadablePart, values: [version] + Bech32.fiveBitValues(of: program),
            variant: version == 0 ? .bech32 : .bech32m)
    }
}
