import Bitcoin
import SmartCard
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// Signing as a program does it that is run again until all is done.
extension FlowBench {
    /// Signs what is left of a transaction.
    /// - Throws: why it did not come to its end; also when the card was not brought back to its own path.
    package func signToTheEnd(_ psbt: PSBT, _ driver: CardDriver) async throws {
        let flow = SignFlow(driver: driver, cvc: try CVC(Self.cvc))
        let outcome = await flow.sign(try await flow.prepare(psbt, network: nil, policy: SigningPolicy()))
        if let interruption = outcome.interruption { throw interruption }
        guard store.flows(of: ident).isEmpty else {
            throw FlowError.card(.reader(ReaderError(.noCard, "The card's path was not put back.")))
        }
    }

    /// Every signature of the stored transaction, all of which verify.
    package func storedSignatureCount(of psbt: PSBT) throws -> Int {
        guard let stored = store.transaction(psbt.unsignedTransaction.id)?.psbt else { return 0 }
        let digests = SighashCache(stored.unsignedTransaction)
        for index in stored.inputs.indices { try stored.verifyPartialSignatures(ofInput: index, using: digests) }
        return stored.inputs.reduce(0) { $0 + $1.partialSignatures.count }
    }

    /// The stored transaction is complete, and every input of it verifies, by Bitcoin Core's code as well.
    package func expectComplete(_ psbt: PSBT, _ cell: String) async throws {
        var stored = try #require(store.transaction(psbt.unsignedTransaction.id)?.psbt, "\(cell)")
        try stored.finalizeInputs()
        try await stored.expectVerified(cell)
    }
}

extension SigningReport {
    /// The transaction is complete, every input of it verifies, by Bitcoin Core's code as well, and a node takes it.
    package func expectComplete(at location: SourceLocation = #_sourceLocation) async throws {
        #expect(result.transaction != nil, sourceLocation: location)
        try await result.psbt.expectVerified(at: location)
    }
}
