import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

/// `backup` and `change`, which wants one.
@Suite struct BackupTests {
    @Test func answersThePublishedData() throws {
        let rows = try VectorCard.rows("backup")
        #expect(rows.count == 5)
        for row in rows {
            let path = try row.numbers("indexes").map { UInt32(truncatingIfNeeded: $0) }
            let core = try VectorCard.core(
                try VectorCard.tapsigner(path: path, aesKey: try row.bytes("aes_key")),
                network: try row.text("xprv").hasPrefix("tprv") ? .test : .main)
            let app = try AppSide(SimulatedCard(state: core.state, file: nil, waitDuration: .zero))
            #expect(try app.sendWithCVC("backup").content("data") == row.bytes("data"), "\(row)")
            #expect(app.card.record.backups == 2)
        }
    }

    @Test func writesPathsAsPublished() throws {
        for row in try VectorCard.rows("backup_path_text") {
            let path = try row.numbers("indexes").map { UInt32(truncatingIfNeeded: $0) }
            #expect(BackupPath.text(path) == (try row.text("text")))
        }
        #expect(BackupPath.text([0x8000_0000 + 32_768, 0x8000_0000 + 32_769]) == "m/32768h/0x00008001h")
    }

    @Test func theCounterStopsAt127() throws {
        let core = try VectorCard.core(try VectorCard.tapsigner(backups: 126))
        let app = try AppSide(SimulatedCard(state: core.state, file: nil, waitDuration: .zero))
        for _ in 0..<3 { #expect(try app.sendWithCVC("backup").errorCode == nil) }
        #expect(try app.send("status")["num_backups"] == .unsigned(127))
    }

    /// The longest answer a card gives must fit a short APDU.
    @Test func theLongestBackupFits() throws {
        let path = [UInt32](repeating: 0xFFFF_FFFF, count: 8)
        let core = try VectorCard.core(try VectorCard.tapsigner(path: path))
        let app = try AppSide(SimulatedCard(state: core.state, file: nil, waitDuration: .zero))
        #expect(CBOREncoder.encode(.map(try app.sendWithCVC("backup"))).count <= 256)
    }

    @Test func changeTakesThePublishedRequests() throws {
        for row in try VectorCard.rows("change_command") {
            var core = try VectorCard.core(try VectorCard.tapsigner(), nonce: try row.bytes("card_nonce"))
            let answer = try core.run([
                "cmd": .text("change"), "data": .bytes(try row.bytes("data")),
                "epubkey": .bytes(try row.bytes("epubkey")), "xcvc": .bytes(try row.bytes("xcvc")),
            ])
            #expect(answer["success"] == .bool(true))
            #expect(core.state.cvc == StoredSecret(Array(try row.text("new_cvc").utf8)))
        }
    }

    @Test func changeWantsABackupFirst() throws {
        let app = try AppSide(SimulatedCardOptions(product: .tapsigner))
        let cvc = ["data": Array("123456".utf8)]
        #expect(try app.sendWithCVC("change", hidden: cvc).errorCode == 425)
        _ = try app.sendWithCVC("new", ["chain_code": .bytes(LifeCycleTests.chainCode)])
        #expect(try app.sendWithCVC("change", hidden: cvc).errorCode == 425)
        _ = try app.sendWithCVC("backup")
        #expect(try app.sendWithCVC("change", hidden: cvc).errorCode == nil)
        #expect(try app.sendWithCVC("xpub", ["master": .bool(true)]).errorCode == 401)
    }

    @Test func aSatschipStartsAt123456AndNeedsNoBackup() throws {
        let app = try AppSide(SimulatedCardOptions(product: .satschip))
        app.cvc = "123456"
        #expect(try app.sendWithCVC("change", hidden: ["data": Array("7654321".utf8)]).errorCode == nil)
        app.cvc = "7654321"
        #expect(try app.sendWithCVC("backup").errorCode == 404)
        let status = try app.send("status")
        #expect(status["satschip"] == .bool(true))
        #expect(status["num_backups"] == nil)
    }

    @Test(arguments: AppletVersion.allCases) func onlyLaterCardsWantDigits(version: AppletVersion) throws {
        let core = try VectorCard.core(try VectorCard.tapsigner(), version: version)
        let app = try AppSide(SimulatedCard(state: core.state, file: nil, waitDuration: .zero))
        let answer = try app.sendWithCVC("change", hidden: ["data": Array("correct horse".utf8)])
        let wantsDigits = version == .v102 || version == .v103
        #expect(answer.errorCode == (wantsDigits ? 400 : nil))
        #expect(app.card.record.cvc == (wantsDigits ? VectorCard.cvc : "correct horse"))
    }

    @Test(arguments: [0, 5, 33]) func aNewCVCHasSixTo32Digits(length: Int) throws {
        let core = try VectorCard.core(try VectorCard.tapsigner())
        let app = try AppSide(SimulatedCard(state: core.state, file: nil, waitDuration: .zero))
        var request = try app.authenticated("change")
        request["data"] = .bytes([UInt8](repeating: 1, count: length))
        #expect(try app.send("change", request).errorCode == 400)
    }
}
