import Bitcoin

/// One of the signer's accounts, as the inputs show it: change must match it to be found there.
///
/// Anyone can pay a little to any of the signer's keys, at any path and in any script, and add that to the inputs. So
/// an account counts only for as much as it spends, and only if its inputs agree.
///
/// Spec: threats, "The PSBT lies" (ransom by lost path).
struct InputAccount {
    private let network: Network
    private var indexes = IndexesInUse<DerivationPath>()
    private var scriptTypes: Set<ScriptType> = []
    private var depths: Set<Int> = []
    private var spent: Int64 = 0
    private var returned: Int64 = 0

    /// - Parameter network: the one to sign for: its coin type is where wallets look by themselves.
    init(on network: Network) { self.network = network }

    /// Learns from an input.
    mutating func spend(_ value: Int64, at path: CardPath, by script: SpendingScript) {
        if let index = path.subpath.steps.last?.index { indexes.insert(index, on: path.branch) }
        scriptTypes.insert(ScriptType(script))
        depths.insert(path.subpath.steps.count)
        spent = Self.sum(spent, value)
    }

    /// Learns from an output that is claimed to pay back to it.
    mutating func receive(_ value: Int64) { returned = Self.sum(returned, value) }

    /// What is unusual about change at a path of this account; `nil` if nothing is.
    /// - Parameter stored: the highest index of the path's branch that a stored wallet uses; `nil`: unknown.
    func unusual(_ path: CardPath, script: SpendingScript, stored: UInt32?) -> String? {
        let type = ScriptType(script)
        guard returned <= spent || isFoundByAnybody(path, type, stored: stored) else {
            return
                "its account would get back more than it spends, and wallets do not look there by default"
        }
        guard scriptTypes == [type] else {
            return scriptTypes.contains(type)
                ? "some inputs of its account have another script type" : "no input of its account has its script type"
        }
        guard depths == [path.subpath.steps.count] else {
            return "some inputs of its account have paths of another length than \(path.path)"
        }
        if let index = path.subpath.steps.last?.index, let reach = indexes.reach(on: path.branch, stored: stored),
            index > reach
        {
            return "the index \(index) is far beyond those in use, where wallets do not look"
        }
        if path.isOnUsualBranch { return nil }
        return "the branch \(path.subpath.steps[0].index) is neither 0 (receive) nor 1 (change)"
    }

    /// Whether a wallet that knows only the master key, and what is stored, finds a single-key address.
    ///
    /// Spec: BIP-44, BIP-49, BIP-84.
    private func isFoundByAnybody(_ path: CardPath, _ type: ScriptType, stored: UInt32?) -> Bool {
        let account = path.account.steps
        guard account.count == 3, account[1].index == (network == .main ? 0 : 1),
            account[2].index <= Self.highestUsualAccount,
            path.subpath.steps.count == 2, path.subpath.steps[0].index <= 1,
            UInt64(path.subpath.steps[1].index) <= UInt64(stored ?? 0) + UInt64(AddressReach.withoutHistory)
        else { return false }
        return type.purpose == account[0].index
    }

    private static let highestUsualAccount: UInt32 = 20

    /// The sum of two values, counting a negative one as 0; the largest value on overflow.
    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, isTooMuch) = left.addingReportingOverflow(max(0, right))
        return isTooMuch ? .max : sum
    }
}

/// What a wallet looks for: how a script is wrapped, and whether it has a key itself or only its hash.
private struct ScriptType: Hashable {
    let form: SpendingScript.Form
    let isPayToKey: Bool

    init(_ script: SpendingScript) {
        form = script.form
        isPayToKey = if case .p2pk = script.template { true } else { false }
    }

    /// The first step of the paths at which wallets look for it; `nil`: no such path.
    var purpose: UInt32? {
        switch form {
        case _ where isPayToKey: nil
        case .bare: 44
        case .p2shP2WPKH: 49
        case .p2wpkh: 84
        default: nil
        }
    }
}
