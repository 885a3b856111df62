import ExplainedErrors

extension WalletError: ExplainedError {
    /// What went wrong, as all layers name it.
    package var code: ErrorCode {
        switch self {
        case .noSuchWallet: .noSuchWallet
        case .walletExists: .walletExists
        case .badName: .badWalletName
        case .descriptor, .unsound, .privateKeys, .sameKeys, .sameDescriptor, .descriptorCount, .noAddress,
            .noAddressForm:
            .badDescriptor
        case .falseKey: .badProof
        case .otherNetwork, .wrongNetwork: .wrongNetwork
        case .impossibleBalance: .chainLied
        case .notSynchronized: .noChainServer
        case .tooManyAddresses: .chainFailed
        case .chain(let error): error.code
        case .store(let error): error.code
        }
    }

    /// What happened.
    package var message: String {
        switch self {
        case .noSuchWallet(let name): "There is no wallet “\(name)”."
        case .walletExists(let name): "There is already a wallet “\(name)”."
        case .badName(let name):
            "“\(name)” is not a valid wallet name. It needs 1 to 64 visible characters, and must not begin with -."
        case .descriptor(let number, let error): "Descriptor \(number): \(error)."
        case .unsound(let name, let fault): "The wallet “\(name)” is unsafe, and is not used. \(fault)"
        case .privateKeys(let number): "Descriptor \(number) has a private key, which is not stored."
        case .otherNetwork(let number, let wanted): "Descriptor \(number) is not for the network \(wanted)."
        case .falseKey(let origin, let card, let name):
            "The wallet \(name.map { "“\($0)” " } ?? "")says that the card \(card) has its key \(origin), but the card has proven another one there."
        case .wrongNetwork(let name, let own, let asked): "The wallet “\(name)” is for \(own), not for \(asked)."
        case .sameKeys: "The cards cannot form a wallet: two of them have the same key."
        case .sameDescriptor(let number): "Descriptor \(number) appears twice."
        case .descriptorCount(let limit): "A wallet has 1 to \(limit) descriptors."
        case .notSynchronized(let name): "No chain server has been asked about the wallet “\(name)” yet."
        case .impossibleBalance: "The server reports coins worth more money than exists."
        case .tooManyAddresses(let limit):
            "The server reports more than \(limit) used addresses of a branch, which is not plausible."
        case .noAddress(let error): "The wallet has no such address: \(error)."
        case .noAddressForm: "The scripts of this wallet have no addresses."
        case .chain(let error): error.message
        case .store(let error): error.message
        }
    }

    /// What to do about it; empty when there is nothing to add.
    package var remedy: String {
        switch self {
        case .walletExists: "Choose another name, or remove that wallet first."
        case .unsound(_, let fault):
            "\(fault.remedy) If it is stored already, remove it first; its money stays where it is."
        case .privateKeys:
            "Use the descriptor with the public key. Anyone who saw this one may have seen the private key."
        case .falseKey: "Do not pay to this wallet. If it has money, move it away while you can."
        case .otherNetwork: "Keys that begin with tpub are for test networks, xpub for bitcoin."
        case .chain(let error): error.remedy
        case .store(let error): error.remedy
        case .noSuchWallet, .badName, .descriptor, .wrongNetwork, .sameKeys, .sameDescriptor, .descriptorCount,
            .notSynchronized, .impossibleBalance, .tooManyAddresses, .noAddress, .noAddressForm:
            ""
        }
    }

    /// The wallet, or the subject from the layer below.
    package var subject: ErrorSubject? {
        switch self {
        case .noSuchWallet(let name), .walletExists(let name), .unsound(let name, _), .notSynchronized(let name),
            .wrongNetwork(let name, _, _):
            .wallet(name)
        case .chain(let error): error.subject
        case .store(let error): error.subject
        case .badName, .descriptor, .privateKeys, .otherNetwork, .falseKey, .sameKeys, .sameDescriptor,
            .descriptorCount,
            .impossibleBalance, .tooManyAddresses, .noAddress, .noAddressForm:
            nil
        }
    }
}
