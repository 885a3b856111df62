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
    /// Whether cards proved that nobody can spend it without them, or that they registered the wallet that it belongs to;
    /// `nil`: not requested.
    let verified: Bool?
    /// Whether each of the cards registered the wallet.
    let registered: Bool?
    /// How many of its keys the cards proved to have.
    let verifiedKeys: Int?
    /// The first card that proved it.
    let ident: String?
    let qrFile: String?
    /// What the user should know, in the front end's words.
    let warnings: [String]?
    /// The same, as codes for programs.
    let remarks: [String]?

    /// An address for a person.
    /// - Parameters:
    ///   - proof: what cards proved about it; `nil`: nothing was requested.
    ///   - warnings: what the user should know, in the front end's words.
    ///   - qrFile: the image of its QR code; `nil`: none.
    package init(
        _ found: ReceivingAddress, of wallet: OpenedWallet, proof: AddressProof?, warnings: [String],
        qrFile: String? = nil
    ) {
        self.init(found, of: wallet, proof: proof, warnings: warnings, remarks: nil, qrFile: qrFile)
    }

    /// An address for a program.
    /// - Parameter proof: what cards proved about it; `nil`: nothing was requested.
    package init(_ found: ReceivingAddress, of wallet: OpenedWallet, proof: AddressProof?) {
        let unproven = proof.map { $0.unprovenKeyCount > 0 && !$0.isRegistered } ?? false
        let unregistered = proof.map { !$0.isRegistered && wallet.wallet.hasConditions } ?? false
        self.init(
            found, of: wallet, proof: proof, warnings: nil,
            remarks: found.remarks.map(\.word) + (unproven ? ["keys_not_verified"] : [])
                + (unregistered ? ["not_registered"] : []), qrFile: nil)
    }

    private init(
        _ found: ReceivingAddress, of wallet: OpenedWallet, proof: AddressProof?, warnings: [String]?,
        remarks: [String]?, qrFile: String?
    ) {
        name = TerminalText.neutralized(wallet.wallet.name)
        address = found.address.description
        path = found.path?.description
        index = found.place.index
        descriptor = wallet.wallet.descriptors[found.place.descriptor].text
        uri = PaymentURI(address: found.address).description
        verified = proof.map { $0.isSafe || $0.isRegistered }
        registered = proof?.isRegistered
        verifiedKeys = proof?.provenKeyCount
        ident = proof?.cards.first?.description
        self.qrFile = qrFile
        (self.warnings, self.remarks) = (warnings, remarks)
    }
}

extension ReceivingAddress.Remark {
    /// For programs; the words do not change.
    fileprivate var word: String {
        switch self {
        case .mayBeUsed: "may_be_used"
        case .far: "far"
        case .claimed: "claimed"
        case .mayBeEmptied: "may_be_emptied"
        case .toldBefore: "as_of_last_sync"
        case .neverAsked: "not_synced"
        }
    }
}
