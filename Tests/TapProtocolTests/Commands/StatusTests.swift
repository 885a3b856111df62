import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

@Suite struct StatusTests {
    @Test func readsThePublishedAnswers() throws {
        let rows = try CardVectors.rows("status_response")
        #expect(rows.count == 6)
        for row in rows {
            let fields = try row.object("fields")
            let status = try OpenSession(.data(try row.bytes("cbor"))).session.status
            let isSigner = fields["tapsigner", as: Bool.self] ?? false
            let isChip = fields["satschip", as: Bool.self] ?? false
            #expect(status.product == (isChip ? .satschip : isSigner ? .tapsigner : .satscard))
            #expect(status.appletVersion.description == (try fields.text("ver")))
            #expect(status.birthHeight == (try fields.number("birth")))
            #expect(status.publicKey.bytes == (try fields.bytes("pubkey")))
            #expect(status.ident.text == (try row.text("ident")))
            #expect(status.isTestnet == (fields["testnet", as: Bool.self] ?? false))
            #expect(status.keyNetwork == (status.isTestnet ? .test : .main))
            #expect(status.authDelaySeconds == (fields["auth_delay", as: Int.self] ?? 0))
            #expect(status.backupCount == fields["num_backups", as: Int.self])
            #expect(status.path?.steps.map { Int($0.rawValue) } == fields["path", as: [Int].self])
            #expect(status.isSetUp == (fields["path", as: [Int].self] != nil))
            #expect(status.slots.map { [$0.active, $0.total] } == fields["slots", as: [Int].self])
            #expect(status.address?.description == fields["addr", as: String.self])
            #expect(!status.isTampered)
        }
    }

    @Test(arguments: [
        ("proto", CBORValue.text("1")), ("ver", .unsigned(1)), ("birth", .negative(offset: 0)), ("pubkey", nil),
        ("pubkey", .bytes([])), ("pubkey", .bytes([UInt8](repeating: 2, count: 32))),
        ("pubkey", .bytes([UInt8](repeating: 5, count: 33))), ("pubkey", .text("02")),
        ("card_nonce", .bytes([UInt8](repeating: 1, count: 15))), ("card_nonce", .null),
        ("tapsigner", .unsigned(1)), ("satschip", .text("yes")), ("num_backups", .text("1")),
        ("path", .array([.unsigned(0x1_0000_0000)])), ("path", .unsigned(0)),
        ("path", .array([CBORValue](repeating: .unsigned(0x8000_0000), count: 256))), ("path", .array([.text("84h")])),
        ("path", .null), ("testnet", .null), ("auth_delay", .bool(true)),
        ("tampered", .unsigned(0)),
    ])
    func refuses(field: String, value: CBORValue?) throws {
        var map = try TestCard().status()
        map[field] = value
        guard case .badResponse("select", let named, let problem) = try tapError(from: { try OpenSession(.map(map)) })
        else {
            Issue.record("Another error.")
            return
        }
        #expect(named == field)
        #expect(!problem.isEmpty)
    }

    @Test(arguments: [
        ("slots", CBORValue.array([.unsigned(0)])), ("slots", .array([.unsigned(3), .unsigned(2)])), ("slots", nil),
        ("slots", .array([.unsigned(0), .unsigned(0)])), ("slots", .array([.unsigned(0), .unsigned(256)])),
        ("addr", .text("bc1qsqu___35wvl3lh8")), ("addr", .text("bc1qsqu64khv___QF735WVL3LH8")),
        ("addr", .text("bc1qsqu64khv-_-qf735wvl3lh8")), ("addr", .text("bc1qsqu64khvqf735wvl3lh8")),
        ("addr", .text("bc1qsqu64khv_x_qf735wvl3lh8")), ("addr", .unsigned(1)),
    ])
    func refusesOnASatscard(field: String, value: CBORValue?) throws {
        var map = try CardVectors.status(nonce: TestCard.firstNonce, isSatscard: true)
        map[field] = value
        guard case .badResponse("select", field, _) = try tapError(from: { try OpenSession(.map(map)) }) else {
            Issue.record("Another error.")
            return
        }
    }

    /// Each with what is said of it in the trace.
    @Test(
        arguments: [
            ("proto", CBORValue.unsigned(2), "`proto` is 2, not 1"),
            ("proto", .negative(offset: 0), "`proto` is -1, not 1"),
            ("proto", nil, "`proto` is missing"),
            ("ver", .text("1.0"), "`ver` is more or less than three numbers: 1.0"),
            ("ver", .text("1.0.3\u{1B}[2J"), "`ver` is more or less than three numbers: 1.0.3?[2J"),
            ("ver", .text("second edition"), "`ver` is unreadable"), ("ver", .text(""), "`ver` is unreadable"),
            ("ver", nil, "`ver` is unreadable"),
            ("birth", .unsigned(699_999), "`birth` is 699999, outside 700000-999999"),
            ("birth", .unsigned(.max), "`birth` is 9223372036854775807, outside 700000-999999"),
            ("birth", nil, "`birth` is missing"), ("card_nonce", nil, "`card_nonce` is missing"),
            ("num_backups", .unsigned(128), "`num_backups` is 128, outside 0-127"),
            ("num_backups", nil, "`num_backups` is missing"),
            ("path", .array([.unsigned(84)]), "`path` is m/84, which `derive` does not accept"),
            (
                "path", .array([CBORValue](repeating: .unsigned(0x8000_0000), count: 9)),
                "`path` is m/0h/0h/0h/0h/0h/0h/0h/0h/0h, which `derive` does not accept"
            ),
            ("auth_delay", .unsigned(256), "`auth_delay` is 256"),
            ("auth_delay", .unsigned(.max), "`auth_delay` is 4294967295"),
        ] as [(String, CBORValue?, String)])
    func takesWhatNoProofNeeds(field: String, value: CBORValue?, said: String) throws {
        var map = try TestCard().status()
        map[field] = value
        let log = TraceLog()
        let session = try OpenSession(answers: [.map(map)], trace: log.record).session
        #expect(log.events.contains(.form(command: "select", detail: said)), "\(log.events)")
        #expect(session.status.publicKey == (try TestCard().key.publicKey))
    }

    @Test(arguments: [
        ("slots", CBORValue.array([.unsigned(200), .unsigned(255)]), "`slots` counts 255"),
        ("addr", .text("bc1qsqu64khv__qf735wvl3lh8"), "`addr` is bc1qsqu64khv__qf735wvl3lh8"),
        ("addr", .text("bc1qsqu6_______35wvl3lh8"), "`addr` is bc1qsqu6_______35wvl3lh8"),
        ("satschip", .bool(true), "`satschip` without `tapsigner`"),
    ])
    func takesWhatNoProofNeedsOfASatscard(field: String, value: CBORValue, said: String) throws {
        var map = try CardVectors.status(nonce: TestCard.firstNonce, isSatscard: true)
        map[field] = value
        let log = TraceLog()
        let session = try OpenSession(answers: [.map(map)], trace: log.record).session
        #expect(log.events.contains(.form(command: "select", detail: said)), "\(log.events)")
        #expect(session.status.product == (field == "satschip" ? .satschip : .satscard))
    }

    @Test func aStatusThatKeepsToTheProtocolSaysNothingInTheTrace() throws {
        let log = TraceLog()
        _ = try OpenSession(answers: [.map(try TestCard().status())], trace: log.record)
        #expect(!log.events.contains { if case .form = $0 { true } else { false } })
    }

    @Test func ignoresUnknownKeys() throws {
        var map = try TestCard().status()
        let plain = try OpenSession(.map(map)).session.status
        map["future"] = .array([.null, .map(["deep": .bool(false)]), .other([0xF9, 0x3C, 0x00])])
        #expect(try OpenSession(.map(map)).session.status == plain)
    }

    @Test func aTamperedCardSaysSo() throws {
        var map = try TestCard().status()
        map["tampered"] = .bool(true)
        #expect(try OpenSession(.map(map)).session.status.isTampered)
    }

    @Test func constantFactsStayConstant() throws {
        var later = try TestCard()
        later.birth += 1
        let open = try OpenSession(.map(try TestCard().status()), .map(later.status()))
        try expectFailure(of: .constantFacts) { try open.session.refreshStatus() }
        #expect(open.session.status.birthHeight == 700_553)
    }

    @Test func anotherKeyIsAnotherCard() throws {
        let (first, second) = (try TestCard(1), try TestCard(2))
        let open = try OpenSession(.map(first.status()), .map(second.status()))
        #expect(
            throws: TapError.anotherCard(
                expected: CardIdent(of: first.key.publicKey), found: CardIdent(of: second.key.publicKey))
        ) { try open.session.refreshStatus() }
    }
}
