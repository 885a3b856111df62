import ArgumentParser
import TapManager
import TextLayout

extension ExportFormat: ExpressibleByArgument {
    /// How the user imports the file in the other program.
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
            Open it in Electrum as a wallet file: electrum -w \(file.map(ShellWord.quoted) ?? "FILE"). Sign its \
            transactions with tapkit sign --no-finalize: Electrum treats native segwit inputs that others finalized as \
            unsigned.
            """
        case .specter: "Import it in Specter: Add new wallet > Import from wallet software."
        case .coldcardMultisig: "Import it in COLDCARD: Settings > Multisig Wallets > Import from File."
        case .liana: "Import it in Liana: Add an existing Liana wallet, and paste the descriptor."
        case .descriptors, .coldcard, .slip132, .cosigner, .bsms: nil
        }
    }
}
