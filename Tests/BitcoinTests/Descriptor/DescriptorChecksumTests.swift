import Bitcoin
import TestSupport
import Testing

@Suite struct DescriptorChecksumTests {
    private static let file = "bips/bip380_descriptors.json"

    @Test func rightChecksums() throws {
        let rows = try Vectors.load(Self.file, kinds: ["checksum_valid"])
        #expect(rows.count == 22)
        for row in rows {
            let payload = try row.text("payload")
            #expect(try DescriptorChecksum.checksum(of: payload) == row.text("checksum"), "\(row.testDescription)")
            #expect(try DescriptorChecksum.verify(row.text("descriptor")) == payload, "\(row.testDescription)")
            if try row.flag("has_checksum") {
                #expect(try DescriptorChecksum.append(to: payload) == row.text("descriptor"))
            }
        }
    }

    @Test func wrongChecksums() throws {
        let rows = try Vectors.load(Self.file, kinds: ["checksum_invalid"])
        #expect(rows.count == 18)
        for row in rows {
            #expect(throws: DescriptorChecksum.Failure.self, "\(row.testDescription)") {
                try DescriptorChecksum.verify(try row.text("descriptor"))
            }
        }
    }

    /// The other rows' checksums, whatever their descriptors mean.
    @Test func checksumsOfAllOtherDescriptors() throws {
        let rows = try Vectors.load(Self.file, kinds: ["valid"])
        #expect(rows.count == 58)
        for row in rows {
            let payload = try DescriptorChecksum.verify(try row.text("with_checksum"))
            #expect(try DescriptorChecksum.checksum(of: payload) == row.text("checksum"), "\(row.testDescription)")
        }
    }

    @Test func whatIsWrongIsNamed() {
        typealias Failure = DescriptorChecksum.Failure
        #expect(throws: Failure.length(0)) { try DescriptorChecksum.verify("raw(deadbeef)#") }
        #expect(throws: Failure.length(9)) { try DescriptorChecksum.verify("raw(deadbeef)#89f8spxmx") }
        #expect(throws: Failure.mismatch) { try DescriptorChecksum.verify("raw(deedbeef)#89f8spxm") }
        #expect(throws: Failure.mismatch) { try DescriptorChecksum.verify("raw(deadbeef)#89F8SPXM") }
        #expect(throws: Failure.character(offset: 4)) { try DescriptorChecksum.verify("raw(Ü)#00000000") }
    }
}
