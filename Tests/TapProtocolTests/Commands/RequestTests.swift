import Bitcoin
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
        #expect(ChainCode.length == (try row.number("chain_code_bytes")))
        #expect(CertificateChain.Certificate.length == (try row.number("certificate_signature_bytes")))
        #expect(CertificateVerdict.factoryRoot == (try row.text("factory_root_public_key")))
        #expect(CertificateVerdict.developmentRoot == (try row.text("obsolete_development_root_public_key")))
    }

    @Test func requests() throws {
        let rows = try CardVectors.rows("request")
        #expect(rows.count == 18)
        for row in rows {
            let fields = try row.object("fields")
            // The one that is never sent: see `ReadTests`.
            if try row.text("cmd") == ReadCommand.name, fields["xcvc", as: String.self] != nil { continue }
            let (status, send) = try sender(for: try row.text("cmd"), fields: fields)
            let nonce = fields["nonce", as: String.self] == nil ? [] : try fields.bytes("nonce")
            let open = try OpenSession(
                .map(status), .failure(.init(.cardRemoved, "gone")),
                random: ScriptedRandom(nonce + (try CardVectors.ephemeralSecret)))
            #expect(throws: TapError.reader(.init(.cardRemoved, "gone")), "\(row.testDescription)") {
                try send(open.session)
            }
            var map = try #require(ScriptedChannel.map(in: open.channel.requests[1]))
            // The card nonce of these rows is not published, and with it the mask of their CVC.
            if map["xcvc"] != nil { map["xcvc"] = .bytes(try fields.bytes("xcvc")) }
            #expect(CBOREncoder.encode(.map(map)) == (try row.bytes("cbor")), "\(row.testDescription)")
            #expect(open.channel.requests[1].prefix(5) == (try row.bytes("apdu")).prefix(5))
        }
    }

    /// The status of a card that takes the command, and how it is sent.
    private func sender(
        for command: String, fields: VectorRow
    ) throws -> (status: CBORMap, send: (TapSession) throws -> Void) {
        let cvc: CVC? = fields["xcvc", as: String.self] == nil ? nil : try CVC(TestCard.cvc)
        let slot = fields["slot", as: Int.self] ?? 0
        let signer = try CardVectors.status(nonce: TestCard.firstNonce)
        let satscard = try TestSatscard(active: slot).status()
        let send: (TapSession) throws -> Void
        switch command {
        case "status": send = { try $0.refreshStatus() }
        case "read": send = { _ = try $0.read() }
        case "certs": send = { _ = try $0.send(CertsCommand()) }
        case "check": send = { _ = try $0.send(CheckCommand(slotKey: nil)) }
        case "nfc": send = { _ = try $0.tapURL() }
        case "wait": send = { try $0.wait(cvc: cvc) }
        case "dump": send = { _ = try $0.dump(SlotNumber(index: slot), cvc: cvc) }
        case "unseal": send = { _ = try $0.unseal(cvc: try #require(cvc)) }
        case "derive" where cvc == nil: send = { try $0.proveSlotOrigin() }
        case "derive": send = { try $0.setPath(try fields.path("path"), cvc: try #require(cvc)) }
        case "new":
            send = { try $0.createKey(chainCode: try fields.chainCode("chain_code"), cvc: try #require(cvc)) }
        case "xpub":
            send = { _ = try $0.extendedPublicKey(master: try fields.flag("master"), cvc: try #require(cvc)) }
        case "backup": send = { _ = try $0.backup(cvc: try #require(cvc)) }
        default: throw TapError.invalidArgument(command: command, problem: "is none that we know")
        }
        let isForSatscard = ["dump", "unseal", "read"].contains(command) || command == "derive" && cvc == nil
        return (isForSatscard ? satscard : signer, send)
    }

    /// Each of our commands, as the maker's text describes it; but `read` is for a SATSCARD only.
    @Test func commandsHaveTheTextsArguments() throws {
        let rows = try CardVectors.rows("command")
        #expect(rows.count == 15)
        let commands: [any TapCommand] = [
            StatusCommand(), ReadCommand(), try DeriveCommand(path: TestCard.path), CertsCommand(),
            CheckCommand(slotKey: nil),
            NewCommand(chainCode: ChainCode(repeating: 1)), NFCCommand(),
            try SignCommand(digest: Digest(hashing: [1]), subpath: .init()), WaitCommand(),
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
        let products = try #require(row["products", as: [String].self])
        let isRead = Command.name == ReadCommand.name
        let product: CardProduct = products.contains("TAPSIGNER") && !isRead ? .tapsigner : .satscard
        #expect(Command.products.contains(product))
        // `sign` of a SATSCARD's slot is a type of its own.
        let isForSatscards = Command.products.contains(.satscard) || Command.name == SlotSignCommand.name
        #expect(isForSatscards == products.contains("SATSCARD"))
        let auth = try row.text("auth")
        #expect((auth == "TAPSIGNER") == isRead)
        switch auth {
        case "none", "TAPSIGNER": #expect(Command.authentication(for: product) == .none)
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
        var named = Set(try row.objects("request").map { try $0.text("name") } + ["cmd"])
        if isRead { named.subtract(["epubkey", "xcvc"]) }
        #expect(Set(sent) == named, "\(Command.name)")
        let answered = try row.objects("response").map { try $0.text("name") }
        #expect(Command.answersWithNonce == answered.contains("card_nonce"))
        #expect(Command.usesAppNonce == sent.contains("nonce"))
    }
}
