import Bitcoin

/// An account of a wallet with addresses at `…/0/*` and change at `…/1/*`: its keys, and how they are used.
///
/// Spec: BIP-44, "Change"; BIP-383 (`sortedmulti`), BIP-389.
package struct ExportAccount: Sendable, Hashable {
    /// What an address pays to.
    package enum Form: Sendable, Hashable {
        /// One key.
        case single(ScriptKind)
        /// A threshold of several keys, in BIP-67's order.
        case multisig(MultisigKind, threshold: Int)
    }

    /// What an address pays to.
    package let form: Form
    /// The keys, in the order of the descriptor; one for `.single`.
    package let keys: [AccountKey]

    /// Analyzes a descriptor with every key at `…/<0;1>/*`, or one of the two that it stands for.
    /// - Returns: the account, and which of its branches the descriptor is; `nil`: both.
    /// - Throws: `ExportError.unusualDescriptor`, `.unsortedKeys`.
    private static func account(
        of descriptor: Descriptor, number: Int
    ) throws(ExportError) -> (account: ExportAccount, branch: UInt32?) {
        let form: Form
        let keys: [DescriptorKey]
        switch descriptor.expression {
        case .pkh(let key): (form, keys) = (.single(.p2pkh), [key])
        case .wpkh(let key): (form, keys) = (.single(.p2wpkh), [key])
        case .sh(.wpkh(let key)): (form, keys) = (.single(.p2shP2WPKH), [key])
        case .sh(.multi(let threshold, let all, true)): (form, keys) = (.multisig(.p2sh, threshold: threshold), all)
        case .wsh(.multi(let threshold, let all, true)): (form, keys) = (.multisig(.p2wsh, threshold: threshold), all)
        case .sh(.wsh(.multi(let threshold, let all, true))):
            (form, keys) = (.multisig(.p2shP2WSH, threshold: threshold), all)
        case .sh(.multi), .wsh(.multi), .sh(.wsh(.multi)): throw .unsortedKeys(number)
        default: throw .unusualDescriptor(number)
        }
        let steps = Set(keys.map(\.steps))
        guard steps.count == 1, let steps = steps.first, steps.count == 1, let step = steps.first,
            keys.allSatisfy({ $0.wildcard == .normal })
        else { throw .unusualDescriptor(number) }
        let branches = AccountDescriptor.Branch.allCases.map { ChildNumber(rawValue: $0.rawValue) }
        let branch: UInt32?
        switch step {
        case .eachBranch(branches): branch = nil
        case .one(let number) where branches.contains(number): branch = number.rawValue
        default: throw .unusualDescriptor(number)
        }
        let accountKeys = keys.compactMap(AccountKey.init)
        guard accountKeys.count == keys.count else { throw .unusualDescriptor(number) }
        return (ExportAccount(form: form, keys: accountKeys), branch)
    }

    private init(form: Form, keys: [AccountKey]) {
        self.form = form
        self.keys = keys
    }

    /// The accounts that descriptors describe, in order; addresses and change may be in one descriptor or in two.
    /// - Throws: `ExportError.unusualDescriptor`, `.unsortedKeys`, `.oneBranch`.
    static func accounts(of descriptors: [Descriptor]) throws(ExportError) -> [ExportAccount] {
        var order: [ExportAccount] = []
        var branches: [ExportAccount: Set<UInt32>] = [:]
        let all = Set(AccountDescriptor.Branch.allCases.map(\.rawValue))
        for (index, descriptor) in descriptors.enumerated() {
            let (account, branch) = try account(of: descriptor, number: index + 1)
            if branches[account] == nil { order.append(account) }
            if let branch { branches[account, default: []].insert(branch) } else { branches[account] = all }
        }
        for account in order where branches[account] != all { throw .oneBranch }
        return order
    }

    /// The account's form for the version bytes of its keys.
    package var slip132: SLIP132Form {
        switch form {
        case .single(let kind): SLIP132Form(kind)
        case .multisig(let kind, _): SLIP132Form(kind)
        }
    }
}
