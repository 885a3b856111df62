import Bitcoin
import ByteCodec
import Foundation
import Testing

extension [String: Any] {
    /// Expects of an answer of `sign` that every input is signed and every signature verifies.
    /// - Returns: the transaction's number, which no signature of P2WPKH inputs changes.
    @discardableResult
    func expectComplete(inputs: Int, at location: SourceLocation = #_sourceLocation) throws -> String {
        #expect(try field("complete", as: Bool.self), sourceLocation: location)
        let signed = try PSBT(fileContent: Array(try text("psbt").utf8))
        #expect(signed.inputs.count == inputs, sourceLocation: location)
        let digests = SighashCache(signed.unsignedTransaction)
        for index in signed.inputs.indices {
            #expect(
                try signed.verifyFinalScripts(ofInput: index, using: digests) == .verified, sourceLocation: location)
        }
        let transaction = try Transaction(serialized: Hex.decode(try text("tx")))
        #expect(transaction.id == signed.unsignedTransaction.id, sourceLocation: location)
        #expect(try text("txid") == transaction.id.description, sourceLocation: location)
        return transaction.id.description
    }
}
