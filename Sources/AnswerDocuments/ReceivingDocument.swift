import Bitcoin
import TapManager
import TextLayout

/// An address of a wallet that can be given to a payer.
package struct ReceivingDocument: Encodable {
    let name: String
    let address: String
    let path: String?
    let index: UInt32
    let descriptor: String?
    let uri: String
    /// Whether cards proved that nobody can spend it without them; `nil`: not requested.
    let verified: Bool?
    /// How many of its keys the cards proved to have.
    let verifiedKeys: Int?
    /// The first card that proved it.
    let ident: String?
    let qrFile: String?
    let warnings: [String]

    /// An address.
    /// - Parameters:
    ///   - proof: what cards proved about it; `nil`: nothing was requested.
    ///   - warnings: what the user should know, in the front end's words.
    ///   - qrFile: the image of its QR code; `nil`: none.
    package init(
        _ found: ReceivingAddress, of wallet: OpenedWallet, proof: AddressProof?, warnings: [String],
        qrFile: String? = nil
    ) {
        name = TerminalText.neutralized(wallet.wallet.name)
        address = found.address.description
        path = found.path?.description
        index = found.place.index
        descriptor = wallet.wallet.descriptors[found.place.descriptor].text
        uri = PaymentURI(address: found.address).description
        verified = proof.map(\.isSafe)
        verifiedKeys = proof?.cards.count
        ident = proof?.cards.first?.description
        self.qrFile = qrFile
        self.warnings = warnings
    }
}
