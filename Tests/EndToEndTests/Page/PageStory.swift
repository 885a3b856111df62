import Bitcoin
import Foundation
import TestSupport
import Testing

/// `tapkit ui`, and a script of `Tests/Interop/page` that uses it in a browser like a person, until it closes the page.
struct PageStory {
    /// What `tapkit ui` wrote, to both outputs.
    let served: String
    /// What the script and the browser's console said.
    let told: String

    /// Plays a story to its end, which is that of the command, too.
    /// - Parameters:
    ///   - script: its name, without its ending.
    ///   - workshop: whose reader, store and settings the command has.
    ///   - environment: changes of those settings.
    ///   - request: what the script is given, besides the page's address.
    @discardableResult
    static func play(
        _ script: String, in workshop: Workshop, environment: [String: String?],
        given request: [String: any Sendable] = [:], at location: SourceLocation = #_sourceLocation
    ) async throws -> PageStory {
        let ui = try workshop.start(
            ["ui", "--no-browser", "--json"], environment: ["TAPKIT_CVC_FILE": nil].merging(environment) { $1 })
        let opening = try JSONSerialization.jsonObject(with: Data(try await ui.line().utf8)) as? [String: Any]
        let all = request.merging([
            "url": try #require(opening).text("url"), "tapkit": Subprocess.tapkit, "folder": workshop.folder.url.path,
            "cvc": Workshop.printedCVC,
        ]) { given, _ in given }
        let run = try await Subprocess.run(
            try PythonEnvironment.shared().command("python"), [PythonEnvironment.script("page/\(script).py")],
            input: try JSONSerialization.data(withJSONObject: all), environment: PythonEnvironment.variables,
            timeout: .seconds(300)
        ).succeeded()
        #expect(try await ui.ending(timeout: .seconds(60)) == .exited(0), sourceLocation: location)
        return PageStory(served: ui.text + ui.errorText, told: run.text + run.errorText)
    }
}

extension Workshop {
    /// The scripted pinentry's variables, for a command that takes it for a window.
    func pinentryWindow(_ answers: String...) -> [String: String?] {
        pinentry(answers).merging(["DISPLAY": ":99"]) { $1 }
    }

    /// The names of the store's files that contain a text.
    func storeFiles(containing text: String) throws -> [String] {
        let files = FileManager.default.enumerator(at: storeFolder.url, includingPropertiesForKeys: nil)
        return try (files?.compactMap { $0 as? URL } ?? []).filter { !$0.hasDirectoryPath }
            .filter { try Data(contentsOf: $0).range(of: Data(text.utf8)) != nil }.map(\.lastPathComponent)
    }
}

extension VirtualReaderSlot {
    /// The reader, for the command; the story lays the cards on it.
    var variable: [String: String?] { ["TAPKIT_READER": "pcsc:\(readerName)"] }
}

extension ChainPlace {
    /// The network and the server, for the command.
    var variables: [String: String?] { ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": esplora.server] }
}

extension BitcoinNode {
    /// A wallet of the node's, with a coin in it, for a story to pay from.
    func payer() async throws -> [String: any Sendable] {
        let name = "payer-\(UUID().uuidString)"
        try await makeWalletWithKeys(name)
        let address = try await call("getnewaddress", wallet: name, as: String.self)
        let script = try Address(parsing: address, network: .regtest).scriptPubKey
        _ = try await fund(script, try #require(Amount(satoshis: 10_000_000)))
        try await mine()
        return ["port": Int(port), "cookie": cookieFile, "wallet": name]
    }
}
