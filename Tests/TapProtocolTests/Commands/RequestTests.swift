import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

/// What is sent, byte for byte, beside the maker's own client.
@Suite struct RequestTests {
    @Test func constants() throws {
        let rows = try CardVectors.rows("constants")
        #expect(rows.count == 1)
        let row = try #require(rows.first)
        #expect(TapAPDU.applicationIdentifier == (try row.bytes("app_id")))
        #expect(try TapAPDU.select().encoded == row.bytes("select_apdu"))
        #expect([TapAPDU.instruction] == (try row.bytes("ins")))
        #expect(Exchange.nonceLength == (try row.number("card_nonce_bytes")))
        #expect(Exchange.nonceLength == (try row.number("user_nonce_bytes")))
        #expect(CVC.lengths == (try row.number("cvc_min_bytes"))...(try row.number("cvc_max_bytes")))
        #expect(DeriveCommand.maximumSteps == (try row.number("derive_max_depth")))
        #expect(SignCommand.maximumSubpathSteps == (try row.number("subpath_max_length")))
        #expect(NewCommand.chainCodeLength == (try row.number("chain_code_bytes")))
        #expect(CertificateChain.Certificate.length == (try row.number("certificate_signature_bytes")))
        #expect(CertificateVerdict.factoryRoot == (try row.text("factory_root_public_key")))
        #expect(CertificateVerdict.developmentRoot == (try row.text("obsolete_development_root_public_key")))
    }

    /// Rows for commands that only a SATSCARD has, which are not spoken here yet.
    private static let satscardOnly = ["unseal": 1, "dump": 2, "derive": 1]

    @Test func requests() throws {
        let rows = try CardVectors.rows("request")
        #expect(rows.count == 18)
        var skipped: [String: Int] = [:]
        for row in rows {
            let fields = try row.object("fields")
            guard let send = try sender(for: try row.text("cmd"), fields: fields) else {
                skipped[try row.text("cmd"), default: 0] += 1
                continue
            }
            let nonce = fields["nonce", as: String.self] == nil ? [] : try fields.bytes("nonce")
            let isSatscard = try row.text("cmd") == "read" && fields["xcvc", as: String.self] == nil
            let open = try OpenSession(
                .map(try CardVectors.status(nonce: TestCard.firstNonce, isSatscard: isSatscard)),
                .failure(.init(.cardRemoved, "gone")),
                random: ScriptedRandom(nonce + (try CardVectors.ephemeralSecret)))
            #expect(throws: TapError.reader(.init(.cardRemoved, "gone"))) { try send(open.session) }
            var map = try #require(ScriptedChannel.map(in: open.channel.requests[1]))
            // The card nonce of these rows is not published, and with it the mask of their CVC.
            if map["xcvc"] != nil { map["xcvc"] = .bytes(try fields.bytes("xcvc")) }
            #expect(CBOREncoder.encode(.map(map)) == (try row.bytes("cbor")), "\(row.testDescription)")
            #expect(open.channel.requests[1].prefix(5) == (try row.bytes("apdu")).prefix(5))
        }
        #expect(skipped == Self.satscardOnly)
    }

    private func sender(for command: String, fields: VectorRow) throws -> ((TapSession) throws -> Void)? {
        let cvc: CVC? = fields["xcvc", as: String.self] == nil ? nil : try CVC(TestCard.cvc)
        switch command {
        case "status": return { try $0.refreshStatus() }
        case "read": return { _ = try $0.read(cvc: cvc) }
        case "certs": return { _ = try $0.send(CertsCommand()) }
        case "check": return { _ = try $0.send(CheckCommand(slotKey: nil)) }
        case "nfc": return { _ = try $0.tapURL() }
        case "wait": return { try $0.wait(cvc: cvc) }
        case "derive":
            guard fields["path", as: [Int].self] != nil, let cvc else { return nil }
            return { try $0.setPath(try fields.path("path"), cvc: cvc) }
        case "new":
            return { try $0.createKey(chainCode: try fields.bytes("chain_code"), cvc: try #require(cvc)) }
        case "xpub":
            return { _ = try $0.extendedPublicKey(master: try fields.flag("master"), cvc: try #require(cvc)) }
        case "backup": return { _ = try $0.backup(cvc: try #require(cvc)) }
        default: return nil
        }
    }

    /// Each of our commands, as the maker's text describes it.
    @Test func commandsHaveTheTextsArguments() throws {
        let rows = try CardVectors.rows("command")
        #expect(rows.count == 15)
        let commands: [any TapCommand] = [
            StatusCommand(), ReadCommand(), try DeriveCommand(path: TestCard.path), CertsCommand(),
            CheckCommand(slotKey: nil),
            try NewCommand(chainCode: [UInt8](repeating: 1, count: 32)), NFCCommand(),
            try SignCommand(digest: [UInt8](repeating: 1, count: 32), subpath: .init()), WaitCommand(),
            ChangeCommand(newCVC: try CVC("654321")), XPubCommand(isMaster: true), BackupCommand(),
            SlotDeriveCommand(), UnsealCommand(slot: SlotNumber(index: 0)), DumpCommand(slot: SlotNumber(index: 0)),
        ]
        var matched = 0
        for command in commands {
            let row = try #require(
                try rows.first {
                    try $0.text("cmd") == type(of: command).name
                        && ($0.text("cmd") != "derive" || ($0.text("auth") == "none") == (command is SlotDeriveCommand))
                })
            try compare(command, with: row)
            matched += 1
        }
        #expect(matched == rows.count)
    }

    private func compare<Command: TapCommand>(_ command: Command, with row: VectorRow) throws {
        let named = try #require(row["products", as: [String].self])
        let product: CardProduct = named.contains("TAPSIGNER") ? .tapsigner : .satscard
        #expect(Command.products.contains(product))
        // `sign` of a SATSCARD's slot is a type of its own.
        let isForSatscards = Command.products.contains(.satscard) || Command.name == SlotSignCommand.name
        #expect(isForSatscards == named.contains("SATSCARD"))
        switch try row.text("auth") {
        case "none": #expect(Command.authentication(for: product) == .none)
        case "optional": #expect(Command.authentication(for: product) == .optional)
        default: #expect(Command.authentication(for: product) == .required)
        }
        let status = try CardVectors.status(nonce: TestCard.firstNonce, isSatscard: product == .satscard)
        let open = try OpenSession(.map(status), .word(0x6F00))
        let isAuthenticated = Command.authentication(for: product) != .none
        #expect(throws: TapError.statusWord(.init(rawValue: 0x6F00), command: Command.name)) {
            _ = try open.session.send(command, cvc: isAuthenticated ? try CVC(TestCard.cvc) : nil)
        }
        let sent = try #require(ScriptedChannel.map(in: open.channel.requests[1])).pairs.map(\.key)
        #expect(Set(sent) == Set(try row.objects("request").map { try $0.text("name") } + ["cmd"]), "\(Command.name)")
        let answered = try row.objects("response").map { try $0.text("name") }
        #expect(Command.answersWithNonce == answered.contains("card_nonce"))
        #expect(Command.usesAppNonce == sent.contains("nonce"))
    }
}
