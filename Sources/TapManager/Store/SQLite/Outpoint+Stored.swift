import Bitcoin
import FoundationEssentials

extension Outpoint {
    private static let idLength = 32
    private static let indexLength = 4

    /// The outpoint's form in the database: the id in internal order, the index big-endian.
    var stored: Data {
        Data(transactionID.bytes + withUnsafeBytes(of: index.bigEndian) { Array($0) })
    }

    /// Reads what `stored` wrote.
    init?(stored bytes: [UInt8]) {
        guard bytes.count == Self.idLength + Self.indexLength,
            let id = TransactionID(Array(bytes.prefix(Self.idLength)))
        else { return nil }
        let index = bytes.suffix(Self.indexLength).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        self.init(transactionID: id, index: index)
    }
}
