import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct BIP137Tests {
    @Test func everyRowIsHere() throws {
        #expect(
            try Vectors.load(MessageVectors.file).countsByKind == [
                "bip137_hash": 7, "bip137_header": 7, "bip137_invalid": 3, "bip137_verify": 64, "bip137_sign": 36,
                "bip322_tx_hashes": 3, "bip322_simple": 8, "bip322_full": 10, "bip322_proof_of_funds": 3,
                "bip322_error": 36,
            ])
    }

    @Test func digestsAreThoseOfTheVectors() throws {
        for row in try MessageVectors.rows("bip137_hash") {
            let message = try row.bytes("message_hex")
            #expect(Array(try row.text("message").utf8) == message)
            #expect(SHA256.doubleHash(try row.bytes("preimage")) == (try row.bytes("hash")))
            #expect(BIP137Signature.digest(of: message) == (try row.digest("hash")), "\(row.testDescription)")
        }
    }

    @Test func headersAreRead() throws {
        for row in try MessageVectors.rows("bip137_header") {
            let bytes = try row.bytes("signature_hex")
            let signature = try BIP137Signature(bytes)
            #expect(signature.bytes == bytes)
            #expect(Int(signature.header) == (try row.number("header")))
            #expect(signature.recoveryID == (try row.number("recovery_id")))
            #expect((signature.addressType != .uncompressedP2PKH) == (try row.flag("compressed")))
            #expect(signature.signature.compact == (try row.bytes("r")) + (try row.bytes("s")))
        }
        let compact = [UInt8](repeating: 1, count: 64)
        for header in UInt8.min ... .max {
            let signature = try? BIP137Signature([header] + compact)
            #expect(signature?.header == ((27...42).contains(header) ? header : nil))
        }
    }

    @Test func malformedSignaturesAreRefused() throws {
        for row in try MessageVectors.rows("bip137_invalid") {
            let bytes = try row.bytes("signature_hex")
            let expected: MessageFault =
                try row.text("reason") == "header" ? .header(try #require(bytes.first)) : .signatureLength(bytes.count)
            #expect(throws: expected) { _ = try BIP137Signature(bytes) }
            let verdict = SignedMessage.verify(
                message: [], scriptPubKey: Script(), signature: Base64.encode(bytes))
            #expect(!verdict.isValid)
        }
        #expect(throws: MessageFault.signatureOutOfRange) {
            _ = try BIP137Signature([31] + [UInt8](repeating: 0xFF, count: 64))
        }
    }

    @Test func verdictsAreThoseOfTheVectors() throws {
        var valid = 0
        for row in try MessageVectors.rows("bip137_verify") {
            let text = try row.text("signature")
            let verdict = try MessageVerdict(row, text)
            #expect(verdict.isValid == (try row.flag("valid")), "\(row.testDescription)")
            #expect(verdict.format == .bip137)
            let signature = try BIP137Signature(try Base64.decode(text))
            #expect(Int(signature.header) == (try row.number("header")))
            #expect(signature.recoveryID == (try row.number("recovery_id")))
            let key = try signature.recoveredKey(message: Array(try row.text("message").utf8))
            #expect(key.bytes == (try row.bytes("recovered_public_key")))
            let address = Address(scriptPubKey: signature.addressType.scriptPubKey(for: key), network: .main)
            #expect(address?.description == (try row.text("recovered_address")))
            guard let proof = verdict.proof else { continue }
            valid += 1
            #expect(proof.publicKey == key)
            #expect(!proof.hasP2PKHHeader)
            #expect(proof.locks.isEmpty)
        }
        #expect(valid == 36)
    }

    @Test func signaturesAreMadeOfCompactOnes() throws {
        for row in try MessageVectors.rows("bip137_sign") {
            let key = try PrivateKey(SecretBytes(try row.bytes("private_key")))
            let type = try #require(Self.addressTypes[try row.text("address_type")])
            let message = Array(try row.text("message").utf8)
            let digest = BIP137Signature.digest(of: message)
            #expect(digest == (try row.digest("hash")))
            let signature = try BIP137Signature(
                key.sign(digest: digest), digest: digest, publicKey: key.publicKey, addressType: type)
            #expect(signature.encoded.description == (try row.text("signature")), "\(row.testDescription)")
            #expect(Int(signature.header) == (try row.number("header")))
            let script = type.scriptPubKey(for: key.publicKey)
            #expect(Address(scriptPubKey: script, network: .main)?.description == (try row.text("address")))
        }
    }

    @Test func signaturesOfOthersAreNotTaken() throws {
        let (key, digest) = (try Self.key(1), BIP137Signature.digest(of: [1]))
        let signature = key.sign(digest: digest)
        #expect(throws: MessageFault.noKeyRecovered) {
            _ = try BIP137Signature(
                signature, digest: digest, publicKey: Self.key(2).publicKey, addressType: .p2wpkh)
        }
        #expect(throws: MessageFault.noKeyRecovered) {
            _ = try BIP137Signature(
                signature, digest: BIP137Signature.digest(of: [2]), publicKey: key.publicKey, addressType: .p2wpkh)
        }
    }

    /// Every header against every type of address of the same key: its own type, and P2PKH's for the witness types.
    @Test func headersMatchTheirAddresses() throws {
        let (key, message) = (try Self.key(7), Array("header".utf8))
        let digest = BIP137Signature.digest(of: message)
        for headerType in BIP137Signature.AddressType.allCases {
            let signature = try BIP137Signature(
                key.sign(digest: digest), digest: digest, publicKey: key.publicKey, addressType: headerType)
            for addressType in BIP137Signature.AddressType.allCases {
                let script = addressType.scriptPubKey(for: key.publicKey)
                for network in Network.allCases {
                    let address = try #require(Address(scriptPubKey: script, network: network))
                    let verdict = SignedMessage.verify(
                        message: message, address: try UncheckedAddress(parsing: address.description),
                        signature: signature.encoded.description)
                    let isLenient =
                        headerType == .p2pkh && (addressType == .p2wpkh || addressType == .p2shP2WPKH)
                    #expect(verdict.isValid == (headerType == addressType || isLenient))
                    #expect((verdict.proof?.hasP2PKHHeader ?? false) == isLenient)
                }
            }
            // Scripts that no header is for.
            let others = [
                Script.p2pk(key.publicKey), .p2wsh(.p2pk(key.publicKey)), .p2tr(try TaprootOutputKey(key.publicKey)),
            ]
            for script in others {
                let verdict = SignedMessage.verify(
                    message: message, scriptPubKey: script, signature: signature.encoded.description)
                #expect(verdict.outcome == .invalid(.otherAddress))
            }
        }
        #expect(ScriptKind.allCases.map { BIP137Signature.AddressType($0) } == [.p2pkh, .p2shP2WPKH, .p2wpkh])
    }

    static let addressTypes: [String: BIP137Signature.AddressType] = [
        "p2pkh-uncompressed": .uncompressedP2PKH, "p2pkh": .p2pkh, "p2sh-p2wpkh": .p2shP2WPKH, "p2wpkh": .p2wpkh,
    ]

    static func key(_ number: UInt8) throws -> PrivateKey {
        try PrivateKey(SecretBytes([UInt8](repeating: 0, count: 31) + [number]))
    }
}

extension MessageVerdict {
    init(_ row: VectorRow, _ signature: String) throws {
        self = try MessageVectors.verdict(row, signature: signature)
    }
}
