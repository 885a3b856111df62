import Foundation
import TestSupport
import Testing

/// `tapkit config`: what is said once and for all, and what beats it.
@Suite struct ConfigTests {
    private let folder: TemporaryFolder
    private let environment: [String: String?]

    init() throws {
        folder = try TemporaryFolder()
        environment = Workshop.nothing.merging([
            "XDG_CONFIG_HOME": folder.path("config"), "TAPKIT_DATA_DIR": folder.path("data"),
        ]) { $1 }
    }

    private var file: String { folder.path("config/tapkit/config.json") }

    private func tapkit(_ arguments: String..., environment changes: [String: String?] = [:]) async throws -> Subprocess
    {
        try await Subprocess.run(
            Subprocess.tapkit, arguments, environment: environment.merging(changes) { $1 }, directory: folder.url)
    }

    @Test func valuesAreKeptAndTakenBack() async throws {
        #expect(try await tapkit("config", "list", "--json").succeeded().json().field("config") == [String: String]())
        try await tapkit("config", "set", "chain", "electrum:example.org:50002:s").succeeded()
        try await tapkit("config", "set", "network", "signet").succeeded()
        let both = ["chain": "electrum:example.org:50002:s", "network": "signet"]
        #expect(try await tapkit("config", "list", "--json").succeeded().json().field("config") == both)
        let one = try await tapkit("config", "get", "network", "--json").succeeded().json()
        #expect(try one.field("config") == ["network": "signet"])
        #expect(try await tapkit("config", "get", "network").succeeded().text == "signet\n")
        var attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        attributes = try FileManager.default.attributesOfItem(atPath: folder.path("config/tapkit"))
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        #expect(try await tapkit("config", "unset", "network").succeeded().text.contains("network is no longer set."))
        #expect(try await tapkit("config", "unset", "network").succeeded().text.contains("network was not set."))
        #expect(
            try await tapkit("config", "get", "network", "--json").succeeded().json().field("config")
                == [String: String]())
    }

    @Test func anOptionBeatsTheEnvironmentAndThatTheFile() async throws {
        let cards = ["a", "b", "c"].map { folder.path("\($0).json") }
        var idents: [String] = []
        for card in cards {
            let made = try await Subprocess.newCard(card, environment: environment)
            idents.append(try made.text("ident"))
            try await tapkit("config", "set", "root-key", made.text("root_key")).succeeded()
        }
        try await tapkit("config", "set", "reader", "sim:\(cards[0])").succeeded()
        func ident(_ arguments: [String], _ changes: [String: String?]) async throws -> String {
            try await Subprocess.run(
                Subprocess.tapkit, ["status", "--json"] + arguments, environment: environment.merging(changes) { $1 }
            ).succeeded().json().text("ident")
        }
        #expect(try await ident([], [:]) == idents[0])
        let variable: [String: String?] = ["TAPKIT_READER": "sim:\(cards[1])"]
        #expect(try await ident([], variable) == idents[1])
        #expect(try await ident(["--reader", "sim:\(cards[2])"], variable) == idents[2])
        let status = try await tapkit("status", "--json").succeeded().json()
        #expect(status["root"] as? String == "custom")
    }

    @Test func theStoreIsWhereTheFileSays() async throws {
        try await tapkit("config", "set", "data-dir", folder.path("elsewhere")).succeeded()
        let nowhere: [String: String?] = ["TAPKIT_DATA_DIR": nil]
        try await tapkit(
            "wallet", "add", "w", "addr(bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080)", environment: nowhere
        )
        .succeeded()
        #expect(FileManager.default.fileExists(atPath: folder.path("elsewhere/store.sqlite")))
    }

    @Test(arguments: [
        ("color", "red"), ("reader", "usb"), ("network", "mainnet"), ("chain", "https://example.org"),
        ("chain", "electrum:example.org"), ("chain", "esplora:ftp://example.org"), ("root-key", "00"),
        ("root-key", ""), ("data-dir", "relative"), ("data-dir", ""), ("proxy", "tor"),
    ])
    func whatMakesNoSenseIsRefused(_ key: String, _ value: String) async throws {
        try await tapkit("config", "set", "--json", "--", key, value).expectFailure(78, "bad_configuration")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func unknownKeysAreRefused() async throws {
        try await tapkit("config", "get", "json", "--json").expectFailure(78, "bad_configuration")
        try await tapkit("config", "unset", "card", "--json").expectFailure(78, "bad_configuration")
    }

    @Test(arguments: [
        "", "{", "[]", "{\"network\":5}", #"{"network":"main","network":"test"}"#,
        "{\"network\":\"mars\"}", "{\"colour\":\"red\"}", "\u{FF}",
    ])
    func aDamagedFileIsSaid(_ content: String) async throws {
        try await tapkit("config", "set", "network", "signet").succeeded()
        try Data(content.utf8).write(to: URL(fileURLWithPath: file))
        try await tapkit("config", "list", "--json").expectFailure(78, "bad_configuration")
        try await tapkit("wallet", "list", "--json").expectFailure(78, "bad_configuration")
        // What is said on the command line needs no file.
        try await tapkit(
            "wallet", "list", "--json", "--network", "main", "--root-key", String(repeating: "02", count: 33),
            "--reader",
            "pcsc", "--chain", "core:http://127.0.0.1:1"
        ).succeeded()
    }

    /// A value that became invalid is named with its file, and can be removed or replaced.
    @Test func aBadValueCanBeRemoved() async throws {
        for repair in ["unset", "set"] {
            try await tapkit("config", "set", "reader", "nfc").succeeded()
            try Data("{\"network\":\"mars\",\"reader\":\"nfc\"}".utf8).write(to: URL(fileURLWithPath: file))
            let failure = try await tapkit("config", "list", "--json").expectFailure(78, "bad_configuration")
            let error: [String: Any] = try failure.field("error")
            #expect(try error.text("message").contains(file) && error.text("hint").contains("config unset network"))
            if repair == "unset" {
                try await tapkit("config", "unset", "network").succeeded()
            } else {
                try await tapkit("config", "set", "network", "signet").succeeded()
            }
            #expect(try await tapkit("config", "get", "reader").succeeded().text == "nfc\n")
        }
    }

    /// Keys of no meaning, and several bad values, are removed one after the other.
    @Test func anythingInTheFileCanBeRemoved() async throws {
        try await tapkit("config", "set", "reader", "nfc").succeeded()
        let content = #"{"colour":"red","network":"mars","reader":"nfc","size":"1"}"#
        try Data(content.utf8).write(to: URL(fileURLWithPath: file))
        for key in ["colour", "network", "size"] {
            let error: [String: Any] = try await tapkit("config", "list", "--json")
                .expectFailure(78, "bad_configuration").field("error")
            #expect(try error.text("hint").contains("tapkit config unset \(key)."))
            let text = try await tapkit("config", "unset", key).succeeded().text
            #expect(text == "\(key) is no longer set.\n")
        }
        #expect(try await tapkit("config", "list", "--json").succeeded().json().field("config") == ["reader": "nfc"])
        try await tapkit("config", "unset", "colour", "--json").expectFailure(78, "bad_configuration")
    }

    /// A key that appears more than once is removed wherever it appears, as the error says, or replaced; what else is
    /// wrong stays for the next repair, and no value is chosen among several.
    @Test func aKeyThatAppearsTwiceCanBeRemoved() async throws {
        try await tapkit("config", "set", "reader", "nfc").succeeded()
        let content = #"{"network":"main","chain":"","network":"test","reader":"nfc","chain":"x"}"#
        func damage() throws { try Data(content.utf8).write(to: URL(fileURLWithPath: file)) }
        func hint() async throws -> String {
            let failure = try await tapkit("config", "list", "--json").expectFailure(78, "bad_configuration")
            return try failure.field("error", as: [String: Any].self).text("hint")
        }
        try damage()
        #expect(try await hint() == "Remove all its values with tapkit config unset network.")
        let first = try await tapkit("config", "unset", "network", "--json").succeeded().json()
        #expect(try first.field("config") == ["reader": "nfc"])
        #expect(try await hint() == "Remove all its values with tapkit config unset chain.")
        #expect(try await tapkit("config", "unset", "chain").succeeded().text == "chain is no longer set.\n")
        #expect(try await tapkit("config", "list", "--json").succeeded().json().field("config") == ["reader": "nfc"])

        try damage()
        try await tapkit("config", "unset", "chain").succeeded()
        try await tapkit("config", "set", "network", "signet").succeeded()
        let both = ["network": "signet", "reader": "nfc"]
        #expect(try await tapkit("config", "list", "--json").succeeded().json().field("config") == both)
    }

    /// What could not be made is said, not only that the file's folder is missing.
    @Test func aFolderThatCannotBeMadeIsNamed() async throws {
        try Data().write(to: URL(fileURLWithPath: folder.path("config")))
        let failure = try await tapkit("config", "set", "network", "signet", "--json").expectFailure(73, "cannot_write")
        let message = try failure.field("error", as: [String: Any].self).text("message")
        #expect(message == "\(folder.path("config"))/tapkit cannot be written: Not a directory.")
    }

    @Test func aFileThatOthersMayWriteIsNotBelieved() async throws {
        try await tapkit("config", "set", "network", "signet").succeeded()
        #expect(chmod(file, 0o666) == 0)
        let failure = try await tapkit("config", "list", "--json").expectFailure(78, "bad_configuration")
        #expect(try failure.field("error", as: [String: Any].self).text("hint").contains("chmod go-w"))
    }

    /// Why a value or the file is no good is told as it is told elsewhere, with what to do about it.
    @Test func whatIsWrongInTheFileIsToldInFull() async throws {
        try await tapkit("config", "set", "network", "signet").succeeded()
        func error() async throws -> [String: Any] {
            try await tapkit("config", "list", "--json").expectFailure(78, "bad_configuration").field("error")
        }
        try Data("{\"reader\":\"usb\"}".utf8).write(to: URL(fileURLWithPath: file))
        let hint = try await error().text("hint")
        #expect(hint.contains("tapkit help readers") && hint.contains("config unset reader"), "\(hint)")
        try Data(count: 70_000).write(to: URL(fileURLWithPath: file))
        let large = try await error()
        #expect(try large.text("message") == "\(file) is larger than 65536 bytes, the most that is read.")
        #expect(try large.text("hint").contains("config set creates a new one"))
    }

    @Test func passwordsStayInTheFile() async throws {
        try await tapkit("config", "set", "chain", "core:http://alice:verysecret@127.0.0.1:1").succeeded()
        let failure = try await tapkit("wallet", "sync", "none", "--json")
        #expect(!failure.text.contains("verysecret") && !failure.errorText.contains("verysecret"))
    }
}
