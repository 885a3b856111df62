import Bitcoin
import TestSupport
import Testing

/// What Bitcoin Core does not read, with private keys and without, is not read here.
@Suite struct CoreDescriptorTests {
    private static let file = LedgeredFile.coreUnparsableDescriptors

    @Test func whatCoreCannotReadIsNotRead() throws {
        var ledger = try VectorLedger(Self.file)
        for row in try Vectors.load(Self.file.path) {
            for form in ["private", "public"] {
                let text = try row.text(form)
                let isRead = (try? Descriptor(parsing: text)) != nil
                ledger.enter("\(row.index) \(form)", isRead, expected: false)
            }
        }
        ledger.close(count: 196)
    }
}
