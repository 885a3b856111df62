import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct AccountDescriptorTests {
    private static let file = "bips/bip49_84_86.json"

    @Test func everyRowIsHere() throws {
        let rows = try Vectors.load(Self.file)
        #expect(rows.countsByKind == ["published": 3, "computed": 8])
        let counts = rows.compactMap { $0["addresses", as: [Any].self]?.count }
        #expect(counts.reduce(0, +) == 55)
    }

    @Test func addressesOfEveryAccount() throws {
        for row in try Vectors.load(Self.file) {
            let account = try account(row)
            #expect(
                Array(account.neutered.serialized.dropFirst(4)) == (try accountBytes(row)), "\(row.testDescription)")
            for entry in try row.objects("addresses") {
                let path = try DerivationPath(parsing: try entry.text("path"))
                let key = try account.descendant(path)
                let publicKey = key.privateKey.publicKey
                if row.fields["bip"] as? String == "86" {
                    let address = Address(
                        scriptPubKey: .p2tr(try TaprootOutputKey(publicKey)), network: try network(row))
                    #expect(address?.description == (try entry.text("address")), "\(row.testDescription)")
                    continue
                }
                let kind = try #require(ScriptKind(accountPath: try accountPath(row)))
                let descriptor = AccountDescriptor(kind: kind, origin: nil, key: account.neutered)
                let branch = try #require(AccountDescriptor.Branch(rawValue: path.steps[0].rawValue))
                let address = try #require(
                    try descriptor.address(branch, path.steps[1].rawValue, network: try network(row)))
                #expect(address.description == (try entry.text("address")), "\(row.testDescription)")
                #expect(try descriptor.publicKey(branch, path.steps[1].rawValue) == publicKey)
                #expect(try entry.bytes("public_key") == publicKey.bytes)
                let wif = WalletImportFormat(key.privateKey, network: account.network)
                #expect(wif.text == (try entry.text("wif")))
                if let redeemScript = kind.redeemScript(for: publicKey) {
                    #expect(Script.p2sh(redeemScript) == address.scriptPubKey)
                }
                if entry.fields["redeem_script"] != nil {
                    #expect(kind.redeemScript(for: publicKey)?.bytes == (try entry.bytes("redeem_script")))
                }
            }
        }
    }

    @Test func descriptorsNameOriginKeyAndBranches() throws {
        let forms = ["44": ("pkh(", ")"), "49": ("sh(wpkh(", "))"), "84": ("wpkh(", ")")]
        var count = 0
        for row in try Vectors.load(Self.file, kinds: ["computed"]) {
            guard let (front, back) = forms[try row.text("bip")] else { continue }
            count += 1
            let path = try accountPath(row)
            let origin = KeyOrigin(
                fingerprint: try #require(Fingerprint(try row.bytes("master_fingerprint"))), path: path)
            let key = try ExtendedPublicKey(parsing: try row.text("xpub"))
            let descriptor = AccountDescriptor(
                kind: try #require(ScriptKind(accountPath: path)), origin: origin, key: key)
            let prefix = "\(front)[73c5da0a/\(path.description.dropFirst(2))]\(key.text)/"
            #expect(try DescriptorChecksum.verify(descriptor.text) == "\(prefix)<0;1>/*\(back)")
            #expect(try DescriptorChecksum.verify(descriptor.text(of: .receive)) == "\(prefix)0/*\(back)")
            #expect(try DescriptorChecksum.verify(descriptor.text(of: .change)) == "\(prefix)1/*\(back)")
            for text in [descriptor.text, descriptor.text(of: .receive), descriptor.text(of: .change)] {
                #expect(text.split(separator: "#").last?.count == 8)
            }
        }
        #expect(count == 6)
    }

    @Test func otherPathsHaveNoKind() throws {
        for text in ["m", "m/84", "m/86h/0h/0h", "m/48h/0h/0h/2h", "m/0/84h"] {
            #expect(ScriptKind(accountPath: try DerivationPath(parsing: text)) == nil)
        }
        #expect(ScriptKind(accountPath: try DerivationPath(parsing: "m/84h")) == .p2wpkh)
    }

    @Test func theOtherFamilyOfNetworksHasNoAddress() throws {
        let key = try ExtendedPrivateKey(seed: SecretBytes([UInt8](repeating: 1, count: 16)), network: .test).neutered
        let descriptor = AccountDescriptor(kind: .p2wpkh, origin: nil, key: key)
        #expect(try descriptor.address(.receive, 0, network: .main) == nil)
        #expect(try descriptor.address(.receive, 0, network: .regtest)?.description.hasPrefix("bcrt1q") == true)
        #expect(throws: ExtendedKeyError.self) { try descriptor.address(.receive, 0x8000_0000, network: .test) }
    }

    /// The published rows give the mnemonic only; the computed ones give the same mnemonic's seed.
    private func account(_ row: VectorRow) throws -> ExtendedPrivateKey {
        let seeds = try Vectors.load(Self.file, kinds: ["computed"])
        let seed = try #require(try seeds.first { try $0.text("mnemonic") == (try row.text("mnemonic")) })
        let network: KeyNetwork = try row.text("network") == "mainnet" ? .main : .test
        return try ExtendedPrivateKey(seed: SecretBytes(try seed.bytes("seed")), network: network)
            .descendant(try accountPath(row))
    }

    /// The account key's serialization behind its version, which the published rows give in SLIP-132's forms.
    private func accountBytes(_ row: VectorRow) throws -> [UInt8] {
        Array(try Base58Check.decode(try row.text(row.kind == "published" ? "account_pub" : "xpub")).dropFirst(4))
    }

    private func accountPath(_ row: VectorRow) throws -> DerivationPath {
        try DerivationPath(parsing: try row.text("path"))
    }

    private func network(_ row: VectorRow) throws -> Network {
        try row.text("network") == "mainnet" ? .main : .test
    }
}
