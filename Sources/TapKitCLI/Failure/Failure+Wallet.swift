import Bitcoin
import ChainData
import ExplainedErrors
import TapManager

/// How what goes wrong with wallets and chain servers is told.
extension Failure {
    init(_ error: WalletError) {
        switch error {
        case .noSuchWallet(let name):
            self.init(.noSuchWallet, "There is no wallet “\(name)”.", hint: "tapkit wallet list shows them.")
        case .walletExists(let name):
            self.init(
                .walletExists, "There is a wallet “\(name)” already.",
                hint: "Choose another name, or remove it first: tapkit wallet remove.")
        case .badName(let name):
            self.init(
                .badWalletName,
                "“\(name)” is no name for a wallet: 1 to 64 characters that can be seen, not beginning "
                    + "with -.")
        case .descriptor(let number, let error):
            self.init(.badDescriptor, "Descriptor \(number): \(error).")
        case .unsound(let name, let fault):
            self.init(
                .badDescriptor, "The wallet “\(name)” is not used: \(fault)",
                hint: fault.remedy
                    + " If it is kept here already, take it away first (tapkit wallet remove): its money stays where it is."
            )
        case .privateKeys(let number):
            self.init(
                .badDescriptor, "Descriptor \(number) has a private key, which tapkit does not keep.",
                hint: "Use the descriptor with the public key. Whoever saw this command line may have seen the key.")
        case .otherNetwork(let number, let wanted):
            self.init(
                .wrongNetwork, "Descriptor \(number) is not for the network \(wanted).",
                hint: "Keys that begin with tpub are for test networks, xpub for bitcoin.")
        case .sameDescriptor(let number): self.init(.badDescriptor, "Descriptor \(number) is there twice.")
        case .descriptorCount(let limit): self.init(.badDescriptor, "A wallet has 1 to \(limit) descriptors.")
        case .notSynchronized(let name):
            self.init(
                .noChainServer, "No chain server was asked about the wallet “\(name)” yet.",
                hint: "tapkit wallet sync \(name), with --chain or a server that is set: tapkit config set chain …")
        case .tooManyAddresses(let limit):
            self.init(
                .chainFailed,
                "The server says that more than \(limit) addresses of a branch are used: that is not believed.")
        case .noAddress(let error): self.init(.badDescriptor, "The wallet has no such address: \(error).")
        case .noAddressForm: self.init(.badDescriptor, "The scripts of this wallet have no addresses.")
        case .chain(let error): self.init(error)
        case .store(let error): self.init(error)
        }
    }
}

extension WalletFault {
    /// What to do instead.
    fileprivate var remedy: String {
        switch self {
        case .repeatedKey: "Ask every cosigner for an extended key of his own."
        case .differ, .unpaired: "Make a wallet of the descriptors of one account, with tapkit wallet add."
        }
    }
}

extension Failure {
    init(_ error: ChainError) {
        if case .cancelled = error {
            self = .interrupted
            return
        }
        var hint = error.hint
        if case .tls(.pinChanged(let server, _, _), _) = error {
            hint =
                "If the server's owner confirms the new certificate, take “\(server)” out of \(CertificatePinFile.name) "
                + "beside the local store, and connect again."
        }
        if case .tls(.trustLost(let server), _) = error {
            hint =
                "Somebody may be answering in its place: use another network or another server. If the server's owner confirms "
                + "the change, take “\(server)” out of \(CertificatePinFile.name) beside the local store, and connect again."
        }
        self.init(
            ErrorCode(rawValue: error.code) ?? .chainFailed, error.message.asSentence, hint: hint.asSentence)
    }
}

extension Failure {
    init(_ error: CreationError) {
        switch error {
        case .building(.selection(let error)): self.init(error)
        case .building(let error):
            let isBump = [.notReplaceable, .amountsOverflow].contains(error) || error.isAboutReplacing
            self.init(isBump ? .cannotBump : .cannotBuild, "\(error)".asSentence)
        case .unknownCoin(let outpoint):
            self.init(
                .noSuchCoin, "The wallet has no coin \(outpoint).", hint: "tapkit wallet show lists the coins.")
        case .takenCoin(let outpoint, let id):
            self.init(
                .coinsTaken, "The stored transaction \(id) spends the coin \(outpoint).",
                hint: "tapkit tx delete \(id.abbreviated) frees it.")
        case .immatureCoin(let outpoint):
            self.init(
                .noSuchCoin, "The coin \(outpoint) was mined less than \(WalletCoin.coinbaseMaturity) blocks ago.")
        case .heldBack(let needed, let available, let taken, let frozen, let unconfirmed):
            var reasons: [String] = []
            var hints: [String] = []
            if taken > .zero {
                reasons.append("\(taken.satoshis) sat are in stored transactions")
                hints.append("tapkit tx list, tx delete: frees the coins of transactions.")
            }
            if frozen > .zero {
                reasons.append("\(frozen.satoshis) sat are frozen by their labels")
                hints.append("--coin spends frozen coins.")
            }
            if unconfirmed > .zero {
                reasons.append("\(unconfirmed.satoshis) sat come from others and are unconfirmed")
                hints.append("--unconfirmed spends them.")
            }
            let need = needed > .zero ? "\(needed.satoshis) sat are needed, and " : ""
            self.init(
                .insufficientFunds,
                "There is not enough: \(need)\(available.satoshis) sat may be spent; \(reasons.joined(separator: ", ")).",
                hint: hints.joined(separator: " "))
        case .notSpendable:
            self.init(
                .cannotBuild, "The wallet's descriptors do not tell how its coins are spent.",
                hint: "Add the wallet with a descriptor of its keys instead of addresses.")
        case .changeUnknown:
            self.init(
                .cannotBump, "The transaction is not of one of these wallets, so which output is change is not known.",
                hint: "Let the program that made it replace it.")
        case .hasDescendant(let id):
            self.init(
                .cannotBump, "The transaction \(id) spends what this one pays, and would be thrown out with it.",
                hint: "Replace that one, or wait.")
        case .confirmed(let id): self.init(.cannotBump, "Its coins are spent already, by \(id), which is in a block.")
        case .refused(let refusal): self.init(FlowError.refused(refusal))
        case .feeAboveSent(let fee, let sent):
            self.init(
                .feeTooHigh, "The fee would be \(fee.satoshis) sat, and only \(sent.satoshis) sat would arrive.",
                hint: "Use a lower --fee-rate, or wait until fees are lower; tapkit tx delete forgets a stored sweep.")
        case .opensDestination(let address):
            self.init(
                .slotOpened,
                "\(address) is an address of this card whose slot was opened, or is now: whoever sees its key can take "
                    + "the money.", hint: "Name another address.")
        case .wallet(let error): self.init(error)
        case .store(let error): self.init(error)
        }
    }

    /// Why no coins can be chosen.
    init(_ error: CoinSelectionError) {
        let code: ErrorCode =
            switch error {
            case .dust: .dust
            case .insufficient, .noneEconomical: .insufficientFunds
            case .noPayments: .usage
            case .amountsOverflow: .badAmount
            case .tooHeavy: .cannotBuild
            }
        self.init(code, "\(error)".asSentence)
    }
}

extension BuildingError {
    /// Whether only a replacement can fail so.
    fileprivate var isAboutReplacing: Bool {
        switch self {
        case .rateNotHigher, .noSuchChange: true
        default: false
        }
    }
}

extension String {
    /// With a capital at the beginning and a full stop at the end.
    fileprivate var asSentence: String {
        guard let first = split(separator: " ").first else { return "" }
        // The name of a server stays as it is.
        let beginning = first.contains(where: { $0 == ":" || $0 == "." }) ? String(prefix(1)) : prefix(1).uppercased()
        return beginning + dropFirst() + (hasSuffix(".") ? "" : ".")
    }
}
