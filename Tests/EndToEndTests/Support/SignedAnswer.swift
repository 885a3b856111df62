import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

extension [String: Any] {
    /// Expects of an answer of `sign` that every input is signed and every signature verifies.
    /// - Returns: the transaction's number, which no signature of P2WPKH inputs changes.
    @discardableResult
    func expectComplete(inputs: Int, at location: SourceLocation = #_sourceLocation) async throws -> String {
        #expect(try field("complete", as: Bool.self), sourceLocation: location)
        let signed = try PSBT(fileContent: Array(try text("psbt").utf8))
        #expect(signed.inputs.count == inputs, sourceLocation: location)
        try await signed.expectVerified(at: location)
        let transaction = try Transaction(serialized: Hex.decode(try text("tx")))
        #expect(transaction.id == signed.unsignedTransaction.id, sourceLocation: location)
        #expect(try text("txid") == transaction.id.description, sourceLocation: location)
        return transaction.id.description
    }
}
