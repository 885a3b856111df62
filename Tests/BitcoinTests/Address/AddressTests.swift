import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct AddressTests {
    @Test func theAddressesOfBIP173AndBIP350() throws {
        let rows = try Vectors.load("bips/bech32.json", kinds: ["address"])
        #expect(rows.count == 18)
        for row in rows {
            let text = try row.text("address")
            guard try row.flag("valid_bip350") else {
                #expect(throws: AddressError.checksumVariant(version: UInt8(try row.number("witness_version")))) {
                    try UncheckedAddress(parsing: text)
                }
                continue
            }
            let network: Network = try row.text("hrp") == "bc" ? .main : .test
            let address = try Address(parsing: text, network: network)
            #expect(address.scriptPubKey.bytes == (try row.bytes("script_pubkey")), "\(row.testDescription)")
            #expect(address.description == text.lowercased())
            let program = try #require(address.scriptPubKey.witnessProgram)
            #expect(Int(program.version) == (try row.number("witness_version")))
            #expect(program.program == (try row.bytes("program")))
        }
    }

    @Test func theInvalidAddressesOfBIP173AndBIP350() throws {
        let rows = try Vectors.load("bips/bech32.json", kinds: ["address_invalid"])
        #expect(rows.count == 25)
        for row in rows {
            let error = #expect(throws: AddressError.self, "\(row.testDescription)") {
                try UncheckedAddress(parsing: try row.text("address"))
            }
            let reason = try row.text("reason")
            let isNamed =
                switch (reason, error) {
                case ("hrp", .unknownPrefix), ("witness_version", .witnessVersion),
                    ("empty_data", .witnessVersion(nil)),
                    ("program_length", .programLength), ("program_length_v0", .programLength(version: 0, _)),
                    ("checksum", .notBech32(.checksum)), ("mixed_case", .notBech32(.mixedCase)),
                    ("padding_too_long", .notBech32(.padding)), ("padding_not_zero", .notBech32(.padding)),
                    ("checksum_bech32_for_v1_plus", .checksumVariant), ("checksum_bech32m_for_v0", .checksumVariant(0)),
                    ("checksum_character", .notBech32(.character)):
                    true
                // Written before BIP-350, so their checksum is already wrong.
                case (_, .checksumVariant): try row.text("bip") == "173"
                default: false
                }
            #expect(isNamed, "\(row.testDescription): \(reason), but \(String(describing: error))")
        }
    }

    @Test func theAddressesOfBitcoinCore() throws {
        let rows = try Vectors.load("bitcoin-core/key_io.json")
        #expect(rows.countsByKind == ["address": 68, "wif": 20, "invalid": 70])
        for row in rows where row.kind == "address" {
            let text = try row.text("string")
            let network = try #require(Network(rawValue: try row.text("chain")))
            let address = try Address(parsing: text, network: network)
            #expect(address.scriptPubKey.bytes == (try row.bytes("script_pubkey")), "\(row.testDescription)")
            #expect(address.description == text, "\(row.testDescription)")
            #expect(Address(scriptPubKey: address.scriptPubKey, network: network) == address)
            let flipped = try? Address(parsing: flippingCase(text), network: network)
            #expect((flipped == address) == (try row.flag("try_case_flip")), "\(row.testDescription)")
            #expect(throws: WalletImportFormat.ParsingError.self) { try WalletImportFormat(parsing: text) }
        }
    }

    @Test func theInvalidTextsOfBitcoinCore() throws {
        for row in try Vectors.load("bitcoin-core/key_io.json", kinds: ["invalid"]) {
            let text = try row.text("string")
            #expect(throws: AddressError.self, "\(row.testDescription)") { try UncheckedAddress(parsing: text) }
            #expect(throws: WalletImportFormat.ParsingError.self, "\(row.testDescription)") {
                try WalletImportFormat(parsing: text)
            }
        }
    }

    @Test func everyNetworkRefusesTheOthers() throws {
        let texts: [(String, [Network])] = [
            ("1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo", [.main]),
            ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", [.main]),
            ("mo9ncXisMeAoXwqcV5EWuyncbmCcQN4rVs", [.test, .testnet4, .signet, .regtest]),
            ("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", [.test, .testnet4, .signet]),
        ]
        for (text, networks) in texts {
            let unchecked = try UncheckedAddress(parsing: text)
            #expect(unchecked.networks == networks)
            for network in Network.allCases {
                if networks.contains(network) {
                    #expect(try unchecked.require(network).network == network)
                } else {
                    #expect(throws: AddressError.wrongNetwork(asked: network, found: networks)) {
                        try unchecked.require(network)
                    }
                }
            }
        }
    }

    @Test func base58ErrorsAreNamed() {
        func parsing(_ payload: [UInt8]) throws(AddressError) {
            _ = try UncheckedAddress(parsing: Base58Check.encode(payload))
        }
        let hash = [UInt8](repeating: 1, count: 20)
        #expect(throws: Never.self) { try parsing([0] + hash) }
        #expect(throws: AddressError.hashLength(19)) { try parsing([0] + hash.dropLast()) }
        #expect(throws: AddressError.hashLength(21)) { try parsing([0xC4] + hash + [1]) }
        #expect(throws: AddressError.hashLength(0)) { try parsing([]) }
        #expect(throws: AddressError.unknownVersion(1)) { try parsing([1] + hash) }
        #expect(throws: AddressError.notBase58Check(.checksum)) {
            try UncheckedAddress(parsing: "1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mp")
        }
        #expect(throws: AddressError.notBase58Check(.tooShort)) { try UncheckedAddress(parsing: "") }
    }

    @Test func scriptsWithoutAddressHaveNone() {
        for script in [Script(), Script([0x6A]), Script([0x51]), Script([0x00, 0x02, 1, 2])] {
            #expect(Address(scriptPubKey: script, network: .main) == nil)
        }
    }

    private func flippingCase(_ text: String) -> String {
        String(text.map { Character($0.isLowercase ? $0.uppercased() : $0.lowercased()) })
    }
}
