import Bitcoin
import FlowSupport
import TapManager
import TestSupport

extension ServiceBench {
    /// Stores the wallet of a card's account at `m/84h/1h/0h`.
    static func storeWallet(_ name: String, of card: FlowBench, in store: MemoryStore) throws {
        let keys = try card.wallet()
        let path = try keys.accountPath(.p2wpkh)
        let text = AccountDescriptor(
            kind: .p2wpkh, origin: KeyOrigin(fingerprint: keys.fingerprint, path: path),
            key: try keys.extendedKey(path)
        ).text
        store.save(
            StoredWallet(
                name: name, network: .test, descriptors: [DescriptorText(stored: text)],
                created: UnixTime(seconds: 1)))
    }

    /// A PSBT as a client gives it, as JSON.
    static func json(_ psbt: PSBT) -> String { "\"\(psbt.base64Text)\"" }
}
