import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

/// Descriptors are read, and used, in time that grows as they do; what would cost more has a bound, which is named.
@Suite struct DescriptorScalingTests {
    private static let key = "03a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd"
    private static let extendedKey =
        "xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB"

    private func error(_ text: String) -> DescriptorError? {
        do throws(DescriptorError) {
            _ = try Descriptor(parsing: text)
            return nil
        } catch { return error }
    }

    private func multisig(_ count: Int, _ key: String) -> String {
        "tr(\(Self.key),multi_a(1" + String(repeating: ",\(key)", count: count) + "))"
    }

    /// A tree with leaves as deep as it gets, the left ones or the right ones.
    private func vine(_ depth: Int, leaf: String, isLeft: Bool) -> String {
        isLeft
            ? String(repeating: "{", count: depth) + leaf + String(repeating: ",\(leaf)}", count: depth)
            : String(repeating: "{\(leaf),", count: depth) + leaf + String(repeating: "}", count: depth)
    }

    private func tree(_ leaves: Int, _ leaf: (Int) -> String) -> String {
        var row = (0..<leaves).map(leaf)
        while row.count > 1 {
            row = stride(from: 0, to: row.count, by: 2).map {
                $0 + 1 < row.count ? "{\(row[$0]),\(row[$0 + 1])}" : row[$0]
            }
        }
        return row.first ?? ""
    }

    private func expectLinear(
        _ what: String, from start: Int = 8, upTo most: Int, sourceLocation: SourceLocation = #_sourceLocation,
        _ text: (Int) -> String
    ) throws {
        try Scaling.expectLinear(what, from: start, upTo: most, sourceLocation: sourceLocation, input: text) { text in
            let descriptor = try Descriptor(parsing: text)
            #expect(descriptor.text != nil && descriptor.branches.count == descriptor.branchCount)
        }
    }

    @Test func keys() throws {
        try expectLinear("keys", upTo: 999) { multisig($0, Self.key) }
        try expectLinear("extended keys in two branches", upTo: 999) { multisig($0, "\(Self.extendedKey)/<0;1>/*") }
    }

    @Test func depth() throws {
        for isLeft in [true, false] {
            try expectLinear("levels, left: \(isLeft)", from: 4, upTo: 128) {
                "tr(\(Self.key),\(vine($0, leaf: "pk(\(Self.key))", isLeft: isLeft)))"
            }
            // As deep as can be, with most at the bottom.
            let leaf = "pk(\(Self.key))"
            try expectLinear("keys at the bottom, left: \(isLeft)", upTo: 999) { size in
                let bottom = "multi_a(1" + String(repeating: ",\(Self.key)", count: size) + ")"
                return isLeft
                    ? "tr(\(Self.key)," + String(repeating: "{", count: 127) + bottom
                        + String(repeating: ",\(leaf)}", count: 127) + ")"
                    : "tr(\(Self.key)," + String(repeating: "{\(leaf),", count: 127) + bottom
                        + String(repeating: "}", count: 127) + ")"
            }
        }
    }

    @Test func leaves() throws {
        try expectLinear("leaves", upTo: 4_096) { size in
            "tr(\(Self.key),\(tree(size) { _ in "pk(\(Self.key))" }))"
        }
        // Origins, so that each key stands with its leaves in what a PSBT says.
        let keys = try (1...2_048).map { number in
            try Hex.encode(
                PrivateKey(SecretBytes(SHA256.hash([UInt8(number >> 8), UInt8(number & 0xFF)]))).publicKey.bytes)
        }
        try Scaling.expectLinear("keys of leaves", from: 64, upTo: keys.count) { size in
            try Descriptor(parsing: "tr(\(Self.key),\(tree(size) { "pk([00000000]\(keys[$0]))" }))")
        } work: { descriptor in
            let spending = try descriptor.spending()
            #expect(spending.taproot?.derivations.isEmpty == false)
        }
        try Scaling.expectLinear("leaves of a key", from: 64, upTo: keys.count) { size in
            try Descriptor(
                parsing: "tr(\(Self.key),\(tree(size) { "multi_a(1,[00000000]\(Self.key),\(keys[$0]))" }))")
        } work: { descriptor in
            let spending = try descriptor.spending()
            #expect(spending.taproot?.derivations.isEmpty == false)
        }
    }

    /// Miniscript in one script of taproot, and in many.
    @Test func scriptsOfTaproot() throws {
        let keys = try (1...1_000).map { number in
            try Hex.encode(
                PrivateKey(SecretBytes(SHA256.hash([UInt8(number >> 8), UInt8(number & 0xFF)]))).publicKey.bytes)
        }
        let start = "tr(\(Self.key),"
        func lock(_ number: Int) -> String { "older(\(number % 60_000 + 1))" }
        for (what, most, text) in [
            (
                "parts of thresh", 999,
                { (size: Int) in
                    "thresh(\(max(1, size / 2)),pk(\(keys[0]))" + (1..<size).map { ",s:pk(\(keys[$0]))" }.joined() + ")"
                }
            ),
            (
                "parts with locks", 998,
                { (size: Int) in
                    "and_v(v:pk(\(keys[0])),thresh(\(size - 1),pk(\(keys[1]))"
                        + (1..<size).map { ",sdv:\(lock($0))" }.joined() + "))"
                }
            ),
            (
                "parts of and", 199,
                { (size: Int) in
                    (1..<size).reduce("pk(\(keys[0]))") { "and_b(pk(\(keys[$1])),a:\($0))" }
                }
            ),
            (
                "locks", 8_192,
                { (size: Int) in
                    let locks = tree(size) { "v:\(lock($0))" }
                    return "and_v(" + locks.replacing("{", with: "and_v(").replacing("}", with: ")")
                        + ",pk(\(keys[0])))"
                }
            ),
            (
                "keys of multi_a", 999,
                { (size: Int) in
                    "and_v(v:multi_a(1,\(keys[..<size].joined(separator: ","))),older(1))"
                }
            ),
            ("wrappers", 400, { (size: Int) in String(repeating: "n", count: size) + ":pk(\(keys[0]))" }),
        ] {
            try Scaling.expectLinear(what, from: 8, upTo: most) { size in
                start + text(size) + ")"
            } work: { text in
                let descriptor = try Descriptor(parsing: text)
                let script = try #require(try descriptor.spending().taproot?.leaves.first)
                #expect(descriptor.text != nil && script.miniscript != nil)
                _ = descriptor.spendingPaths.map { paths in paths.map { descriptor.satisfactionWeight(of: $0) } }
            }
        }
        try expectLinear("scripts", upTo: 2_048) { size in
            "tr(\(Self.key),\(tree(size) { "and_v(v:pk(\(Self.key)),\(lock($0)))" }))"
        }
    }

    @Test func whatIsRefused() throws {
        for (what, start, piece) in [
            ("brackets", "", "wsh("), ("braces", "tr(\(Self.key),", "{"), ("commas", "wsh(multi(1", ","),
            ("slashes", "wpkh(\(Self.extendedKey)", "/0"), ("steps of an origin", "wpkh([00000000", "/0"),
            ("branches", "wpkh(\(Self.extendedKey)/<0", ";1"), ("letters", "", "a"), ("colons", "", "a:"),
            ("letters of a key", "wpkh(", "x"), ("keys too many", "wsh(multi(1", ",\(Self.key)"),
            ("digits", "raw(", "g"), ("letters of an address", "addr(", "q"),
            ("parts of a tree's script", "tr(\(Self.key),thresh(1,0", ",a:0"),
            ("its levels", "tr(\(Self.key),", "or_i(0,"),
            ("its wrappers", "tr(\(Self.key),", "v"), ("its keys", "tr(\(Self.key),and_v(v:multi_a(1", ",\(Self.key)"),
        ] {
            try Scaling.expectLinear(what, from: 256) { size in
                start + String(repeating: piece, count: size) + "))"
            } work: { text in
                #expect(throws: DescriptorError.self) { try Descriptor(parsing: text) }
            }
        }
    }

    /// The bounds, and that they are named.
    @Test func bounds() throws {
        let choices = (0..<DescriptorKey.maximumBranchCount).map(String.init).joined(separator: ";")
        #expect(error("wpkh(\(Self.extendedKey)/<\(choices)>/*)") == nil)
        #expect(error("wpkh(\(Self.extendedKey)/<\(choices);99>/*)") == .key(.tooManyBranches))
        let steps = String(repeating: "/0", count: DescriptorKey.maximumDepth)
        #expect(error("wpkh(\(Self.extendedKey)\(steps))") == nil)
        #expect(error("wpkh(\(Self.extendedKey)\(steps)/0)") == .key(.tooDeep))
        #expect(error("wpkh([00000000\(steps)]\(Self.key))") == nil)
        #expect(error("wpkh([00000000\(steps)/0]\(Self.key))") == .key(.tooDeep))
        #expect(error(multisig(999, Self.key)) == nil)
        #expect(error(multisig(1_000, Self.key)) == .tooManyKeys(1_000, limit: 999))
        #expect(error("sh(multi(1\(String(repeating: ",\(Self.key)", count: 16))))") == .tooManyKeys(16, limit: 15))
        #expect(error("wsh(multi(1\(String(repeating: ",\(Self.key)", count: 21))))") == .tooManyKeys(21, limit: 20))
        // 999 keys with eight steps, once; twice is too much.
        #expect(error(multisig(999, Self.extendedKey + "/0/0/0/0/0/0/0/0")) == nil)
        let deep = Self.extendedKey + "/0/0/0/0/0/0/0/<0;1>"
        #expect(error(multisig(999, deep)) == .tooManyDerivations)
        for depth in [128, 129] {
            let text = "tr(\(Self.key),\(vine(depth, leaf: "pk(\(Self.key))", isLeft: true)))"
            #expect(error(text) == (depth == 128 ? nil : .tooDeep))
        }
        for (error, bound) in [
            (DescriptorError.key(.tooManyBranches), "32"), (.key(.tooDeep), "255"), (.tooManyDerivations, "10000"),
            (.tooDeep, "128"), (.tooManyKeys(21, limit: 20), "20"),
        ] {
            #expect(error.description.contains(bound))
        }
    }
}
