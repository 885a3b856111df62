import Bitcoin

/// PSBTs of both versions: one, or two in a row, which are combined.
enum PSBTTarget: FuzzTarget {
    static let name = "psbt"
    static let maximumLength = 8_192

    static func run(_ bytes: [UInt8]) throws {
        do throws(PSBTError) {
            check(try PSBT(serialized: bytes), bytes)
        } catch .trailingBytes(let count) {
            let bytes = (Array(bytes.dropLast(count)), Array(bytes.suffix(count)))
            let one = required("a PSBT is one without what follows") { try PSBT(serialized: bytes.0) }
            checkCombining(one, with: try PSBT(serialized: bytes.1))
        }
    }

    private static func check(_ psbt: PSBT, _ bytes: [UInt8]) {
        expectSame(psbt.serialized(), bytes, "a PSBT is written as it was read")
        for form in PSBT.FileForm.allCases {
            let read = required("every form is read") { try PSBT(fileContent: psbt.encoded(as: form)) }
            expectSame(read.fileForm, form, "the form is recognized")
            expectSame(read.serialized(), bytes, "every form holds the same")
        }
        let itself = required("a PSBT goes with itself") { try psbt.combined(with: psbt) }
        expectSame(itself.serialized(), bytes, "combining with itself changes nothing")
        checkConverting(psbt)
        checkFinalizing(psbt)
    }

    private static func checkConverting(_ psbt: PSBT) {
        let other: PSBT.Version = psbt.version == .v0 ? .v2 : .v0
        guard let converted = try? psbt.converted(to: other) else { return }
        let read = required("what was converted is read") { try PSBT(serialized: converted.serialized()) }
        expectSame(read.version, other, "the version is the one asked for")
        expectSame(read.unsignedTransaction, psbt.unsignedTransaction, "converting changes no transaction")
        expectSame(read.serialized(), converted.serialized(), "what was converted is written as it was read")
        let back = required("there is a way back") { try read.converted(to: psbt.version) }
        expectSame(back.unsignedTransaction, psbt.unsignedTransaction, "the way back changes no transaction")
    }

    /// Whatever can be finalized is a valid spend, both by our own reading of the templates and by the interpreter's.
    private static func checkFinalizing(_ psbt: PSBT) {
        var psbt = psbt
        let digests = SighashCache(psbt.unsignedTransaction)
        var finalized: [Int] = []
        for index in psbt.inputs.indices {
            let before = psbt.serialized()
            guard let result = try? psbt.finalize(input: index, using: digests), result == .finalized else {
                expectSame(psbt.serialized(), before, "what is not finalized stays as it was")
                continue
            }
            finalized.append(index)
            let verdict = required("final scripts are examined") {
                try psbt.verifyFinalScripts(ofInput: index, using: digests)
            }
            expectSame(verdict, .verified, "final scripts spend")
        }
        let read = required("what was finalized is read") { try PSBT(serialized: psbt.serialized()) }
        guard !finalized.isEmpty else { return }
        var transaction = read.unsignedTransaction
        for (index, input) in read.inputs.enumerated() {
            transaction.inputs[index].scriptSig = input.finalScriptSig ?? Script()
            transaction.inputs[index].witness = input.finalWitness ?? []
        }
        let unknown = TransactionOutput(value: 0, scriptPubKey: Script())
        let spent = read.inputs.indices.map { (try? read.spentOutput(ofInput: $0)) ?? unknown }
        var verifier = required(SpendVerifier(transaction, spentOutputs: spent), "every input spends an output")
        for index in finalized {
            required("the interpreter agrees with the finalizer") { try verifier.verify(input: index) }
        }
    }

    // MARK: Combining

    private static func checkCombining(_ one: PSBT, with other: PSBT) {
        guard let combined = try? one.combined(with: other) else {
            if one.version == other.version {
                expect((try? other.combined(with: one)) == nil, "what cannot be combined cannot in the other order")
            }
            return
        }
        let read = required("what was combined is read") { try PSBT(serialized: combined.serialized()) }
        expectSame(read.unsignedTransaction, combined.unsignedTransaction, "the maps make the transaction")
        for source in [one, other] {
            for (input, result) in zip(source.inputs, combined.inputs) {
                let kept = Set(result.partialSignatures.map(\.publicKey))
                expect(
                    input.partialSignatures.allSatisfy { kept.contains($0.publicKey) }, "combining loses no signature")
                expect(!input.isFinal || result.isFinal, "combining loses no final script")
            }
        }
        guard one.version == other.version else { return }
        let reversed = required("what can be combined can in the other order") { try other.combined(with: one) }
        expectSame(reversed.unsignedTransaction, combined.unsignedTransaction, "the order changes no transaction")
        expectSame(records(reversed), records(combined), "the order of combining makes no difference")
        for source in [one, other] {
            let again = required("what was combined goes with its parts") { try combined.combined(with: source) }
            expectSame(records(again), records(combined), "there is nothing left to take over")
        }
    }

    /// The records of all maps, in any order.
    private static func records(_ psbt: PSBT) -> [Set<PSBTRecord>] {
        ([psbt.global] + psbt.inputs.map(\.map) + psbt.outputs.map(\.map)).map { Set($0.records) }
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        let psbts = try vectors.psbts
        var ofTransaction: [TransactionID: [[UInt8]]] = [:]
        for bytes in psbts {
            guard let id = try? PSBT(serialized: bytes).unsignedTransaction.id else { continue }
            ofTransaction[id, default: []].append(bytes)
        }
        let pairs = ofTransaction.values.flatMap { zip($0, $0.dropFirst()).map { $0 + $1 } }
        return psbts + pairs + PlanSeeds.signed
    }
}
