import Bitcoin
import TapManager
import TestSupport
import Testing

/// Change that is the wallet's own, at a place where nobody would find it again: whoever wrote the PSBT sells the path.
@Suite struct RansomTests {
    private let bench: PlanBench
    private let others: [SampleWallet]
    private let account = "m/48h/1h/0h/2h"

    init() throws {
        bench = try PlanBench()
        others = try [2, 3].map { try SampleWallet(seed: $0) }
    }

    private func single(_ path: String, _ kind: SampleWallet.Kind = .p2wpkh) throws -> CraftedScript {
        CraftedScript(.single(kind), threshold: 1, [.init(bench.wallet, try DerivationPath(parsing: path))])
    }

    /// Much money from one account, a little from another, and all of it comes back to a path of the thief's choice.
    @Test(arguments: [
        ("m/84h/1h/1h/0/1999999999", "m/84h/1h/1h/1/2000000000"),
        ("m/84h/1h/0h/777777h/0/5", "m/84h/1h/0h/777777h/1/6"),
        // A path of another length, among accounts of both.
        ("m/84h/1h/1h/5", "m/84h/1h/0h/900"), ("m/84h/1h/1h", "m/84h/1h/0h"),
    ])
    func dustOfTheSignersOpensNoOtherPath(_ dust: String, _ change: String) throws {
        var crafted = CraftedPSBT()
        crafted.inputs = [(try single("m/84h/1h/0h/0/5"), 100_000_000), (try single(dust), 600)]
        crafted.outputs = [(try single(change), 99_949_000)]
        #expect(try bench.warnings(try crafted.psbt()) == [.changePathUnusual])
        #expect(try bench.plan(try crafted.psbt()).review.outputs.map(\.isProvenChange) == [false, false])
        // In parts, each as little as the dust.
        crafted.payment = 90_000_000
        crafted.outputs = try (0..<3).map { _ in (try single(change), 500) }
        #expect(try bench.plan(try crafted.psbt()).review.outputs.allSatisfy { !$0.isProvenChange })
    }

    /// Wallets look only for the coin type of their network.
    @Test(arguments: [("1h", true), ("0h", false)])
    func dustOpensNoPathOfAnotherNetwork(_ coinType: String, _ isFound: Bool) throws {
        var crafted = CraftedPSBT()
        crafted.inputs = [
            (try single("m/84h/1h/0h/0/5"), 100_000_000), (try single("m/84h/\(coinType)/1h/0/5"), 600),
        ]
        crafted.outputs = [(try single("m/84h/\(coinType)/1h/1/6"), 99_949_000)]
        #expect(try bench.warnings(try crafted.psbt()) == (isFound ? [] : [.networkMismatch, .changePathUnusual]))
        #expect(try bench.plan(try crafted.psbt()).review.outputs.map(\.isProvenChange) == [false, isFound])
    }

    @Test func dustOfAnotherScriptTypeOpensNoOther() throws {
        var crafted = CraftedPSBT()
        crafted.inputs = [(try single("m/84h/1h/0h/0/5"), 100_000_000), (try single("m/84h/1h/1h/0/3", .p2pkh), 600)]
        crafted.outputs = [(try single("m/84h/1h/1h/1/4", .p2pkh), 99_949_000)]
        #expect(try bench.warnings(try crafted.psbt()) == [.changePathUnusual])
    }

    /// A coin far away does not make the indexes beside it ones that are in use.
    @Test(arguments: [(6, true), (50_001, false)])
    func dustFarAwayOpensNoIndexBesideIt(_ index: Int, _ isFound: Bool) throws {
        var crafted = CraftedPSBT()
        crafted.inputs = [(try single("m/84h/1h/0h/0/5"), 100_000), (try single("m/84h/1h/0h/0/50000"), 600)]
        crafted.outputs = [(try single("m/84h/1h/0h/1/\(index)"), 49_000)]
        #expect(try bench.warnings(try crafted.psbt()) == (isFound ? [] : [.changePathUnusual]))
    }

    /// Coins on the receiving branch, each within reach of the one before, open nothing on the branch for change: each is
    /// searched for itself. Change may be behind them, and where coins of its own branch lead.
    @Test(arguments: [("0", 18_900, true), ("1", 18_900, false), ("1", 1_006, false), ("1", 1_005, true)])
    func aChainOfDustOpensNoOtherBranch(_ branch: String, _ index: Int, _ isFound: Bool) throws {
        var crafted = CraftedPSBT()
        crafted.inputs = [(try single("m/84h/1h/0h/0/5"), 1_000_000)]
        for dust in stride(from: 900, through: 18_000, by: 900) {
            crafted.inputs.append((try single("m/84h/1h/0h/0/\(dust)"), 600))
        }
        crafted.outputs = [(try single("m/84h/1h/0h/\(branch)/\(index)"), 960_000)]
        #expect(try bench.warnings(try crafted.psbt()) == (isFound ? [] : [.changePathUnusual]))
        #expect(try bench.plan(try crafted.psbt()).review.outputs.map(\.isProvenChange) == [false, isFound])
    }

    /// Change can run ahead of the receiving addresses, and behind them.
    @Test(arguments: [
        (["0/4000", "0/4100"], 3_100), (["0/4000", "0/9000"], 4), (["0/2", "1/900", "1/1800"], 1_801),
        (["0/5", "1/5"], 1_005), (["1/4000"], 4_001),
    ])
    func changeNeedNotKeepStep(_ coins: [String], _ index: Int) throws {
        var crafted = CraftedPSBT()
        crafted.inputs = try coins.map { (try single("m/84h/1h/0h/\($0)"), 100_000) }
        crafted.outputs = [(try single("m/84h/1h/0h/1/\(index)"), 49_000)]
        crafted.payment = Int64(coins.count) * 100_000 - 50_000
        #expect(try bench.warnings(try crafted.psbt()) == [])
    }

    /// A little of the account lies at another script type, and the change goes there.
    @Test func dustOfTheAccountOpensNoOtherScriptType() throws {
        var crafted = CraftedPSBT()
        crafted.inputs = [(try single("m/84h/1h/0h/0/5"), 100_000), (try single("m/84h/1h/0h/0/3", .p2pkh), 600)]
        crafted.outputs = [(try single("m/84h/1h/0h/1/4", .p2pkh), 49_000)]
        #expect(try bench.warnings(try crafted.psbt()) == [.changePathUnusual])
    }

    /// Two accounts spend, and what comes back to each is less than it spends.
    @Test func changeToOneOfSeveralAccountsIsProven() throws {
        var crafted = CraftedPSBT()
        crafted.inputs = [(try single("m/84h/1h/0h/0/5"), 100_000), (try single("m/84h/1h/1h/0/9"), 80_000)]
        crafted.payment = 120_000
        crafted.outputs = [(try single("m/84h/1h/1h/1/4"), 59_000)]
        #expect(try bench.warnings(try crafted.psbt()) == [])
        #expect(try bench.plan(try crafted.psbt()).review.outputs.map(\.isProvenChange) == [false, true])
    }

    // MARK: Several signers

    /// A key at a path below the account, said to stand at another one.
    private func seat(_ holder: SampleWallet, _ path: String, named: String? = nil) throws -> CraftedScript.Seat {
        var seat = CraftedScript.Seat(holder, try DerivationPath(parsing: account + path))
        if let named { seat.namedPath = try DerivationPath(parsing: account + named) }
        return seat
    }

    private func script(_ form: SampleMultisig.Form, _ seats: [CraftedScript.Seat]) -> CraftedScript {
        CraftedScript(.multisig(form), threshold: 2, seats)
    }

    /// An extended key with a depth that is not its own.
    private func listed(
        _ holder: SampleWallet, _ path: String, as named: String
    ) throws -> (key: ExtendedPublicKey, origin: KeyOrigin) {
        let key = try holder.extendedKey(try DerivationPath(parsing: account + path))
        let origin = KeyOrigin(fingerprint: holder.fingerprint, path: try DerivationPath(parsing: account + named))
        let lying = ExtendedPublicKey(
            network: key.network, depth: UInt8(origin.path.steps.count), childNumber: key.childNumber,
            chainCode: key.chainCode, publicKey: key.publicKey)
        return (lying, origin)
    }

    /// The cosigners' child keys are listed as their accounts', or as another branch's: their change is a step below, or on the
    /// other branch.
    @Test(arguments: SampleMultisig.Form.allCases, [("/5", "", "/0/1/7"), ("/1/5", "/1", "/0/7")])
    func aChildThatPosesAsTheAccountProvesNothing(
        _ form: SampleMultisig.Form, _ lie: (input: String, listed: String, change: String)
    ) throws {
        let ours = bench.wallet
        var crafted = CraftedPSBT()
        crafted.inputs = [
            (script(form, try [seat(ours, "/0/5")] + others.map { try seat($0, "/0/5", named: lie.input) }), 100_000)
        ]
        crafted.outputs = [
            (script(form, try [seat(ours, "/1/7")] + others.map { try seat($0, lie.change, named: "/1/7") }), 49_000)
        ]
        crafted.extendedKeys = try others.map { try listed($0, "/0", as: lie.listed) }
        #expect(try bench.plan(try crafted.psbt()).review.outputs.map(\.isProvenChange) == [false, false])
        #expect(try bench.warnings(try crafted.psbt()).contains(.changeNotProven))
    }

    /// A little lies where one of the same cosigners is enough, and the change goes there.
    @Test func dustOfALowerThresholdOpensNoChangeToIt() throws {
        let all = [bench.wallet] + others
        func seats(_ place: String) throws -> CraftedScript { script(.p2wsh, try all.map { try seat($0, place) }) }
        func low(_ place: String) throws -> CraftedScript {
            var script = try seats(place)
            script.threshold = 1
            return script
        }
        var crafted = CraftedPSBT()
        crafted.inputs = [(try seats("/0/5"), 100_000), (try low("/0/6"), 600)]
        crafted.extendedKeys = try all.map { try listed($0, "", as: "") }
        crafted.outputs = [(try low("/1/7"), 49_000)]
        #expect(try bench.warnings(try crafted.psbt()) == [.changeNotProven])
        #expect(try bench.plan(try crafted.psbt()).review.outputs.map(\.isProvenChange) == [false, false])
    }

    /// A wallet whose addresses are one step below the accounts: its cosigners' keys in the change are two.
    @Test func aStepMoreThanTheInputsProvesNothing() throws {
        let ours = bench.wallet
        var crafted = CraftedPSBT()
        crafted.inputs = [(script(.p2wsh, try ([ours] + others).map { try seat($0, "/5") }), 100_000)]
        crafted.extendedKeys = try ([ours] + others).map { try listed($0, "", as: "") }
        crafted.outputs = [(script(.p2wsh, try ([ours] + others).map { try seat($0, "/7") }), 49_000)]
        #expect(try bench.warnings(try crafted.psbt()) == [])
        let strange = try [seat(ours, "/7"), seat(others[0], "/1876543210/7"), seat(others[1], "/1999999999/7")]
        crafted.outputs = [(script(.p2wsh, strange), 49_000)]
        #expect(try bench.plan(try crafted.psbt()).review.outputs.map(\.isProvenChange) == [false, false])
    }
}
