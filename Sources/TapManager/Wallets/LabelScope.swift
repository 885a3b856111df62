import Bitcoin

/// The labels that belong to a wallet, as far as it is known.
struct LabelScope: Sendable {
    /// How many addresses of each branch count if no server was asked.
    private static let guessedCount: UInt32 = 100

    /// Those of its addresses.
    let scripts: Set<Script>
    private let transactions: Set<TransactionID>
    private let keys: Set<String>
    private let network: Network

    /// - Parameter chain: the chain server's last answer about the wallet; `nil` if none was asked.
    init(_ wallet: WatchWallet, _ chain: WalletChain?) {
        var scripts = Set(chain?.scripts.map(\.script) ?? [])
        for branch in wallet.branches {
            for index in 0..<(branch.isRanged ? Self.guessedCount : 1) {
                if let script = try? wallet.script(at: branch.place(index)) { scripts.insert(script) }
            }
        }
        self.scripts = scripts
        transactions = Set(chain?.transactions.map(\.id) ?? [])
        keys = Set(
            wallet.descriptors.flatMap(\.keys).compactMap { key in
                if case .extended(let extended) = key.material { extended.text } else { nil }
            })
        network = wallet.network
    }

    /// Whether a label is about this wallet.
    func contains(_ label: StoredLabel) -> Bool {
        switch Label.Kind(rawValue: label.type) {
        case .address:
            (try? Address(parsing: label.reference, network: network)).map { scripts.contains($0.scriptPubKey) }
                ?? false
        case .transaction: TransactionID(parsing: label.reference).map(transactions.contains) ?? false
        case .input, .output:
            label.reference.split(separator: ":").first.flatMap { TransactionID(parsing: $0) }
                .map(transactions.contains) ?? false
        case .extendedKey: keys.contains(label.reference)
        case .publicKey, .silentPaymentScan, nil: false
        }
    }
}
