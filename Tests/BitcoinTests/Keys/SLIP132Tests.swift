import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

@Suite struct SLIP132Tests {
    private static let rows = Result { try Vectors.load("slips/slip132.json") }

    @Test func everyRowIsHere() throws {
        #expect(try Self.rows.get().countsByKind == ["version": 10, "account": 3, "account-computed": 7])
    }

    @Test func versionBytesAreTheRegisteredOnes() throws {
        let rows = try Self.rows.get().filter { $0.kind == "version" }
        var seen: Set<UInt32> = []
        for row in rows {
            let network: KeyNetwork = try row.text("network") == "mainnet" ? .main : .test
            let form = try #require(Self.forms[try row.text("address_encoding")], "\(row.testDescription)")
            let version = form.publicVersion(network)
            #expect(
                Hex.encode(withUnsafeBytes(of: version.bigEndian) { Array($0) }) == (try row.text("public_version")))
            seen.insert(version)
            if let path = row["path", as: String.self] {
                #expect(try SLIP132Form(accountPath: DerivationPath(parsing: path)) == form)
            }
            // Whatever key is in it, the text begins as registered.
            let key = ExtendedPublicKey(
                network: network, chainCode: ChainCode(repeating: 7),
                publicKey: try PrivateKey(SecretBytes([UInt8](repeating: 1, count: 32))).publicKey)
            #expect(key.text(form).hasPrefix(try row.text("public_prefix")))
        }
        #expect(seen.count == SLIP132Form.allCases.count * 2)
    }

    @Test func accountsAreThoseOfTheVectors() throws {
        for row in try Self.rows.get() where row.kind != "version" {
            let path = try DerivationPath(parsing: try row.text("path"))
            let form = try #require(SLIP132Form(accountPath: path), "\(row.testDescription)")
            let key = try ExtendedPublicKey(parsing: try row.text("bip32_xpub"))
            #expect(key.text(form) == (try row.text("slip132_pub")), "\(row.testDescription)")
            let privateKey = try ExtendedPrivateKey(parsing: try row.text("bip32_xprv"))
            #expect(privateKey.neutered.text(form) == (try row.text("slip132_pub")), "\(row.testDescription)")
            if let kind = ScriptKind(accountPath: path), let address = row["address", as: String.self] {
                let account = AccountDescriptor(kind: kind, origin: nil, key: key)
                #expect(try account.address(.receive, 0, network: .main)?.description == address)
            }
        }
    }

    @Test(arguments: [
        "m", "m/0h", "m/86h/0h/0h", "m/48h/0h/0h", "m/48h/0h/0h/0h", "m/48h/0h/0h/2", "m/48h/0h/0h/2h/0h",
    ])
    func otherPathsStandForNoForm(_ path: String) throws {
        #expect(SLIP132Form(accountPath: try DerivationPath(parsing: path)) == nil)
    }

    private static let forms: [String: SLIP132Form] = [
        "p2pkh|p2sh": .legacy, "p2sh-p2wpkh": .p2shP2WPKH, "p2wpkh": .p2wpkh, "multisig p2sh-p2wsh": .p2shP2WSH,
        "multisig p2wsh": .p2wsh,
    ]
}
