import Bitcoin
import TestSupport
import Testing

/// A wallet of one key, several, or a policy, whose descriptors are known: what is its own, it can tell for certain.
struct RandomWallet {
    /// A signer: its keys, and the path of its account.
    struct Signer {
        let wallet: SampleWallet
        let account: DerivationPath
        /// The branch of the receiving addresses: 2 for a card's second key, as its first one has 0.
        var branch: UInt32 = 0

        /// The path of its key at a place of the wallet: a branch, 0 or 1, and an index.
        func path(_ place: DerivationPath) -> DerivationPath {
            guard branch > 0, let first = place.steps.first else { return account.appending(place) }
            let steps = [ChildNumber(rawValue: first.rawValue + branch)] + place.steps.dropFirst()
            return account.appending(DerivationPath(steps))
        }
    }

    let form: CraftedScript.Form
    let threshold: Int
    let isSorted: Bool
    /// The card first; of a policy it can be the last one, too.
    let signers: [Signer]
    /// The indexes that are in use on the receiving branch.
    let usedIndexes: [Int]
    /// Wallets at other accounts of a card that signs alone, from which the same payments spend.
    private(set) var siblings: [RandomWallet] = []

    /// So many indexes beyond the last one in use are looked through, as Bitcoin Core does.
    static let gap = 1000

    init(using generator: inout SeededGenerator) throws {
        let count = Int.random(in: 1...5, using: &generator)
        try self.init(of: count, account: 0, using: &generator)
        guard case .single = form else { return }
        for account in 0..<Int.random(in: 0...2, using: &generator) {
            siblings.append(
                try RandomWallet(of: 1, account: 4 * (account + 1), card: signers[0].wallet, using: &generator))
        }
    }

    /// - Parameters:
    ///   - account: the account's number, to which up to 3 are added.
    ///   - card: whose wallet it is; `nil`: a new card's.
    private init(
        of count: Int, account base: Int, card: SampleWallet? = nil, using generator: inout SeededGenerator
    ) throws {
        let kind = SampleWallet.Kind.allCases.randomElement(using: &generator) ?? .p2wpkh
        let multisig = SampleMultisig.Form.allCases.randomElement(using: &generator) ?? .p2wsh
        let isPolicy = card == nil && Int.random(in: 0..<3, using: &generator) == 0
        if isPolicy {
            form = .policy(try Self.policy(of: count, using: &generator))
        } else {
            form = count == 1 ? .single(kind) : .multisig(multisig)
        }
        threshold = Int.random(in: 1...(isPolicy ? max(1, count - 1) : count), using: &generator)
        isSorted = Bool.random(using: &generator)
        var signers: [Signer] = []
        for _ in 0..<count {
            let master = try ExtendedPrivateKey(seed: SecretBytes(generator.bytes(32...32)), network: .test)
            let number = base + Int.random(in: 0...3, using: &generator)
            let account = count == 1 && !isPolicy ? "m/84h/1h/\(number)h" : "m/48h/1h/\(number)h/2h"
            signers.append(Signer(wallet: card ?? SampleWallet(master: master), account: try .init(parsing: account)))
        }
        if isPolicy, count > 1, Int.random(in: 0..<3, using: &generator) == 0 {
            signers[count - 1] = Signer(wallet: signers[0].wallet, account: signers[0].account, branch: 2)
        }
        self.signers = signers
        let first = Int.random(in: 0...5000, using: &generator)
        var used = [first]
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            used.append((used.last ?? first) + Int.random(in: 1...Self.gap, using: &generator))
        }
        usedIndexes = used
    }

    private static func policy(of count: Int, using generator: inout SeededGenerator) throws -> CraftedPolicy {
        let shapes = CraftedPolicy.Shape.allCases.filter { $0 != .heirs || count > 2 }
        let shape = try #require(shapes.randomElement(using: &generator))
        return CraftedPolicy(
            shape, lock: UInt32.random(in: 1...65_535, using: &generator), isNested: Bool.random(using: &generator))
    }

    /// Its descriptor, without those of its siblings.
    func descriptor() throws -> Descriptor {
        let keys = try signers.map { signer in
            let origin = KeyOrigin(fingerprint: signer.wallet.fingerprint, path: signer.account)
            let branches = "<\(signer.branch);\(signer.branch + 1)>"
            return "\(origin)\(try signer.wallet.extendedKey(signer.account).text)/\(branches)/*"
        }
        let text: String
        switch form {
        case .single(let kind):
            let outer = [SampleWallet.Kind.p2pkh: "pkh(", .p2shP2WPKH: "sh(wpkh(", .p2wpkh: "wpkh("][kind] ?? ""
            text = outer + keys[0]
        case .multisig(let form):
            let outer = [SampleMultisig.Form.p2sh: "sh(", .p2wsh: "wsh(", .p2shP2WSH: "sh(wsh("][form] ?? ""
            let name = isSorted ? "sortedmulti" : "multi"
            text = "\(outer)\(name)(\(threshold),\(keys.joined(separator: ","))"
        case .policy(let policy):
            let expression = policy.expression(threshold: threshold, keys)
            return try Descriptor(parsing: policy.isNested ? "sh(wsh(\(expression)))" : "wsh(\(expression))")
        }
        let open = text.count { $0 == "(" } - text.count { $0 == ")" }
        return try Descriptor(parsing: text + String(repeating: ")", count: open))
    }

    /// The script of an address.
    func script(_ branch: Int, _ index: Int) throws -> CraftedScript {
        let place = try DerivationPath(parsing: "\(branch)/\(index)")
        var script = CraftedScript(
            form, threshold: threshold, signers.map { .init($0.wallet, $0.path(place)) })
        script.isSorted = isSorted
        return script
    }

    /// Whether a search of a branch that begins at the first index in use on any, and ends behind the gap, finds a script,
    /// with the keys in the wallet's order or sorted.
    /// - Parameter inputs: what is spent: an address of the wallet's that somebody pays to is in use from then on.
    func finds(_ script: CraftedScript, besides inputs: [CraftedScript] = []) throws -> Bool {
        if let (branch, index) = try place(of: script) {
            var top = (branch == 0 ? usedIndexes.max() : usedIndexes.min()) ?? 0
            let spent = try inputs.compactMap { try place(of: $0) }.filter { $0.branch == branch }.map(\.index)
            // Each round may bring another one within the gap.
            for _ in spent { for index in spent where index <= top + Self.gap { top = max(top, index) } }
            if index <= top + Self.gap { return true }
        }
        return try siblings.contains { try $0.finds(script, besides: inputs) }
    }

    /// The branch and number of an address, if it is one of the wallet's.
    private func place(of script: CraftedScript) throws -> (branch: Int, index: Int)? {
        let scriptPubKey = try script.scripts().scriptPubKey
        let card = signers[0]
        for seat in script.seats where seat.holder.master.neutered == card.wallet.master.neutered {
            let steps = seat.path.steps
            guard steps.count == card.account.steps.count + 2, Array(steps.dropLast(2)) == card.account.steps else {
                continue
            }
            let (branch, index) = (Int(steps[steps.count - 2].index), Int(steps[steps.count - 1].index))
            guard branch < 2 else { continue }
            for isSorted in [false, true] {
                var own = try self.script(branch, index)
                own.isSorted = isSorted
                if try own.scripts().scriptPubKey == scriptPubKey { return (branch, index) }
            }
        }
        return nil
    }

    /// An honest payment with change.
    func payment(using generator: inout SeededGenerator) throws -> CraftedPSBT {
        var psbt = CraftedPSBT()
        for wallet in [self] + siblings {
            psbt.inputs += try wallet.usedIndexes.map { (try wallet.script(0, $0), 100_000) }
        }
        let home = siblings.randomElement(using: &generator) ?? self
        let index = Int.random(in: 0...(home.usedIndexes.min() ?? 0) + Self.gap, using: &generator)
        psbt.payment = Int64(psbt.inputs.count) * 100_000 - 91_500
        psbt.outputs = [(try home.script(1, index), 90_000)]
        if case .single = form { return psbt }
        psbt.extendedKeys = try signers.filter { $0.branch == 0 }.map {
            (try $0.wallet.extendedKey($0.account), KeyOrigin(fingerprint: $0.wallet.fingerprint, path: $0.account))
        }
        return psbt
    }
}
