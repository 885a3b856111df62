import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// Files that lie, are broken, missing, or endless: the right status and code, nothing done, no trap.
@Suite struct BadInputTests {
    /// A way to spoil a PSBT.
    enum Damage: CaseIterable {
        case empty, wrongMagic, truncated, brokenBase64, duplicateKey, trailing, text

        func apply(to psbt: PSBT) throws -> [UInt8] {
            let bytes = psbt.serialized()
            switch self {
            case .empty: return []
            case .wrongMagic: return [0x71] + bytes.dropFirst()
            case .truncated: return Array(bytes.prefix(bytes.count / 2))
            case .brokenBase64: return Array(Base64.encodeUTF8(bytes).dropLast(3) + "!".utf8)
            case .duplicateKey:
                // The global map's only record, twice.
                let length = try #require(bytes.dropFirst(7).first)
                let record = bytes[5..<(8 + Int(length))]
                return Array(bytes[..<5] + record + bytes[5...])
            case .trailing: return bytes + [0x00]
            case .text: return Array("Hello, please sign this.".utf8)
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func aSpoiledPSBTIsRefusedBeforeTheCardIsAsked(_ damage: Damage) async throws {
        let folder = try TemporaryFolder()
        try Data(try damage.apply(to: SampleWallet(seed: 1).psbt())).write(
            to: folder.url.appendingPathComponent("tx.psbt"))
        let run = try await Subprocess.run(
            Subprocess.tapkit, ["sign", "tx.psbt", "--yes", "--json", "--reader", "sim:no-card.json"],
            environment: Workshop.nothing, directory: folder.url)
        try run.expectFailure(65, "bad_psbt")
        #expect(try !run.hint().isEmpty)
    }

    @Test(arguments: [2_100_000_000_000_001, -1, Int64.max])
    func amountsThatCannotBeAreRefused(_ amount: Int64) async throws {
        let workshop = try await Workshop()
        let bytes = try await workshop.writePSBT().serialized()
        let payment = withUnsafeBytes(of: Int64(90_000).littleEndian) { Array($0) }
        let place = try #require(bytes.firstRange(of: payment))
        let changed = withUnsafeBytes(of: amount.littleEndian) { Array($0) }
        try Data(bytes[..<place.lowerBound] + changed + bytes[place.upperBound...]).write(
            to: workshop.folder.url.appendingPathComponent("tx.psbt"))
        let run = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--json")
        #expect(run.status == 65)
        let error = try #require(try run.json()["error"] as? [String: Any])
        #expect(["refused", "bad_psbt"].contains(error["code"] as? String))
        #expect(!FileManager.default.fileExists(atPath: workshop.folder.path("tx.signed.psbt")))
    }

    /// What a sparse file or a pipe holds too much of is neither read to its end nor kept.
    @Test func twoGigabytesAreRefusedInBoundedMemory() async throws {
        let folder = try TemporaryFolder()
        let script = """
            truncate -s 2G big.psbt
            ulimit -v 1500000
            /usr/bin/timeout 20 "$1" sign big.psbt --json --reader sim:none >big.json; echo $? >big.status
            head -c 2G /dev/zero | /usr/bin/timeout 20 "$1" sign - --json --reader sim:none >pipe.json
            echo $? >pipe.status
            """
        try await Subprocess.run(
            "sh", ["-c", script, "sh", Subprocess.tapkit], environment: Workshop.nothing, directory: folder.url
        ).succeeded()
        for name in ["big", "pipe"] {
            let status = try String(contentsOfFile: folder.path("\(name).status"), encoding: .utf8)
            let answer = try String(contentsOfFile: folder.path("\(name).json"), encoding: .utf8)
            #expect(status == "65\n")
            #expect(answer.contains(#""code":"input_too_large""#), "\(answer)")
        }
    }

    @Test func whatIsNotThereIsSaidSo() async throws {
        let workshop = try await Workshop()
        try await workshop.tapkit("sign", "none.psbt", "--json").expectFailure(66, "no_input_file")
        try await workshop.tapkit("sign", "cvc/none.psbt", "--json").expectFailure(66, "no_input_file")
        try await workshop.tapkit("sign", ".", "--json").expectFailure(65, "input_unreadable")
        try await workshop.tapkit("xpub", "--cvc-file", "none", "--json").expectFailure(66, "no_input_file")
        let noCard = try await workshop.tapkit("status", "--reader", "sim:none.json", "--json")
        try noCard.expectFailure(66, "sim_file_not_found")
        #expect(try !noCard.hint().isEmpty)
    }

    /// A damaged simulated card is called that, also after waiting, and nobody is told to put it on a reader.
    @Test func aDamagedSimulatedCardIsSaidToBeOne() async throws {
        let workshop = try await Workshop()
        let whole = try Data(contentsOf: URL(fileURLWithPath: workshop.cardFile))
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: workshop.cardFile))
        for arguments in [["status"], ["xpub"], ["status", "--wait=100"]] {
            let run = try await workshop.tapkit(arguments + ["--json"])
            try run.expectFailure(65, "sim_file_damaged")
            #expect(try run.hint().contains("tapkit sim new"))
        }
        let doctor = try await workshop.tapkit("doctor", "--json")
        let document = try doctor.expectFailure(69, "no_reader")
        #expect(try !document.field("usable", as: Bool.self))
        let findings: [[String: Any]] = try document.field("findings")
        #expect(findings.map { $0["ok"] as? Bool } == [false])
    }

    @Test func noReaderHasThatName() async throws {
        try await PCSCDaemon.ensureRunning()
        let run = try await Subprocess.run(
            Subprocess.tapkit, ["status", "--json", "--reader", "pcsc:NoSuchName"], environment: Workshop.nothing)
        try run.expectFailure(69, "no_reader")
        #expect(try run.hint().contains("tapkit readers"))
    }

    @Test(arguments: [
        ["status", "--reader", "floppy"], ["status", "--wait=soon"], ["status", "--wait=-1"],
        ["status", "--network", "moon"], ["status", "--root-key", "00ff"], ["sign"], ["frobnicate"],
        ["export", "tape"],
        ["sign", "-", "--cvc-file", "-"], ["setup", "--keep-cvc", "--new-cvc-file", "x"],
        ["change-cvc", "--cvc-file", "-", "--new-cvc-file", "-"], ["status", "--frobnicate"],
        ["sim", "serve", "x", "--vpcd", "127.0.0.1:1", "--sign-ms", "-5"],
    ])
    func aCommandLineThatMakesNoSenseIsSaidSo(_ arguments: [String]) async throws {
        let run = try await Subprocess.run(
            Subprocess.tapkit, arguments + ["--json"], environment: Workshop.nothing)
        try run.expectFailure(64, "usage")
        #expect(try !run.hint().isEmpty)
        let words = try await Subprocess.run(Subprocess.tapkit, arguments, environment: Workshop.nothing)
        #expect(words.status == 64)
        #expect(words.text.isEmpty)
        #expect(words.errorText.hasPrefix("tapkit: "))
    }

    @Test(arguments: ["TAPKIT_READER": "floppy", "TAPKIT_NETWORK": "moon", "TAPKIT_ROOT_KEY": "00ff"])
    func anEnvironmentThatMakesNoSenseIsSaidSo(_ name: String, _ value: String) async throws {
        let run = try await Subprocess.run(
            Subprocess.tapkit, ["status", "--json"], environment: Workshop.nothing.merging([name: value]) { $1 })
        let document = try run.expectFailure(78, "bad_environment")
        let error = try #require(document["error"] as? [String: Any])
        #expect((error["message"] as? String)?.contains(name) == true)
    }

    @Test(arguments: ["m/84", "m/84h/x", "84h'", "m/1h/2h/3h/4h/5h/6h/7h/8h/9h", "m/2147483648h"])
    func aPathThatNoCardHoldsIsRefused(_ path: String) async throws {
        let workshop = try await Workshop()
        try await workshop.tapkit("derive", path, "--json").expectFailure(65, "bad_path")
        #expect(try await workshop.cardPath() == "m/84h/1h/0h")
    }

    @Test func aChainCodeHas32Bytes() async throws {
        let workshop = try await Workshop(isSetUp: false)
        try await workshop.tapkit("setup", "--keep-cvc", "--chain-code", "00ff", "--json")
            .expectFailure(65, "bad_chain_code")
        let named = String(repeating: "5a", count: 32)
        try await workshop.tapkit("setup", "--keep-cvc", "--chain-code", named, "--json").succeeded()
        #expect(try await workshop.wallet().master.chainCode == ChainCode(repeating: 0x5A))
        let other = String(repeating: "5b", count: 32)
        try await workshop.tapkit("setup", "--keep-cvc", "--chain-code", other, "--json")
            .expectFailure(65, "already_set_up")
    }

    @Test func whatThisProductCannotDoIsSaidSo() async throws {
        let workshop = try await Workshop(isSetUp: false, ["--product", "satschip", "--cvc", "123456"])
        try workshop.folder.write("123456", to: "cvc")
        try await workshop.tapkit("xpub", "--json").expectFailure(65, "not_set_up")
        try await workshop.tapkit("setup", "--keep-cvc", "--json").succeeded()
        try await workshop.tapkit("backup", "--json").expectFailure(65, "not_supported")
    }
}
