import Bitcoin
import TapManager
import TestSupport
import Testing

/// BSMS records are read in time that grows as they do; what would cost more has a bound.
@Suite struct BSMSScalingTests {
    private static let key =
        "xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB"
    private static let internalKey = "03a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd"
    private static let address = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"

    private func record(_ template: String, _ paths: String) -> String {
        ["BSMS 1.0", template, paths, Self.address].joined(separator: "\n")
    }

    private func fault(_ record: String) -> BSMSDescriptorRecord.Fault? {
        do throws(BSMSDescriptorRecord.Fault) {
            _ = try BSMSDescriptorRecord(parsing: record, networks: [.main, .test, .regtest])
            return nil
        } catch { return error }
    }

    private func multisig(_ count: Int, _ mark: String) -> String {
        "tr(\(Self.internalKey),multi_a(1" + String(repeating: ",\(Self.key)\(mark)", count: count) + "))"
    }

    /// Every record says of an address that it is the wallet's, and it is not: all is read before that is found.
    private func expectLinear(
        _ what: String, from start: Int = 8, upTo most: Int, sourceLocation: SourceLocation = #_sourceLocation,
        _ text: (Int) -> String
    ) throws {
        try Scaling.expectLinear(what, from: start, upTo: most, sourceLocation: sourceLocation, input: text) { text in
            guard case .otherAddress = fault(text) else {
                Issue.record("\(String(describing: fault(text)))", sourceLocation: sourceLocation)
                return
            }
        }
    }

    @Test func marks() throws {
        try expectLinear("marks", upTo: 512) { record(multisig($0, "/**"), "/0/*,/1/*") }
        try expectLinear("keys that have the restrictions", upTo: 512) {
            record(multisig($0, "/<0;1>/*"), "/0/*,/1/*")
        }
        try expectLinear("keys without restrictions", upTo: 512) {
            record(multisig($0, "/0/*"), "No path restrictions")
        }
    }

    /// Without a key in front each mark costs as little text as can be.
    @Test func whatIsRefused() throws {
        let path = "/" + String(repeating: "0/", count: 9) + "*"
        for (what, piece, paths) in [
            ("bare marks", "/**", path),
            ("bare marks and paths", "/**", (0..<10).map { "/\($0)" }.joined(separator: ",")),
            ("stars", "*", "/*"), ("slashes", "/", "/0/*,/1/*"), ("marks nearly", "/*", "/**"),
        ] {
            try Scaling.expectLinear(what, from: 128, upTo: 1 << 16) { size in
                record("wsh(" + String(repeating: piece, count: size) + ")", paths)
            } work: { record in
                #expect(fault(record) != nil)
            }
        }
        for (what, piece) in [("steps", "/0"), ("paths", ",/0/*"), ("digits", "0"), ("line ends", "\n")] {
            try Scaling.expectLinear("\(what) of the restrictions", from: 128, upTo: 1 << 16) { size in
                record(multisig(3, "/**"), "/0/*" + String(repeating: piece, count: size))
            } work: { record in
                #expect(fault(record) != nil)
            }
        }
    }

    @Test func bounds() {
        let steps = { (count: Int) in String(repeating: "/0", count: count) }
        #expect(fault(record(multisig(3, "/**"), steps(11))) == .pathTooDeep)
        let paths = { (count: Int) in (0..<count).map { "/\($0)/*" }.joined(separator: ",") }
        #expect(fault(record(multisig(3, "/**"), paths(11))) == .tooManyPaths)
        let marks = { (count: Int) in "wsh(" + String(repeating: "/**", count: count) + ")" }
        #expect(fault(record(marks(1_001), "/0/*")) == .tooManyMarks)
        guard case .descriptor = fault(record(marks(1_000), "/0/*")),
            case .otherAddress = fault(record(multisig(3, "/**"), steps(10))),
            case .otherAddress = fault(record(multisig(3, "/**"), paths(10)))
        else {
            Issue.record("what is within the bounds is read")
            return
        }
    }
}
