import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// A folder with a simulated card, a TAPSIGNER unless told otherwise, and the built `tapkit` to work on it.
struct Workshop: Sendable {
    /// The CVC that is printed on the card, in the file `cvc`; long, so that it is not found in other text by chance.
    static let printedCVC = "582049137265"
    /// The CVC of a SATSCARD, which has six digits.
    static let satscardCVC = "482913"

    let folder: TemporaryFolder
    /// Holds the folder `data` with the local store.
    let storeFolder: TemporaryFolder
    /// What `sim new` said of the card.
    let cardFile: String
    let ident: String
    let rootKey: String
    /// The backup's AES-128 key, which is printed on a TAPSIGNER.
    let backupKey: String?
    /// Given to every command: the reader, the card's root, where its CVC is; nothing else of `tapkit`'s.
    let environment: [String: String?]

    /// Makes a card, another one each time and the same ones in every run, and sets it up unless it shall be as bought.
    /// It lies on a reader of its own, without PC/SC.
    /// - Parameters:
    ///   - options: for `sim new`.
    ///   - cvc: what is printed on the card; in the file `cvc`.
    init(
        isSetUp: Bool = true, _ options: [String] = ["--unlucky", "0"], cvc: String = Self.printedCVC
    ) async throws {
        folder = try TemporaryFolder(inMemory: true)
        storeFolder = try TemporaryFolder(inMemory: true)
        cardFile = folder.path("card.json")
        try folder.write(cvc + "\n", to: "cvc")
        var randomness = CardSeed.next()
        let answer = try await Subprocess.run(
            Subprocess.tapkit,
            ["sim", "new", cardFile, "--json", "--network", "test", "--cvc", cvc] + randomness.seedOption() + options,
            environment: Self.nothing
        ).succeeded().json()
        ident = try answer.text("ident")
        rootKey = try answer.text("root_key")
        backupKey = answer["aes_key"] as? String
        environment = Self.nothing.merging([
            "TAPKIT_READER": "sim:\(cardFile)", "TAPKIT_ROOT_KEY": rootKey, "TAPKIT_CVC_FILE": folder.path("cvc"),
            "TAPKIT_DATA_DIR": storeFolder.path("data"),
        ]) { $1 }
        guard isSetUp else { return }
        // The key is made of the card's randomness and of the machine's.
        let chainCode = Hex.encode(randomness.bytes(32...32))
        try await tapkit("setup", "--keep-cvc", "--backup", "backup.aes", "--chain-code", chainCode).succeeded()
    }

    /// The same card, CVC and files once more, in a folder of their own.
    init(copying other: Workshop) throws {
        folder = try TemporaryFolder(inMemory: true)
        storeFolder = try TemporaryFolder(inMemory: true)
        for file in try FileManager.default.contentsOfDirectory(atPath: other.folder.url.path) {
            try FileManager.default.copyItem(atPath: other.folder.path(file), toPath: folder.path(file))
        }
        cardFile = folder.path("card.json")
        (ident, rootKey, backupKey) = (other.ident, other.rootKey, other.backupKey)
        environment = other.environment.merging([
            "TAPKIT_READER": "sim:\(cardFile)", "TAPKIT_CVC_FILE": folder.path("cvc"),
            "TAPKIT_DATA_DIR": storeFolder.path("data"),
        ]) { $1 }
    }

    /// A SATSCARD; its first slot is sealed unless the options say otherwise.
    static func satscard(_ options: String...) async throws -> Workshop {
        try await Workshop(
            isSetUp: false, ["--product", "satscard", "--unlucky", "0"] + options, cvc: satscardCVC)
    }

    /// None of `tapkit`'s variables but the folder of its store, which is the test process's.
    static let nothing: [String: String?] = [
        "TAPKIT_READER": nil, "TAPKIT_CARD": nil, "TAPKIT_NETWORK": nil, "TAPKIT_CVC_FILE": nil, "TAPKIT_ROOT_KEY": nil,
        "TAPKIT_CHAIN": nil, "TAPKIT_PROXY": nil,
        // Colours as a terminal has them.
        "NO_COLOR": nil, "CLICOLOR_FORCE": nil,
        // Nobody is asked on the screen of whoever runs the tests.
        "TAPKIT_PINENTRY": nil, "GNUPGHOME": "/nonexistent", "GPG_TTY": nil, "DISPLAY": nil, "WAYLAND_DISPLAY": nil,
    ]

    /// Runs `tapkit` in the folder, with nobody there who could be asked.
    func tapkit(
        _ arguments: String..., input: Data = Data(), environment changes: [String: String?] = [:]
    ) async throws -> Subprocess {
        try await tapkit(arguments, input: input, environment: changes)
    }

    /// Runs `tapkit` in the folder, with nobody there who could be asked. A transaction in the answer is one that a real
    /// node takes.
    /// - Parameter isRelayed: whether nodes relay such a transaction.
    func tapkit(
        _ arguments: [String], input: Data = Data(), environment changes: [String: String?] = [:],
        isRelayed: Bool = true
    ) async throws -> Subprocess {
        let run = try await Subprocess.run(
            Subprocess.tapkit, arguments, input: input, environment: environment.merging(changes) { $1 },
            directory: folder.url)
        return isRelayed ? try await Judges.judged(run) : run
    }

    /// Runs a line of Bash in the folder, where `tapkit` followed by a space is the command.
    func bash(_ line: String) async throws -> Subprocess {
        try await Subprocess.run(
            "bash", ["-c", line.replacingOccurrences(of: "tapkit ", with: #""$0" "#), Subprocess.tapkit],
            environment: environment, directory: folder.url)
    }

    /// Starts `tapkit` in the folder, to run beside the test.
    func start(_ arguments: [String], environment changes: [String: String?] = [:]) throws -> InteractiveProcess {
        try InteractiveProcess(
            Subprocess.tapkit, arguments, environment: environment.merging(changes) { $1 }, directory: folder.url)
    }

    /// Starts to sign a PSBT of 40 inputs on a reader, and does something to it as soon as 25 signatures are there. The
    /// card must be slow enough for that.
    func signingInTheMiddle(
        on spec: String, _ options: [String] = [], then act: @Sendable (InteractiveProcess) throws -> Void
    ) async throws -> InteractiveProcess {
        try await writePSBT(inputs: 40)
        return try await inTheMiddle(
            of: ["sign", "tx.psbt", "--yes", "--json"] + options, on: spec, when: { $0.contains("Signed 25 of 40") },
            then: act)
    }

    /// Starts `tapkit` on a reader, and does something to it as soon as its standard error is so far.
    ///
    /// All on one thread: a test that had to wait for its turn in between would come too late.
    func inTheMiddle(
        of arguments: [String], on spec: String, when isThere: @Sendable (String) -> Bool,
        then act: @Sendable (InteractiveProcess) throws -> Void
    ) async throws -> InteractiveProcess {
        try await BlockingThread.run {
            let process = try start(arguments, environment: ["TAPKIT_READER": spec])
            let deadline = ContinuousClock.now + .seconds(60)
            while !isThere(process.errorText) {
                try #require(process.isRunning && ContinuousClock.now < deadline, "\(process.text)\(process.errorText)")
                usleep(10_000)
            }
            try act(process)
            return process
        }
    }

    /// The card's path as the simulator keeps it.
    func cardPath() async throws -> String? {
        try await tapkit("sim", "show", cardFile, "--json").succeeded().json()["path"] as? String
    }

    /// The wallet of the card's own key.
    func wallet() async throws -> SampleWallet {
        let shown = try await tapkit("sim", "show", cardFile, "--show-keys", "--json").succeeded().json()
        return SampleWallet(master: try ExtendedPrivateKey(parsing: try #require(shown["xprv"] as? String)))
    }

    /// Writes a PSBT that spends so many of the card's P2WPKH coins.
    /// - Parameter node: whose coins they are; `nil`: nobody's.
    /// - Returns: the PSBT.
    @discardableResult
    func writePSBT(
        inputs: Int = 1, to name: String = "tx.psbt", as form: PSBT.FileForm = .binary, on node: BitcoinNode? = nil
    ) async throws -> PSBT {
        var recipe = SampleWallet.Recipe()
        recipe.kinds = Array(repeating: .p2wpkh, count: inputs)
        recipe.payment = Int64(inputs) * 90_000
        let psbt =
            if let node { try await wallet().psbt(recipe, on: node) } else { try await wallet().psbt(recipe) }
        try Data(psbt.encoded(as: form)).write(to: folder.url.appendingPathComponent(name))
        return psbt
    }

    /// A file's bytes.
    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.url.appendingPathComponent(name)))
    }

    /// The PSBT in a file.
    func psbt(_ name: String) throws -> PSBT { try PSBT(fileContent: try bytes(name)) }

    /// What the card holds, as its file has it: all but how often it had power, on which its random numbers depend.
    func holdings() throws -> String {
        let file = try JSONSerialization.jsonObject(with: Data(try bytes("card.json")))
        var card = try #require(file as? [String: Any])
        card["power_cycles"] = nil
        return String(decoding: try JSONSerialization.data(withJSONObject: card, options: .sortedKeys), as: UTF8.self)
    }
}

extension SeededGenerator {
    /// The option with which `sim new` makes the same card in every run.
    mutating func seedOption() -> [String] { ["--seed", Hex.encode(bytes(16...16))] }
}
