import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

@Suite struct CertificateTests {
    private let rows: [VectorRow]

    init() throws { rows = try CardVectors.rows("certs") }

    /// The rows of a TAPSIGNER, whose `check` signs no slot key.
    private var signerRows: [VectorRow] { rows.filter { $0["slot_pubkey", as: String.self] == nil } }

    private func session(_ row: VectorRow, certificates: CBORMap? = nil) throws -> OpenSession {
        try OpenSession(
            .map(try CardVectors.status(nonce: try row.bytes("card_nonce"))),
            .data(try row.bytes("check_response_cbor")), .map(try certificates ?? row.map("certs_response_cbor")),
            random: ScriptedRandom(try row.bytes("nonce")))
    }

    @Test func publishedChains() throws {
        #expect(rows.count == 3)
        #expect(signerRows.count == 2)
        for row in signerRows {
            let root = try PublicKey(try row.bytes("root_pubkey"))
            let unknown = try session(row)
            #expect(try unknown.session.proveCard(customRoots: []).verdict == .unknown(root: root))
            #expect(unknown.channel.commandNames == ["select", "check", "certs"])
            let custom = try session(row).session.proveCard(customRoots: [root]).verdict
            #expect(custom == .custom(root: root))
            #expect(!custom.isGenuine)
            #expect(custom.isAccepted == (try row.flag("valid_with_test_root")))
        }
    }

    @Test func eachLinkOfAPublishedChain() throws {
        for row in rows {
            let answer = try ResponseFields(command: "certs", encoded: try row.bytes("certs_response_cbor"))
            let certificates = try answer.byteStrings("cert_chain", count: 2...2, length: 65)
            #expect(certificates.allSatisfy { $0[0] == 27 || $0[0] == 28 || $0[0] == 39 || $0[0] == 40 })
            let chain = CertificateChain(try certificates.map { try #require(CertificateChain.Certificate($0)) })
            let cardKey = try PublicKey(try row.bytes("card_pubkey"))
            let batch = try CertificateChain([chain.certificates[0]]).root(from: cardKey)
            #expect(batch.bytes == (try row.bytes("batch_pubkey")))
            #expect(try chain.root(from: cardKey).bytes == row.bytes("root_pubkey"))
        }
    }

    @Test func checkWithASealedSlot() throws {
        let row = try #require(rows.first { $0["slot_pubkey", as: String.self] != nil })
        let slotKey = try PublicKey(try row.bytes("slot_pubkey"))
        let answer = try row.map("check_response_cbor")
        for (version, key, isValid) in [
            ("1.0.0", slotKey, true), ("1.0.0", nil, false), ("0.9.0", slotKey, true),
            ("1.0.0", try CardVectors.cardKey.publicKey, false),
        ] as [(String, PublicKey?, Bool)] {
            var status = try CardVectors.status(nonce: try row.bytes("card_nonce"), isSatscard: true)
            status["ver"] = .text(version)
            let open = try OpenSession(
                .map(status), .map(answer), random: ScriptedRandom(try row.bytes("nonce")))
            let check = { try open.session.send(CheckCommand(slotKey: key)) }
            if isValid { _ = try check() } else { try expectFailure(of: .cardKey, from: check) }
        }
    }

    /// Certificates of another card, with a `check` that this card cannot have made, and the other way round.
    @Test func replayedCertificatesLeadNowhere() throws {
        let row = try #require(signerRows.first)
        let other = try TestCard(7)
        var status = try CardVectors.status(nonce: try row.bytes("card_nonce"))
        status["pubkey"] = .bytes(other.key.publicKey.bytes)
        let replayed = try OpenSession(
            .map(status), .data(try row.bytes("check_response_cbor")), random: ScriptedRandom(try row.bytes("nonce")))
        try expectFailure(of: .cardKey) { try replayed.session.proveCard(customRoots: []).verdict }

        let nonce = try row.bytes("card_nonce")
        let withOwnCheck = try OpenSession(
            .map(status),
            .computed {
                [
                    "auth_sig": try other.proof(for: $0, cardNonce: nonce, by: other.key),
                    "card_nonce": .bytes(TestCard.nonce(2)),
                ]
            }, .data(try row.bytes("certs_response_cbor")))
        let root = try PublicKey(try row.bytes("root_pubkey"))
        let verdict = try withOwnCheck.session.proveCard(customRoots: [root]).verdict
        #expect(verdict.rootName == "unknown")
        #expect(!verdict.isAccepted)
    }

    @Test func headers() throws {
        let headers = try CardVectors.rows("certificate_header")
        #expect(headers.count == 8)
        var known: Set<UInt8> = []
        for row in headers {
            let header = UInt8(try row.number("header"))
            known.insert(header)
            #expect(CertificateChain.Certificate.recoveryID(header: header) == (try row.number("recovery_id")))
        }
        #expect(known.isSubset(of: 27...42))
        for header in UInt8.min...UInt8.max {
            let expected = (27...42).contains(header) ? (Int(header) - 27) % 4 : nil
            #expect(CertificateChain.Certificate.recoveryID(header: header) == expected)
        }
    }

    @Test func malformedChains() throws {
        let row = try #require(signerRows.first)
        guard case .array(let items)? = try row.map("certs_response_cbor")["cert_chain"],
            case .bytes(let first)? = items.first
        else {
            Issue.record("No chain.")
            return
        }
        let chains: [CBORValue] = [
            .array([CBORValue](repeating: items[0], count: 33)), .bytes(first),
            .array([.bytes(Array(first.dropLast())), items[1]]), .array([.text("certificate"), items[1]]),
            .array([.bytes([26] + first.dropFirst()), items[1]]), .array([.bytes([43] + first.dropFirst()), items[1]]),
            .array([.bytes([27] + [UInt8](repeating: 0xFF, count: 64)), items[1]]),
        ]
        for chain in chains {
            let open = try session(row, certificates: ["cert_chain": chain])
            guard
                case .badResponse("certs", "cert_chain", _) = try tapError(from: {
                    try open.session.proveCard(customRoots: []).verdict
                })
            else {
                Issue.record("\(chain)")
                continue
            }
        }
    }

    /// Which root they lead to is the proof, not how many they are, nor which of four numberings their headers follow.
    @Test func countsAndHeadersAreForms() throws {
        let row = try #require(signerRows.first)
        let root = try PublicKey(try row.bytes("root_pubkey"))
        let items = try ResponseFields(command: "certs", encoded: try row.bytes("certs_response_cbor"))
            .byteStrings("cert_chain", count: 2...2, length: 65)
        for shift in [0, 4, 8, 12] as [UInt8] {
            let shifted = items.map { CBORValue.bytes([27 + ($0[0] - 27) % 4 + shift] + $0.dropFirst()) }
            let open = try session(row, certificates: ["cert_chain": .array(shifted)])
            #expect(try open.session.proveCard(customRoots: [root]).verdict == .custom(root: root))
        }
        for count in [0, 1, 3, 32] {
            let chain = (0..<count).map { CBORValue.bytes(items[$0 % 2]) }
            let open = try session(row, certificates: ["cert_chain": .array(chain)])
            let outcome = Result { try open.session.proveCard(customRoots: [root]).verdict }
            switch outcome {
            case .success(let verdict): #expect(!verdict.isAccepted, "\(count)")
            case .failure(let error): #expect((error as? TapError)?.code == .badProof, "\(count)")
            }
        }
    }

    @Test func aSignatureThatGivesNoKeyFails() throws {
        let row = try #require(signerRows.first)
        // An R of 5 is the x coordinate of no point, and 5 plus the group order exceeds the field for ids 2 and 3.
        let noKey = [27] + [UInt8](repeating: 0, count: 31) + [5] + [UInt8](repeating: 1, count: 32)
        let chain = CBORValue.array([.bytes(noKey), .bytes(noKey)])
        let open = try session(row, certificates: ["cert_chain": chain])
        try expectFailure(of: .certificateChain) { try open.session.proveCard(customRoots: []).verdict }
    }

    @Test func verdicts() throws {
        let key = try TestCard().key.publicKey
        let factory = try PublicKey(Hex.decode(CertificateVerdict.factoryRoot))
        let development = try PublicKey(Hex.decode(CertificateVerdict.developmentRoot))
        #expect(CertificateVerdict(root: factory, customRoots: []) == .genuine)
        #expect(CertificateVerdict(root: factory, customRoots: [factory]).isGenuine)
        #expect(CertificateVerdict(root: development, customRoots: [development]) == .development)
        #expect(!CertificateVerdict(root: development, customRoots: []).isGenuine)
        #expect(CertificateVerdict(root: key, customRoots: [factory, key]) == .custom(root: key))
        #expect(CertificateVerdict(root: key, customRoots: [factory]) == .unknown(root: key))
        let names = [factory, development].map { CertificateVerdict(root: $0, customRoots: []).rootName }
        #expect(names == ["factory", "development"])
        let accepted = [factory, development, key].map { CertificateVerdict(root: $0, customRoots: []).isAccepted }
        #expect(accepted == [true, false, false])
    }
}
