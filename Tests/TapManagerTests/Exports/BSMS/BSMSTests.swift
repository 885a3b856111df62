import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapManager

/// Setting up multisig wallets as BIP-129 has it, by its vectors.
@Suite struct BSMSTests {
    private static let file = "bips/bip129.json"

    @Test func everyRowIsHere() throws {
        let counts = try Vectors.load(Self.file).countsByKind
        #expect(counts == ["public_key_record": 2, "key_record": 7, "descriptor_record": 4, "encryption": 9])
    }

    @Test func keyRecordsAreThoseOfTheVectors() throws {
        for row in try Vectors.load(Self.file, kinds: ["key_record"]) {
            let fingerprint = try #require(Fingerprint(try row.bytes("fingerprint")))
            let path = try DerivationPath(parsing: try row.text("path"))
            let key = AccountKey(
                origin: KeyOrigin(fingerprint: fingerprint, path: path),
                key: try ExtendedPublicKey(parsing: try row.text("key")))
            let token = try #require(BSMSToken(hex: try row.text("token")))
            let record = try BSMSKeyRecord(token: token, key: key, description: try row.text("description"))
            let signature = try row.text("signature")
            #expect(record.text(signature: signature) == (try row.text("record")), "\(row.testDescription)")
            let other = try BSMSKeyRecord(token: token, key: key, description: "Another key")
            #expect(other.text(signature: signature) == nil)
        }
    }

    @Test func descriptorRecordsAreRead() throws {
        for row in try Vectors.load(Self.file, kinds: ["descriptor_record"]) {
            let text = try row.text("record")
            let record = try BSMSDescriptorRecord(parsing: text + "\n", networks: [.main])
            #expect(record.firstAddress == (try row.text("first_address")) && record.text == text)
            #expect(record.descriptors.count == (text.contains("/**") ? 2 : 1))
            // The same wallet makes the same record, where this program makes one.
            guard record.descriptors.count == 2, text.contains("sortedmulti") else { continue }
            #expect(try BSMSDescriptorRecord(try ExportSamples.source(descriptors: record.descriptors)).text == text)
        }
    }

    @Test func encryptionIsThatOfTheVectors() throws {
        for row in try Vectors.load(Self.file, kinds: ["encryption"]) {
            let token = try #require(BSMSToken(hex: try row.text("token")))
            let key = try row.bytes("encryption_key")
            #expect(token.encryptionKey?.withBytes { $0.elementsEqual(key) } == true)
            let record = try row.text("record")
            let sealed = token.sealed(record)
            #expect(sealed.hasPrefix(try row.text("mac")) && token.opened(sealed + "\n") == record)
            if let file = row["file", as: String.self] { #expect(sealed == file) }
            var altered = Array(sealed)
            altered[70] = altered[70] == "0" ? "1" : "0"
            #expect(token.opened(String(altered)) == nil && token.opened(String(sealed.prefix(64))) == nil)
            #expect(try #require(BSMSToken(hex: "0102030405060708")).opened(sealed) == nil)
        }
    }

    @Test(arguments: ["", "0", "01", "0000", "a54044308ceac9", "xy4044308ceac9b7"]) func noTokens(_ text: String) {
        #expect(BSMSToken(hex: text) == nil)
    }

    @Test func whatWasChangedIsRefused() throws {
        let row = try #require(try Vectors.load(Self.file, kinds: ["descriptor_record"]).dropFirst().first)
        let lines = try row.text("record").split(separator: "\n").map(String.init)
        func fault(_ change: (inout [String]) -> Void, _ network: Network = .main) -> BSMSDescriptorRecord.Fault? {
            var lines = lines
            change(&lines)
            do throws(BSMSDescriptorRecord.Fault) {
                _ = try BSMSDescriptorRecord(parsing: lines.joined(separator: "\n"), networks: [network])
                return nil
            } catch { return error }
        }
        #expect(fault { _ in } == nil)
        #expect(fault { $0[0] = "BSMS 2.0" } == .version)
        #expect(fault { $0.append("more") } == .lines(5))
        #expect(fault { $0[2] = "No path restrictions" } == .restrictions("No path restrictions"))
        #expect(fault { $0[2] = "/0/*,/0/*" } == .restrictions("/0/*,/0/*"))
        #expect(fault { $0[2] = "/0h/*" } == .restrictions("/0h/*"))
        let other = "bc1qquqy523xu3l8che3s8vja8n33qtg0uyug"
        #expect(fault { $0[3] = other } == .address(other))
        #expect(fault({ _ in }, .regtest) == .address(lines[3]))
        let threshold = fault { $0[1] = $0[1].replacing("sortedmulti(2", with: "sortedmulti(1") }
        guard case .otherAddress = threshold else {
            Issue.record("\(String(describing: threshold))")
            return
        }
    }

    /// What a coordinator sent is opened and read at once; without a network the address says which it is.
    @Test func whatACoordinatorSentIsOpened() throws {
        let row = try #require(try Vectors.load(Self.file, kinds: ["descriptor_record"]).dropFirst().first)
        let record = try row.text("record")
        let token = try #require(BSMSToken(hex: "a54044308ceac9b7"))
        let known = try BSMSDescriptorRecord(parsing: record, networks: [.main]).descriptors
        for network in [nil, Network.main] {
            let opened = try BSMSDescriptorRecord(opening: token.sealed(record), with: token, network: network)
            #expect(opened.descriptors == known)
        }
        #expect(throws: BSMSDescriptorRecord.Fault.notOpened) {
            try BSMSDescriptorRecord(opening: "00" + token.sealed(record).dropFirst(2), with: token, network: nil)
        }
        #expect(throws: BSMSDescriptorRecord.Fault.version) {
            try BSMSDescriptorRecord(opening: token.sealed(record), with: .none, network: nil)
        }
    }

    /// As Sparrow writes it: the descriptor itself, beside the restrictions that it has anyway.
    @Test func aDescriptorMayStandWhereTheTemplateDoes() throws {
        let row = try #require(try Vectors.load(Self.file, kinds: ["descriptor_record"]).dropFirst().first)
        let lines = try row.text("record").split(separator: "\n").map(String.init)
        let body = String(lines[1].prefix { $0 != "#" })
        #expect(body.contains("/**") && lines[2] == "/0/*,/1/*")
        let template = try BSMSDescriptorRecord(parsing: lines.joined(separator: "\n"), networks: [.main])
        func read(_ steps: String, _ restrictions: String) throws -> [String] {
            let lines = [lines[0], body.replacing("/**", with: steps), restrictions, lines[3]]
            return try BSMSDescriptorRecord(parsing: lines.joined(separator: "\n"), networks: [.main]).descriptors
        }
        #expect(try read("/<0;1>/*", "/0/*,/1/*") == template.descriptors)
        #expect(try read("/0/*", "/0/*") == [template.descriptors[0]])
        for (steps, restrictions) in [
            ("/<0;1>/*", "/1/*,/0/*"), ("/<0;1>/*", "/0/*"), ("/0/*", "/0/*,/1/*"), ("/0/*", "/1/*"), ("/0/*", "/*"),
        ] {
            #expect(throws: BSMSDescriptorRecord.Fault.restrictions(restrictions)) { try read(steps, restrictions) }
        }
    }

    @Test func aSignersTextIsOneShortLine() throws {
        let key = AccountKey(try ExportSamples.account("m/48h/0h/0h/2h"))
        for text in [String(repeating: "x", count: 81), "two\nlines", "two\r\nlines"] {
            #expect(throws: ExportError.badText) {
                try BSMSKeyRecord(token: .none, key: key, description: text)
            }
        }
        #expect(throws: ExportError.multisigOnly) { try BSMSDescriptorRecord(try ExportSamples.source("m/84h/0h/0h")) }
    }
}
