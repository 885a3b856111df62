import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

@testable import TapSimulator

@Suite struct CardFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("card.json") }

    init() throws { folder = try TemporaryFolder() }

    @discardableResult private func create(
        _ product: SimulatedProduct = .tapsigner, at path: String? = nil
    ) throws -> SimulatedCardRecord {
        try SimulatedCardRecord(creating: SimulatedCardOptions(product: product), at: path ?? self.path)
    }

    private func code(_ body: () throws -> Void) -> SimulatedCardError.Kind? {
        do { try body() } catch { return (error as? SimulatedCardError)?.kind }
        return nil
    }

    private func isPrivate() throws -> Bool {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600
    }

    @Test(arguments: SimulatedProduct.allCases) func aNewCardIsThere(product: SimulatedProduct) throws {
        let made = try create(product)
        let read = try SimulatedCardRecord(path: path)
        #expect(read.state == made.state)
        #expect(read.product == product)
        #expect(try isPrivate())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["card.json"])
    }

    @Test func anExistingFileIsNotOverwritten() throws {
        try folder.write("precious", to: "card.json")
        #expect(code { try create() } == .exists)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["card.json"])
    }

    @Test func aMissingFolderIsSaid() throws {
        #expect(code { try create(at: folder.path("none/card.json")) } == .fileFailed)
        #expect(code { _ = try SimulatedCard(path: folder.path("none.json")) } == .notFound)
        #expect(code { _ = try SimulatedCardRecord(path: folder.path("none.json")) } == .notFound)
    }

    /// It is neither waited for, nor taken for a card.
    @Test func whatIsNoFileCannotBeRead() throws {
        try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
        for path in [folder.url.path, folder.path("pipe"), "/dev/null"] {
            #expect(code { _ = try SimulatedCardRecord(path: path) } == .unreadable, "\(path)")
            #expect(code { _ = try SimulatedCard(path: path) } == .unreadable, "\(path)")
        }
    }

    @Test func aSecondOpenIsRefused() throws {
        try create()
        let first = try SimulatedCard(path: path)
        #expect(code { _ = try SimulatedCard(path: path) } == .inUse)
        // The lock stays with the card while its file is replaced.
        let app = try AppSide(first)
        _ = try app.sendWithCVC("new", ["chain_code": .bytes(LifeCycleTests.chainCode)])
        #expect(code { _ = try SimulatedCard(path: path) } == .inUse)
        #expect(try SimulatedCardRecord(path: path).path != nil)
        withExtendedLifetime(app) {}
    }

    @Test func theFileIsFreeAfterwards() throws {
        try create()
        do { _ = try SimulatedCard(path: path) }
        #expect(code { _ = try SimulatedCard(path: path) } == nil)
    }

    @Test func aLinkLeadsToTheCard() throws {
        try create()
        let link = folder.path("link.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let app = try AppSide(SimulatedCard(path: link))
        _ = try app.sendWithCVC("new", ["chain_code": .bytes(LifeCycleTests.chainCode)])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
        #expect(try SimulatedCardRecord(path: path).path != nil)
    }

    /// Every change is in the file before its answer is out, so the process may end at any time after.
    @Test func everyChangeIsInTheFileBeforeItsAnswer() throws {
        try create()
        let app = try AppSide(SimulatedCard(path: path, waitDuration: .zero))
        func stored() throws -> SimulatedCardRecord { try SimulatedCardRecord(path: path) }
        _ = try app.sendWithCVC("new", ["chain_code": .bytes(LifeCycleTests.chainCode)])
        #expect(try stored().path?.description == "m/84h/0h/0h")
        let master = try stored().masterKey
        let data = try app.sendWithCVC("backup").content("data")
        #expect(try stored().backups == 1)
        let aesKey = SecretBytes(try Hex.decode(try #require(app.card.record.aesKey)))
        let text = String(decoding: try #require(AES128CTR.crypt(data, key: aesKey)), as: UTF8.self)
        #expect(text.split(separator: "\n").first.map(String.init) == master)
        _ = try app.sendWithCVC("derive", ["path": .array([.unsigned(0x8000_0031)])], wantsNonce: true)
        #expect(try stored().path?.description == "m/49h")
        _ = try app.sendWithCVC("change", hidden: ["data": Array("2718281828".utf8)])
        #expect(try stored().cvc == "2718281828")
        for wrong in 1...3 {
            _ = try app.sendWithCVC("backup")
            #expect(try stored().wrongAttempts == wrong)
        }
        #expect(try stored().authDelay == 15)
        _ = try app.send("wait")
        #expect(try stored().authDelay == 14)
        #expect(try stored().state == app.card.state)
    }

    @Test func readingChangesNothingOnDisk() throws {
        try create()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let inode = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber
        let app = try AppSide(SimulatedCard(path: path))
        for name in ["status", "certs", "nfc"] { _ = try app.send(name) }
        _ = try app.sendWithNonce("check")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber == inode)
    }

    @Test func aLeftoverDraftIsNoObstacle() throws {
        try create()
        try folder.write("half a st", to: "card.json.new")
        let app = try AppSide(SimulatedCard(path: path))
        #expect(try app.sendWithCVC("new", ["chain_code": .bytes(LifeCycleTests.chainCode)]).errorCode == nil)
        #expect(try SimulatedCardRecord(path: path).path != nil)
        #expect(try isPrivate())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["card.json"])
    }

    /// What cannot be saved has not happened.
    @Test func anUnwritableFolderUndoesTheCommand() throws {
        try create()
        let card = try SimulatedCard(path: path)
        let app = try AppSide(card)
        // A folder where the draft would be: not even the superuser can write there.
        try FileManager.default.createDirectory(atPath: path + ".new", withIntermediateDirectories: false)
        var request = try app.authenticated("new", ["chain_code": .bytes(LifeCycleTests.chainCode)])
        request["cmd"] = .text("new")
        let body = CBOREncoder.encode(.map(request))
        let command = [0x00, 0xCB, 0x00, 0x00, UInt8(body.count)] + body
        #expect(card.process(apdu: command) == [0x6F, 0x00])
        #expect(card.fileError?.kind == .fileFailed)
        #expect(card.record.path == nil)
        #expect(try SimulatedCardRecord(path: path).path == nil)
        try FileManager.default.removeItem(atPath: path + ".new")
        #expect(card.process(apdu: command).suffix(2) == [0x90, 0x00])
        #expect(card.fileError == nil)
        #expect(try SimulatedCardRecord(path: path).path != nil)
    }

    @Test func damagedFilesAreSaidToBeDamaged() throws {
        try create()
        let good = try String(contentsOfFile: path, encoding: .utf8)
        let cardKey = try #require(good.split(separator: "\n").first { $0.contains("card_key") })
        let bad: [String: String] = [
            "empty": "", "no JSON": "card", "another JSON": "{}", "cut": String(good.prefix(good.count / 2)),
            "another format": good.replacingOccurrences(of: "tapkit simulated card", with: "something"),
            "a later format": good.replacingOccurrences(of: "\"format_version\" : 1", with: "\"format_version\" : 2"),
            "a product": good.replacingOccurrences(of: "\"tapsigner\"", with: "\"tapsinger\""),
            "a key": good.replacingOccurrences(
                of: cardKey, with: "\"card_key\" : \"\(String(repeating: "0", count: 64))\","),
            "no key": good.replacingOccurrences(of: cardKey, with: ""),
            "a number": good.replacingOccurrences(of: "\"auth_delay\" : 0", with: "\"auth_delay\" : 99"),
            "digits": good.replacingOccurrences(of: "\"card_key\" : \"", with: "\"card_key\" : \"xy"),
            "size": good + String(repeating: " ", count: 1 << 21),
        ]
        for (name, text) in bad {
            #expect(text != good, "\(name)")
            try folder.write(text, to: "bad.json")
            #expect(code { _ = try SimulatedCard(path: folder.path("bad.json")) } == .damaged, "\(name)")
            #expect(code { _ = try SimulatedCardRecord(path: folder.path("bad.json")) } == .damaged, "\(name)")
        }
    }

    /// What earlier versions of the program did not write is as it was then.
    @Test(arguments: SimulatedProduct.allCases) func filesOfEarlierProgramsOpen(product: SimulatedProduct) throws {
        let made = try create(product)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        for key in ["wait_ms", "sign_ms", "tampered", "habits"] { #expect(object.removeValue(forKey: key) != nil) }
        var content = try #require(object["content"] as? [String: Any])
        #expect((content.removeValue(forKey: "tampered_slots") != nil) == (product == .satscard))
        object["content"] = content
        try JSONSerialization.data(withJSONObject: object).write(to: URL(fileURLWithPath: path))
        #expect(try SimulatedCardRecord(path: path).state == made.state)
    }

    @Test func habitsAreKept() throws {
        var options = SimulatedCardOptions(product: .tapsigner)
        options.habits = Set(CardHabit.allCases).subtracting([
            .header27, .header31, .oneCertificate, .unreadableVersion,
        ])
        let made = try SimulatedCardRecord(creating: options, at: path)
        let read = try SimulatedCardRecord(path: path)
        #expect(read.state == made.state && Set(read.habits) == options.habits)
        let good = try String(contentsOfFile: path, encoding: .utf8)
        for (old, new) in [("\"high-r\"", "\"high-x\""), ("\"high-r\"", "\"header-27\"")] {
            try folder.write(good.replacingOccurrences(of: old, with: new), to: "bad.json")
            #expect(code { _ = try SimulatedCardRecord(path: folder.path("bad.json")) } == .damaged)
        }
        options.habits = [.header27, .header31]
        #expect(code { _ = try SimulatedCardRecord(creating: options, at: folder.path("both.json")) } == .badOptions)
    }

    @Test func aTamperedSlotIsOneThatIsOpen() throws {
        var options = SimulatedCardOptions(product: .satscard)
        options.usedSlots = 2
        options.isTampered = true
        let made = try SimulatedCardRecord(creating: options, at: path)
        #expect(try SimulatedCardRecord(path: path).state == made.state)
        let good = try String(contentsOfFile: path, encoding: .utf8)
        #expect(good.contains("\"tampered\" : true"))
        let listed = try #require(good.range(of: "\"tampered_slots\" : [", options: [])).upperBound
        let end = try #require(good[listed...].firstIndex(of: "]"))
        for (list, mark) in [("3", "true"), ("-1", "true"), ("10", "true"), ("2", "false")] {
            let bad = good.replacingCharacters(in: listed..<end, with: list)
                .replacingOccurrences(of: "\"tampered\" : true", with: "\"tampered\" : \(mark)")
            try folder.write(bad, to: "bad.json")
            #expect(code { _ = try SimulatedCard(path: folder.path("bad.json")) } == .damaged, "\(list) \(mark)")
        }
    }

    @Test func noErrorQuotesTheFile() throws {
        try create()
        let good = try String(contentsOfFile: path, encoding: .utf8)
        let secret = try #require(SimulatedCardRecord(path: path).aesKey)
        try folder.write(good.replacingOccurrences(of: secret, with: secret + "zz"), to: "bad.json")
        do {
            _ = try SimulatedCard(path: folder.path("bad.json"))
            Issue.record("A damaged file was opened.")
        } catch { #expect(!"\(error)".contains(secret.prefix(8))) }
    }
}
