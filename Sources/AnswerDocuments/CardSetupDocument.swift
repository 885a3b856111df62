import Bitcoin
import TapManager

/// A TAPSIGNER or SATSCHIP that was set up.
package struct CardSetupDocument: Encodable {
    let product: String
    let ident: String
    /// The name that the user gave the card.
    let name: String?
    let path: String
    let xpub: String
    let fingerprint: String
    let descriptors: [String]
    let backupFile: String?
    let backups: Int?
    let cvcChanged: Bool
    /// Whether, according to the local store alone, the key is that of an interrupted setup; otherwise absent.
    let keyOfInterruptedSetup: Bool?

    /// A card with its proven account.
    /// - Parameter file: where its backup was saved; `nil` if it made none.
    package init(_ setup: CardSetup, of card: CardAtHand, file: BackupFile?) {
        let account = setup.account
        product = setup.product.rawValue
        ident = setup.ident.description
        name = card.name
        path = account.path.description
        xpub = account.key.text
        fingerprint = account.masterFingerprint.description
        descriptors = DescriptorExport(account).descriptors
        backupFile = setup.backup == nil ? nil : file?.path
        backups = setup.backup?.count
        cvcChanged = setup.isCVCNew
        keyOfInterruptedSetup = setup.isKeyOfEarlierSetup ? true : nil
    }
}

/// A SATSCARD's slot that was given a key.
package struct NewSlotDocument: Encodable {
    let product: String
    let ident: String
    /// The name that the user gave the card.
    let name: String?
    let slot: Int
    let address: String
    /// Whether the card's certified key signed that the slot is sealed.
    let sealVerified: Bool
    /// Whether the key has the chain code of this run: the given one, or a random one.
    let chainCodeSupplied: Bool
    /// Whether, according to the local store alone, the key is that of an interrupted setup; otherwise absent.
    let keyOfInterruptedSetup: Bool?

    /// A slot with its address for the requested network.
    package init(_ slot: NewSlot, of card: CardAtHand, at address: Address) {
        product = card.status.product.rawValue
        ident = card.ident.description
        name = card.name
        self.slot = slot.report.slot.forPeople
        self.address = address.description
        sealVerified = slot.report.isSealProven
        chainCodeSupplied = slot.hasOurChainCode
        keyOfInterruptedSetup = slot.hasEarlierChainCode ? true : nil
    }
}
