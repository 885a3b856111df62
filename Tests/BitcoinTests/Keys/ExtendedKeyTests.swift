import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct ExtendedKeyTests {
    private static let file = "bips/bip32.json"

    @Test func everyRowIsHere() throws {
        #expect(
            try Vectors.load(Self.file).countsByKind
                == ["derive": 257, "invalid": 16, "public_derive": 13, "public_derive_fails": 1, "private_derive": 1])
    }

    @Test func derivesFromSeeds() throws {
        for row in try Vectors.load(Self.file, kinds: ["derive"]) {
            let network: KeyNetwork = try row.text("xpub").hasPrefix("xpub") ? .main : .test
            let path = try DerivationPath(parsing: try row.text("path"))
            #expect(path == (try row.path()), "\(row.testDescription)")
            let key = try ExtendedPrivateKey(seed: SecretBytes(try row.bytes("seed")), network: network)
                .descendant(path)
            #expect(key.text == (try row.text("xprv")), "\(row.testDescription)")
            #expect(key.neutered.text == (try row.text("xpub")), "\(row.testDescription)")
            #expect(key.privateKey.secret.withBytes { Array($0) } == (try row.bytes("private_key")))
        }
    }

    @Test func readsTheFields() throws {
        for row in try Vectors.load(Self.file, kinds: ["derive"]) {
            let publicKey = try ExtendedPublicKey(parsing: try row.text("xpub"))
            #expect(Int(publicKey.depth) == (try row.number("depth")))
            #expect(publicKey.parentFingerprint.bytes == (try row.bytes("parent_fingerprint")))
            #expect(Int(publicKey.childNumber.rawValue) == (try row.number("child_number")))
            #expect(publicKey.chainCode == (try row.chainCode("chain_code")))
            #expect(publicKey.publicKey.bytes == (try row.bytes("public_key")))
            #expect(publicKey.fingerprint.bytes == (try row.bytes("fingerprint")))
            #expect(publicKey.text == (try row.text("xpub")))
            let privateKey = try ExtendedPrivateKey(parsing: try row.text("xprv"))
            #expect(privateKey.text == (try row.text("xprv")))
            #expect(privateKey.neutered == publicKey)
        }
    }

    @Test func refusesInvalidKeys() throws {
        for row in try Vectors.load(Self.file, kinds: ["invalid"]) {
            let text = try row.text("extended_key")
            let expected: ExtendedKeyError =
                switch try row.text("reason") {
                case "checksum": .notBase58Check(.checksum)
                case "unknown_version": .version(0x0101_0101)
                case "depth_0_parent_fingerprint", "depth_0_child_number": .masterWithParent
                case "public_version_private_key", "public_key_prefix_04", "public_key_prefix_01",
                    "public_key_not_on_curve":
                    .key(.notOnCurve)
                default: .key(.outOfRange)
                }
            if text.hasPrefix("xprv") {
                #expect(throws: expected, "\(row.testDescription)") { try ExtendedPrivateKey(parsing: text) }
                #expect(throws: ExtendedKeyError.self) { try ExtendedPublicKey(parsing: text) }
            } else {
                #expect(throws: expected, "\(row.testDescription)") { try ExtendedPublicKey(parsing: text) }
                #expect(throws: ExtendedKeyError.self) { try ExtendedPrivateKey(parsing: text) }
            }
        }
    }

    @Test func derivesFromPublicKeys() throws {
        for row in try Vectors.load(Self.file, kinds: ["public_derive"]) {
            let parent = try ExtendedPublicKey(parsing: try row.text("parent_xpub"))
            #expect(try parent.descendant(row.path()).text == row.text("child_xpub"), "\(row.testDescription)")
        }
        for row in try Vectors.load(Self.file, kinds: ["public_derive_fails"]) {
            let parent = try ExtendedPublicKey(parsing: try row.text("parent_xpub"))
            let step = try #require(try row.path().steps.first)
            #expect(throws: ExtendedKeyError.hardenedStep(step)) { try parent.descendant(try row.path()) }
        }
    }

    @Test func derivesFromPrivateKeys() throws {
        for row in try Vectors.load(Self.file, kinds: ["private_derive"]) {
            let child = try ExtendedPrivateKey(parsing: try row.text("parent_xprv")).descendant(try row.path())
            #expect(child.text == (try row.text("child_xprv")))
            #expect(child.neutered.text == (try row.text("child_xpub")))
        }
    }

    @Test func publicAndPrivateDerivationAgree() throws {
        let master = try ExtendedPrivateKey(seed: SecretBytes([UInt8](repeating: 5, count: 64)), network: .test)
        let path = try DerivationPath(parsing: "0/1/2147483647/3")
        #expect(try master.descendant(path).neutered == master.neutered.descendant(path))
    }

    @Test func depthEndsAt255() throws {
        var key = try ExtendedPrivateKey(seed: SecretBytes([UInt8](repeating: 5, count: 16)), network: .main)
        let step = ChildNumber(rawValue: 0)
        for _ in 0..<255 { key = try key.child(step) }
        #expect(key.depth == 255)
        #expect(throws: ExtendedKeyError.tooDeep) { try key.child(step) }
        #expect(throws: ExtendedKeyError.tooDeep) { try key.neutered.child(step) }
    }

    @Test(arguments: [0, 15, 65])
    func seedsHave16To64Bytes(count: Int) {
        #expect(throws: ExtendedKeyError.seedLength(count)) {
            try ExtendedPrivateKey(seed: SecretBytes([UInt8](repeating: 1, count: count)), network: .main)
        }
    }

    @Test func otherLengthsAreRefused() throws {
        let key = try ExtendedPrivateKey(seed: SecretBytes([UInt8](repeating: 5, count: 16)), network: .main)
        let bytes = key.neutered.serialized
        #expect(bytes.count == 78)
        for wrong in [[], Array(bytes.dropLast()), bytes + [0]] {
            #expect(throws: ExtendedKeyError.length(wrong.count)) { try ExtendedPublicKey(serialized: wrong) }
            #expect(throws: ExtendedKeyError.length(wrong.count)) {
                try ExtendedPrivateKey(parsing: Base58Check.encode(wrong))
            }
        }
    }
}
