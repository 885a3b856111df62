import Bitcoin
import Testing

/// Where keys come from, as PSBTs say.
@Suite struct KeyDerivationTests {
    /// BIP-32 counts depth in one byte. A path of a million steps would be printed in warnings.
    @Test(arguments: [(255, true), (256, false), (1_000_000, false)])
    func pathsAreAsLongAsKeysCanBeDeep(_ count: Int, _ isRead: Bool) throws {
        let key = try #require(try? PublicKey([2] + [UInt8](repeating: 0, count: 31) + [1])).bytes
        let path = DerivationPath((0..<count).map { _ in ChildNumber(rawValue: 5) })
        let id = try #require(TransactionID([UInt8](repeating: 3, count: 32)))
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: [TransactionInput(outpoint: Outpoint(transactionID: id, index: 0))],
                outputs: []))
        psbt[input: 0].addDerivation(
            KeyDerivation(publicKey: key, fingerprint: Fingerprint(of: try PublicKey(key)), path: path))
        let bytes = psbt.serialized()
        if isRead {
            #expect(try PSBT(serialized: bytes).inputs[0].derivations.map(\.path) == [path])
        } else {
            #expect(throws: PSBTError.field(PSBTFieldID(.input(0), 6), .valueLength(4 + 4 * count))) {
                try PSBT(serialized: bytes)
            }
        }
    }
}
