import Bitcoin
import ByteCodec
import FoundationEssentials
import GRDB

extension SQLiteStore {
    /// Does not rewrite the PSBT. Throws `.noSuchTransaction`, also for an input that the transaction does not have.
    package func add(_ signature: StoredSignature, to id: TransactionID, at time: UnixTime) throws(StoreError) {
        try write { database in
            let found = try Row.fetchOne(
                database, sql: "SELECT place, input_count, missing, signed_by FROM psbt WHERE id = ?",
                arguments: [id.stored])
            guard let found else { throw StoreError.noSuchTransaction(id) }
            let row = StoredRow(found, "transaction \(id)")
            guard (0..<(try row.count("input_count"))).contains(signature.inputIndex) else {
                throw StoreError.noSuchTransaction(id)
            }
            let place = try row.integer("place")
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO signature (place, input, public_key, signature, signer)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    place, signature.inputIndex, Data(signature.signature.publicKey),
                    Data(signature.signature.signature), Data(signature.signer.bytes),
                ])
            guard let isCounted = try Self.count(signature, at: place, in: database) else {
                // It may bring another spending path nearer: everything is counted again.
                guard var (_, transaction) = try Self.transaction(id, in: database) else {
                    throw StoreError.noSuchTransaction(id)
                }
                transaction.updated = time
                return try Self.put(transaction, at: place, in: database)
            }
            let signedBy = try row.decoded("signed_by", row.text("signed_by")) { [Fingerprint](stored: $0) }
            let signers = Set(signedBy).union(signature.isNamed ? [signature.signer] : [])
            try database.execute(
                sql: "UPDATE psbt SET signed_by = ?, missing = ?, updated = ? WHERE place = ?",
                arguments: [
                    Array(signers).stored, max(0, try row.count("missing") - (isCounted ? 1 : 0)), time.seconds, place,
                ])
        }
    }

    /// Before the keys, or the hashes of keys, whose signatures count on a policy's spending path. Alone: which ones count
    /// depends on who has signed.
    private static let countingMark = "+"

    private static func countingMarks(_ groups: [SignatureTally.OpenInput.Group]?) -> [String] {
        guard let groups else { return [] }
        guard groups.count == 1 else { return [countingMark] }
        return groups[0].keys.map { countingMark + Hex.encode($0.bytes) }
    }

    /// Counts a signature if its input lacks one, and its key has not signed that input yet.
    /// - Returns: whether one less is missing now; `nil` if it is not one of those that count in a policy.
    private static func count(_ signature: StoredSignature, at place: Int64, in database: Database) throws -> Bool? {
        let open = try Row.fetchOne(
            database, sql: "SELECT missing, signers FROM open_input WHERE place = ? AND input = ?",
            arguments: [place, signature.inputIndex])
        guard let open else { return false }
        let row = StoredRow(open, "an input")
        let (missing, signers) = (try row.count("missing"), try row.text("signers"))
        let key = Hex.encode(signature.signature.publicKey)
        let marks = signers.split(separator: " ")
        guard !marks.contains(key[...]) else { return false }
        let counting = marks.filter { $0.hasPrefix(countingMark) }.map { $0.dropFirst() }
        if !counting.isEmpty {
            let hash = Hex.encode(ScriptKey.key(signature.signature.publicKey).hash)
            guard counting.contains(where: { [key[...], hash[...]].contains($0) }) else { return nil }
        }
        if missing > 1 {
            try database.execute(
                sql: "UPDATE open_input SET missing = ?, signers = ? WHERE place = ? AND input = ?",
                arguments: [missing - 1, signers.isEmpty ? key : signers + " " + key, place, signature.inputIndex])
        } else {
            try database.execute(
                sql: "DELETE FROM open_input WHERE place = ? AND input = ?",
                arguments: [place, signature.inputIndex])
        }
        return true
    }

    /// Those that were added one by one, also before the PSBT was last written; none for a transaction that is not
    /// stored.
    package func signaturesMadeHere(for id: TransactionID) throws(StoreError) -> [Int: [PartialSignature]] {
        try read { database in
            let place = try Int64.fetchOne(
                database, sql: "SELECT place FROM psbt WHERE id = ?", arguments: [id.stored])
            return try place.map { try Self.signatures(at: $0, of: "transaction \(id)", in: database) } ?? [:]
        }
    }

    /// Deletes the signatures that a PSBT which was just written does not have. The others stay, though it contains
    /// them: they show that they were made for this store.
    static func keepSignatures(of psbt: PSBT, at place: Int64, in database: Database) throws {
        let rows = try Row.fetchAll(
            database, sql: "SELECT input, public_key, signature FROM signature WHERE place = ?", arguments: [place])
        guard !rows.isEmpty else { return }
        var own: [Int: Set<PartialSignature>] = [:]
        let deletion = try database.cachedStatement(
            sql: "DELETE FROM signature WHERE place = ? AND input = ? AND public_key = ?")
        for row in rows {
            let row = StoredRow(row, "a signature")
            let (input, key) = (try row.count("input"), try row.bytes("public_key"))
            if own[input] == nil {
                own[input] = psbt.inputs.indices.contains(input) ? Set(psbt.inputs[input].partialSignatures) : []
            }
            let signature = PartialSignature(publicKey: key, signature: try row.bytes("signature"))
            guard own[input]?.contains(signature) != true else { continue }
            try deletion.execute(arguments: [place, input, Data(key)])
        }
    }

    /// Records which inputs of a PSBT that was just written lack signatures; it contains those that were added before.
    static func putOpenInputs(
        _ inputs: [SignatureTally.OpenInput], at place: Int64, in database: Database
    ) throws {
        try database.execute(sql: "DELETE FROM open_input WHERE place = ?", arguments: [place])
        guard !inputs.isEmpty else { return }
        let insertion = try database.cachedStatement(
            sql: "INSERT INTO open_input (place, input, missing, signers) VALUES (?, ?, ?, ?)")
        for input in inputs {
            let marks = input.signers.map { Hex.encode($0) }.sorted() + Self.countingMarks(input.groups)
            let signers = marks.joined(separator: " ")
            try insertion.execute(arguments: [place, input.index, input.missing, signers])
        }
    }

    /// Adds the signatures that came later to a PSBT.
    static func addSignatures(
        to psbt: inout PSBT, at place: Int64, of subject: String, in database: Database
    ) throws {
        for (input, added) in try signatures(at: place, of: subject, in: database) {
            guard psbt.inputs.indices.contains(input) else {
                throw StoredRow.Unreadable(what: "a signature of \(subject): input")
            }
            psbt.addPartialSignatures(added, toInput: input)
        }
    }

    /// The signatures that were added one by one, by input.
    private static func signatures(
        at place: Int64, of subject: String, in database: Database
    ) throws -> [Int: [PartialSignature]] {
        let rows = try Row.fetchAll(
            database, sql: "SELECT input, public_key, signature FROM signature WHERE place = ?", arguments: [place])
        var signatures: [Int: [PartialSignature]] = [:]
        for row in rows {
            let row = StoredRow(row, "a signature of \(subject)")
            let input = try row.count("input")
            signatures[input, default: []].append(
                PartialSignature(publicKey: try row.bytes("public_key"), signature: try row.bytes("signature")))
        }
        return signatures
    }
}
