import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// A published file of PSBTs by role, and what tapkit makes of it.
struct PublishedPSBTs {
    private let contents: [String: Any]
    private(set) var ledger: VectorLedger
    /// The complete transactions that came out, for Core to judge.
    private(set) var jury = ScriptJury()

    init(_ file: LedgeredFile) throws {
        contents = try Vectors.object(file.path)
        ledger = try VectorLedger(file)
    }

    /// The lists that the file has.
    var lists: Set<String> { Set(contents.keys) }

    /// Each entry of a list, as a row; one that is a text or a list has its parts under their numbers.
    func rows(_ list: String) throws -> [VectorRow] {
        try #require(contents[list] as? [Any], "\(list)").enumerated().map { index, entry in
            let parts = entry as? [Any] ?? [entry]
            let numbered = Dictionary(uniqueKeysWithValues: parts.enumerated().map { ("\($0.offset)", $0.element) })
            return VectorRow(fields: entry as? [String: Any] ?? numbered, index: index)
        }
    }

    private mutating func enterEach(_ list: String, _ body: (VectorRow) throws -> Void) throws {
        for row in try rows(list) { ledger.enter("\(list) \(row.index)") { try body(row) } }
    }

    // MARK: Reading

    mutating func refuse(_ list: String, key: String = "0") throws {
        try enterEach(list) { row in
            guard (try? row.psbt(key)) == nil else { throw Fault("is read") }
        }
    }

    mutating func read(_ list: String, key: String = "0") throws {
        try enterEach(list) { row in
            guard try row.psbt(key).serialized() == row.psbtBytes(key) else { throw Fault("is written otherwise") }
        }
    }

    mutating func computeLockTimes(_ list: String) throws {
        try enterEach(list) { row in
            let lockTime = try row.psbt("0").unsignedTransaction.lockTime
            guard Int(lockTime) == (try row.number("1")) else { throw Fault("\(lockTime)") }
        }
    }

    // MARK: Roles

    mutating func create(_ list: String) throws {
        try enterEach(list) { row in
            let inputs = try row.objects("inputs").map { input in
                let id = try #require(TransactionID(parsing: try input.text("txid")))
                return TransactionInput(outpoint: Outpoint(transactionID: id, index: UInt32(try input.number("vout"))))
            }
            let outputs = try row.objects("outputs").map { try $0.createdOutput() }
            let made = try PSBT(unsignedTransaction: Transaction(inputs: inputs, outputs: outputs))
            let version: PSBT.Version = row["version", as: NSNumber.self]?.intValue == 2 ? .v2 : .v0
            let psbt = try made.converted(to: version)
            // A creator need not say what goes without saying: that nothing falls back and every sequence is final.
            let expected = try row.psbt("result")
            let isSame = psbt.serialized() == (try row.psbtBytes("result"))
            guard psbt.unsignedTransaction == expected.unsignedTransaction, psbt.version == expected.version,
                version == .v2 || isSame
            else { throw Fault("another PSBT") }
        }
    }

    mutating func sign(_ list: String) throws {
        try enterEach(list) { row in
            let keys = try row.texts("privkeys").map { try WalletImportFormat(parsing: $0) }
            let expected = try row.psbt("result").contents
            let signed = [
                try row.psbt("psbt").signed(with: keys) { $0.signGrindingLowR(digest: $1) },
                try row.psbt("psbt").signed(with: keys) { $0.sign(digest: $1) },
            ]
            guard signed.contains(where: { $0.contents == expected }) else { throw Fault("other signatures") }
        }
    }

    /// Rows whose parts do not belong together: some input cannot be signed.
    mutating func refuseToSign(_ list: String) throws {
        try enterEach(list) { row in
            let psbt = try row.psbt("psbt")
            guard psbt.inputs.indices.contains(where: { (try? psbt.spending(ofInput: $0)) == nil }) else {
                throw Fault("every input can be signed")
            }
        }
    }

    mutating func combine(_ list: String, key: String = "combine") throws {
        try enterEach(list) { row in
            let psbts = try row.texts(key).map { try PSBT(fileContent: Array($0.utf8)) }
            let expected = try row.psbtBytes("result")
            for psbts in [psbts, psbts.reversed()] {
                let combined = try psbts.dropFirst().reduce(psbts[0]) { try $0.combined(with: $1) }
                guard combined.serialized() == expected else { throw Fault("another PSBT") }
            }
        }
    }

    mutating func finalize(_ list: String, key: String = "finalize") throws {
        var jury = jury
        try enterEach(list) { row in
            var psbt = try row.psbt(key)
            let states = try psbt.finalizeInputs()
            let expected = try row.psbt("result")
            let isRedundant = row["flags", as: NSNumber.self]?.intValue == 1
            for (input, other) in zip(psbt.inputs, expected.inputs) {
                guard input.finalScriptSig == other.finalScriptSig, input.finalWitness == other.finalWitness else {
                    throw Fault("other final scripts: \(states)")
                }
            }
            // Where what is needed no more is to stay, ours has less.
            guard isRedundant || psbt.contents == expected.contents else { throw Fault("other records") }
            try psbt.hear(&jury, "\(list) \(row.index)")
        }
        self.jury = jury
    }

    mutating func extract(_ list: String, key: String = "extract") throws {
        var jury = jury
        try enterEach(list) { row in
            let psbt = try row.psbt(key)
            let transaction = try psbt.extractedTransaction()
            guard transaction.serialized() == (try row.bytes("result")) else { throw Fault("another transaction") }
            try psbt.hear(&jury, "\(list) \(row.index)")
        }
        self.jury = jury
    }

    private struct Fault: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}

extension PSBT {
    /// Puts the complete transaction before a jury, and expects what `verifyFinalScripts` says: that it is valid.
    func hear(_ jury: inout ScriptJury, _ comment: @autoclosure () -> String = "") throws {
        guard (try? extractedTransaction()) != nil else { return }
        let cache = SighashCache(unsignedTransaction)
        for index in inputs.indices {
            let failures = jury.judge(
                self, input: index, under: [[], .standard], "\(comment()), input \(index)")
            let verdict = try? verifyFinalScripts(ofInput: index, using: cache)
            if verdict == .verified { #expect(failures == [nil, nil], "\(comment()), input \(index)") }
        }
    }
}

extension VectorRow {
    /// An output: an address with its value in satoshis, or one address as the key of its value in bitcoin.
    fileprivate func createdOutput() throws -> TransactionOutput {
        let address: String
        let value: Int64
        if let text: String = self["address"] {
            (address, value) = (text, Int64(try number("satoshi")))
        } else {
            let (key, number) = try #require(fields.first)
            let bitcoins = try #require(number as? NSNumber).doubleValue
            (address, value) = (key, Int64((bitcoins * 100_000_000).rounded()))
        }
        return TransactionOutput(
            value: value, scriptPubKey: try Address(parsing: address, network: .regtest).scriptPubKey)
    }
}
