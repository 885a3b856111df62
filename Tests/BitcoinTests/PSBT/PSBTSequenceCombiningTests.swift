import Bitcoin
import TestSupport
import Testing

/// PSBTs of version 2 are about one transaction whatever their sequence numbers are, until somebody signs.
@Suite struct PSBTSequenceCombiningTests {
    private static let sequence: UInt64 = 0x10
    private static let conflict = PSBTError.conflict(.init(.input(0), sequence))

    private func sample(sequence: UInt32?) -> Version2Sample {
        Version2Sample().with(Self.sequence, sequence.map { Version2Sample.bytes($0) }, in: .input(0))
    }

    /// A DER signature under a key that the input knows nothing of: signed is signed.
    private func signed(_ sample: Version2Sample, _ type: UInt64) throws -> PSBT {
        var psbt = try sample.psbt()
        if type == 0x02 {
            let signer = try SpendingForm.p2wpkh.keys()[0]
            let signature = signer.sign(digest: Digest(hashing: []))
            psbt.addPartialSignature(PartialSignature(signature, by: signer.publicKey), toInput: 0)
            return psbt
        }
        return try sample.with(type, type == 0x13 ? .zeros(64) : [1, 1, 7], in: .input(0)).psbt()
    }

    @Test func aSequenceThatOneOnlySaysIsTakenOver() throws {
        let (with, without) = (try sample(sequence: 7).psbt(), try sample(sequence: nil).psbt())
        #expect(with.unsignedTransaction != without.unsignedTransaction)
        for (one, other) in [(with, without), (without, with)] {
            let combined = try one.combined(with: other)
            #expect(combined.serialized() == with.serialized())
            #expect(combined.unsignedTransaction == with.unsignedTransaction)
        }
        // What the absent one means may be said as well.
        let final = try sample(sequence: .max).psbt()
        #expect(try final.combined(with: without).serialized() == final.serialized())
        #expect(try without.combined(with: final).serialized() == final.serialized())
    }

    @Test func differentSequencesAreNamed() throws {
        let (one, other) = (try sample(sequence: 7).psbt(), try sample(sequence: 8).psbt())
        #expect(throws: Self.conflict) { try one.combined(with: other) }
        #expect(throws: Self.conflict) { try other.combined(with: one) }
    }

    /// Partial, final (both) and taproot signatures cover the sequence.
    @Test(arguments: [0x02, 0x07, 0x08, 0x13] as [UInt64])
    func whatIsSignedIsNotChanged(type: UInt64) throws {
        let unsigned = try sample(sequence: 7).psbt()
        let signed = try signed(sample(sequence: nil), type)
        #expect(throws: Self.conflict) { try unsigned.combined(with: signed) }
        #expect(throws: Self.conflict) { try signed.combined(with: unsigned) }
        // The other way round the signature stays true.
        let right = try self.signed(sample(sequence: 7), type)
        let bare = try sample(sequence: nil).psbt()
        #expect(try right.combined(with: bare).serialized() == right.serialized())
        #expect(try bare.combined(with: right).serialized() == right.serialized())
        #expect(try bare.combined(with: right).unsignedTransaction == right.unsignedTransaction)
    }

    @Test func allElseStillMakesAnotherTransaction() throws {
        let one = try sample(sequence: 7).psbt()
        let others = [
            sample(sequence: nil).with(0x03, Version2Sample.bytes(UInt32(5)), in: .global),
            sample(sequence: nil).with(0x02, Version2Sample.bytes(UInt32(3)), in: .global),
            sample(sequence: nil).with(0x0F, Version2Sample.bytes(UInt32(9)), in: .input(0)),
            sample(sequence: nil).with(0x12, Version2Sample.bytes(UInt32(9)), in: .input(0)),
            sample(sequence: nil).with(0x03, Version2Sample.bytes(Int64(999)), in: .output(0)),
            sample(sequence: nil).with(0x04, [0x52], in: .output(0)),
        ]
        for other in try others.map({ try $0.psbt() }) {
            #expect(throws: PSBTError.otherTransaction(other.unsignedTransaction.id)) { try one.combined(with: other) }
        }
    }

    /// Version 0 has its sequences in the transaction, where nobody changes them.
    @Test func version0SaysItsSequences() throws {
        let (one, other) = (try sample(sequence: 7).psbt(), try sample(sequence: nil).psbt().converted(to: .v0))
        #expect(throws: PSBTError.otherTransaction(other.unsignedTransaction.id)) { try one.combined(with: other) }
        #expect(throws: PSBTError.otherTransaction(one.unsignedTransaction.id)) { try other.combined(with: one) }
    }
}
