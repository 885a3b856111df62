import ArgumentParser

/// What other programs import.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
    /// Output descriptors with origin and checksum, one a line.
    case descriptors
    /// The argument of Bitcoin Core's `importdescriptors`.
    case core
    /// Sparrow's text file.
    case sparrow
    /// An Electrum wallet file.
    case electrum
    /// COLDCARD's generic JSON.
    case coldcard
    /// Specter's wallet file.
    case specter
    /// The key with the version bytes of its type of address.
    case slip132
    /// The key as a coordinator wants it of a cosigner.
    case cosigner
    /// COLDCARD's text file of a multisig wallet.
    case coldcardMultisig = "coldcard-multisig"
    /// BIP-129: a card's signed key record, or a wallet's descriptor record.
    case bsms

    /// Whether the file is JSON, so that with `--json` it is the answer itself.
    var isJSON: Bool { [.core, .electrum, .coldcard, .specter].contains(self) }

    /// Whether a card's account can be told in it.
    var isOfCards: Bool { self != .coldcardMultisig }

    /// Whether a wallet of the store can be told in it.
    var isOfWallets: Bool { self != .coldcard && self != .cosigner }

    /// Whether it has one type of address, so that a card at a path that stands for none needs to be told which.
    var needsOneKind: Bool { [.sparrow, .electrum, .specter].contains(self) }

    /// Where people give the file to the other program.
    func instruction(file: String?) -> String? {
        switch self {
        case .core:
            """
            Import it into a wallet without private keys: bitcoin-cli -named createwallet wallet_name=W \
            disable_private_keys=true, then bitcoin-cli -rpcwallet=W importdescriptors "$(\(file.map { "cat \(ShellWord.quoted($0))" } ?? "tapkit export core …"))"
            """
        case .sparrow: "Import it in Sparrow: File > Import Wallet > Output Descriptor."
        case .electrum:
            """
            Open it in Electrum as a wallet file: electrum -w \(file.map(ShellWord.quoted) ?? "FILE"). Sign its transactions with tapkit sign \
            --no-finalize: Electrum takes native segwit inputs that others finalized for unsigned.
            """
        case .specter: "Import it in Specter: Add new wallet > Import from wallet software."
        case .coldcardMultisig: "Import it in COLDCARD: Settings > Multisig Wallets > Import from File."
        case .descriptors, .coldcard, .slip132, .cosigner, .bsms: nil
        }
    }
}
