import Bitcoin
import FrontEndText
import TapManager

/// The card that one of HWI's commands uses, and what for.
struct HWICard {
    let device: HWIDevice
    private let session: HWISession
    /// What its CVC is for, after “to”.
    private let purpose: String

    init(_ device: HWIDevice, _ session: HWISession, to purpose: String) {
        (self.device, self.session, self.purpose) = (device, session, purpose)
    }

    /// The card's name for the user.
    var label: String { device.card.label }

    /// The card's extended keys at hardened paths, proven, in the network's form.
    /// - Throws: `HWIError.deviceConnection` if the store had a wrong fingerprint for the card.
    func keys(at paths: [DerivationPath]) async throws -> SignerKeys {
        let keys = try await work { try await $0.keys(at: paths, of: device.card, expecting: device.fingerprint) }
        return SignerKeys(
            masterFingerprint: keys.masterFingerprint,
            accounts: keys.accounts.mapValues { $0.written(for: session.network.keyNetwork) })
    }

    /// Has the card prove an address.
    /// - Throws: `AddressClaimError`; `HWIError.deviceConnection` as above.
    func prove(_ claim: AddressClaim) async throws -> ProvenAddress {
        try await work {
            try await $0.prove(claim, by: device.card, expecting: device.fingerprint, network: session.network)
        }
    }

    /// Does something with the card.
    func work<Result>(_ body: (CardManager) async throws -> Result) async throws -> Result {
        try await session.work(to: purpose, body)
    }

    /// The extended key at a path: steps below the hardened ones are derived here.
    /// - Throws: `HWIError.badArgument` for a path with no key, ….
    func key(at path: DerivationPath) async throws -> ExtendedPublicKey {
        guard let (account, below) = path.splitAtFirstNormalStep else {
            throw HWIError(.badArgument, "A card has no hardened steps below unhardened ones, as in \(path).")
        }
        guard let key = try await keys(at: [account]).accounts[account], let child = try? key.descendant(below) else {
            throw HWIError(.badArgument, "There is no key at \(path).")
        }
        return child
    }
}
