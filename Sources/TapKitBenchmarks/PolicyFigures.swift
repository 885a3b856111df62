import Bitcoin
import Glibc

/// How long it takes to read policies, to derive their addresses, and to finalize inputs that they lock.
struct PolicyFigures {
    private let count: Int
    private let masters: [ExtendedPrivateKey]
    private static let rounds = 1_001
    private static let account = DerivationPath([48, 1, 0, 2].compactMap(ChildNumber.hardened))

    /// - Parameter count: the number of addresses, and a tenth of it of inputs.
    init(count: Int) throws {
        self.count = count
        masters = try (1...20).map {
            try ExtendedPrivateKey(seed: SecretBytes([UInt8](repeating: $0, count: 32)), network: .test)
        }
    }

    func run() throws {
        let keys = try masters.map { master in
            "[\(master.neutered.fingerprint)/48h/1h/0h/2h]\(try master.descendant(Self.account).neutered.text)/<0;1>/*"
        }
        let plain = masters.map(\.neutered.publicKey.description)
        try figure("reading 20 keys in hexadecimal") { _ = try Descriptor(parsing: Self.threshold(of: plain)) }
        try figure("reading 20 extended keys") { _ = try Descriptor(parsing: Self.threshold(of: keys)) }
        try figure("of which for the keys alone") { for key in keys { _ = try DescriptorKey(parsing: key) } }
        let wallet = try Descriptor(
            parsing: "wsh(or_d(multi(2,\(keys[0]),\(keys[1]),\(keys[2])),"
                + "and_v(v:thresh(1,pkh(\(keys[3])),a:pkh(\(keys[4]))),older(52560))))")
        try figure("deriving \(count) addresses of 5 keys", rounds: 1) {
            let branch = try wallet.derivingBranch(0)
            for index in 0..<UInt32(count) { _ = try branch.script(index: index) }
        }
        let psbt = try signed(wallet, inputCount: count / 10)
        try figure("finalizing \(count / 10) inputs", rounds: 1) {
            var psbt = psbt
            guard try psbt.finalizeInputs().allSatisfy({ $0 == .finalized }) else { exit(70) }
        }
    }

    /// 11 of 20 keys.
    private static func threshold(of keys: [String]) -> String {
        "wsh(thresh(11,pk(\(keys[0]))" + keys.dropFirst().map { ",s:pk(\($0))" }.joined() + "))"
    }

    /// Inputs that two of the holders have signed.
    private func signed(_ wallet: Descriptor, inputCount: Int) throws -> PSBT {
        let branch = try wallet.derivingBranch(0)
        let coins = try (0..<UInt32(inputCount)).map { try branch.spending(index: $0) }
        guard let id = TransactionID([UInt8](repeating: 1, count: 32)) else { exit(70) }
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: coins.indices.map {
                    TransactionInput(outpoint: Outpoint(transactionID: id, index: UInt32($0)), sequence: 0xFFFF_FFFD)
                }, outputs: [TransactionOutput(value: 1_000, scriptPubKey: coins[0].scriptPubKey)]))
        for (index, coin) in coins.enumerated() {
            psbt[input: index].witnessUTXO = TransactionOutput(value: 10_000, scriptPubKey: coin.scriptPubKey)
            psbt[input: index].witnessScript = coin.witnessScript
            for derivation in coin.derivations { psbt[input: index].addDerivation(derivation) }
        }
        let accounts = try masters.prefix(2).map { try $0.descendant(Self.account) }
        let cache = SighashCache(psbt.unsignedTransaction)
        for index in coins.indices {
            let digest = try psbt.spending(ofInput: index).digest(SighashType.all, using: cache)
            let path = DerivationPath([0, UInt32(index)].map { ChildNumber(rawValue: $0) })
            let signatures = try accounts.map { account in
                let key = try account.descendant(path).privateKey
                return PartialSignature(key.sign(digest: digest), by: key.publicKey)
            }
            psbt.addPartialSignatures(signatures, toInput: index)
        }
        return psbt
    }

    /// Prints the median and the longest time.
    private func figure(_ name: String, rounds: Int = Self.rounds, _ work: () throws -> Void) throws {
        var times: [Duration] = []
        for _ in 0..<rounds {
            let start = ContinuousClock.now
            try work()
            times.append(ContinuousClock.now - start)
        }
        times.sort()
        print("  \(times[rounds / 2]) (\(times[rounds - 1])): \(name)")
    }
}
