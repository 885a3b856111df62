import TestSupport
import Testing

@testable import TapKitCLI
@testable import TapManager

/// A descriptor record that goes beyond a bound is refused in words that name the bound.
@Suite struct BSMSBoundTests {
    private static let key =
        "xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB"
    private static let fileLimit = 65_536

    /// Why a file with this text is refused.
    private func failure(_ text: String, token: String? = nil) throws -> Failure? {
        let folder = try TestSupport.TemporaryFolder()
        let file = try folder.write(text, to: "record.txt")
        return withExtendedLifetime(folder) {
            do throws(Failure) {
                _ = try BSMSDescriptorRecord(file: file, token: token, network: nil)
                return nil
            } catch { return error }
        }
    }

    private func record(template: String = "wsh(multi(1,\(key)/**,\(key)/**))", paths: String) -> String {
        ["BSMS 1.0", template, paths, "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"].joined(separator: "\n")
    }

    /// As much as may be is refused for another reason: the address is none of this wallet.
    private func expectBound(
        _ bound: Int, _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ text: (Int) -> String
    ) throws {
        let (within, beyond) = (try failure(text(bound)), try failure(text(bound + 1)))
        let message = "more than \(bound) \(words)"
        #expect(within?.message.contains(message) == false, sourceLocation: sourceLocation)
        #expect(beyond?.message.contains(message) == true, "\(beyond?.message ?? "")", sourceLocation: sourceLocation)
        #expect(beyond?.code == .badDescriptor, sourceLocation: sourceLocation)
    }

    @Test func pathRestrictions() throws {
        try expectBound(BSMSDescriptorRecord.maximumPathCount, "path restrictions") { count in
            record(paths: (0..<count).map { "/\($0)/*" }.joined(separator: ","))
        }
        try expectBound(BSMSDescriptorRecord.maximumPathDepth, "steps") { count in
            record(paths: String(repeating: "/0", count: count))
        }
    }

    @Test func keys() throws {
        try expectBound(BSMSDescriptorRecord.maximumMarkCount, "keys of the template") { count in
            record(template: "wsh(\(String(repeating: "/**", count: count)))", paths: "/0/*")
        }
    }

    @Test func lines() throws {
        let failure = try failure(record(paths: "/0/*") + "\nanother")
        #expect(failure?.message.contains("four lines, not 5") == true)
    }

    @Test func file() throws {
        let padding = String(repeating: " ", count: Self.fileLimit)
        let (within, beyond) = (try failure(padding), try failure(padding + " "))
        #expect(within?.code == .badDescriptor)
        #expect(beyond?.code == .inputTooLarge)
        #expect(beyond?.message.contains("\(Self.fileLimit) bytes") == true)
    }

    @Test func token() throws {
        let failure = try failure(record(paths: "/0/*"), token: "0102")
        #expect(failure?.code == .usage)
        #expect(failure?.message.contains("16 or 32") == true)
    }
}
