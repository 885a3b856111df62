import Foundation
import TestSupport
import Testing

/// What the read-me says can be done, step by step.
extension LossDrillTests {
    /// Without the cards, and with nothing else than the folder and the backups: command by command, as the read-me
    /// says. The owner may have given out an address far ahead, and searched that far only once.
    @Test(arguments: [nil, 60] as [Int?]) func heirsFollowTheReadMe(_ index: Int?) async throws {
        let place = try await ChainPlace(first)
        try await add()
        let choice = index.map { ["--index", "\($0)"] } ?? []
        let address = try await place(["wallet", "receive", "family"] + choice).succeeded().json().text("address")
        try await place.fund(address, 100_000)
        if index != nil { try await place("wallet", "sync", "family", "--gap-limit", "100").succeeded() }
        try await run("wallet", "kit", "family", "-o", "kit").succeeded()
        let heirs = try Heirs(try text("read-me.txt"), place, [first, second])
        try await heirs.follow("wallet add", "config set", "wallet sync")
        let id = try await heirs.follow("tx create", "recover sign", "tx broadcast")
        #expect(try await place.chain.call("getrawmempool", as: [String].self) == [id])
        // Nothing was added to the kit.
        #expect(heirs.files(in: "").contains("payment.psbt"))
        let files = try FileManager.default.contentsOfDirectory(atPath: first.folder.path("kit"))
        #expect(!files.contains { $0.hasSuffix(".psbt") })
        if index == nil { try await payAgain(heirs, at: address, on: place) }
    }

    /// The usual case for wallets with locks: some coins are spent later.
    private func payAgain(_ heirs: Heirs, at address: String, on place: ChainPlace) async throws {
        try await place.chain.mine(6)
        try await place.fund(address, 50_000)
        try await heirs.shell("mkdir ~/earlier && mv ~/payment.psbt ~/payment.signed.psbt ~/earlier")
        try await heirs.follow("wallet sync")
        let id = try await heirs.follow("tx create", "recover sign", "tx broadcast")
        #expect(try await place.chain.call("getrawmempool", as: [String].self) == [id])
        #expect(heirs.files(in: "earlier").count == 2 && heirs.files(in: "").contains("payment.signed.psbt"))
    }
}

/// Heirs with a computer of their own, the kit's folder and the backups.
private struct Heirs {
    private let place: ChainPlace
    private let workshops: [Workshop]
    private let home: TemporaryFolder
    /// The commands of the read-me, in order.
    private let commands: [String]

    init(_ readMe: String, _ place: ChainPlace, _ workshops: [Workshop]) throws {
        self.place = place
        self.workshops = workshops
        home = try TemporaryFolder()
        commands = readMe.split(separator: "\n").filter { $0.hasPrefix("       tapkit ") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Does what the read-me says with some verbs, and each step with every backup.
    /// - Returns: the id of the payment that was built, if one was.
    @discardableResult
    func follow(_ verbs: String...) async throws -> String {
        var id = ""
        for command in commands where verbs.contains(where: { command.hasPrefix("tapkit \($0) ") }) {
            let line = command.replacing("SERVER", with: place.esplora.server)
                .replacing("ADDRESS", with: ChainPlace.stranger).replacing("NUMBER", with: "1")
                .replacing(" ID", with: " \(id)")
            if command.contains("recover") {
                for folder in workshops.map(\.folder) {
                    let backup = "--backup \(folder.path("backup.aes")) --key-file \(folder.path("key")) --yes"
                    try await shell(line.replacing("--backup FILE", with: backup))
                }
            } else if command.contains("tx create") {
                let told = try await shell("\(line) --fee-rate 2 --json")
                id = try #require(JSONSerialization.jsonObject(with: Data(told.utf8)) as? [String: Any]).text("id")
            } else {
                try await shell(line)
            }
        }
        return id
    }

    /// Runs a line in the kit's folder.
    @discardableResult
    func shell(_ line: String) async throws -> String {
        let tools = URL(fileURLWithPath: Subprocess.tapkit).deletingLastPathComponent().path
        let environment = Workshop.nothing.merging([
            "TAPKIT_DATA_DIR": home.path("data"), "XDG_CONFIG_HOME": home.path("config"), "HOME": home.url.path,
            "TAPKIT_NETWORK": "regtest", "PATH": "\(tools):/usr/bin:/bin",
        ]) { $1 }
        return try await Subprocess.run(
            "/bin/sh", ["-c", line], environment: environment,
            directory: URL(fileURLWithPath: place.workshop.folder.path("kit"))
        ).succeeded().text
    }

    /// The names of the files in a folder at home.
    func files(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: home.path(folder))) ?? []
    }
}
