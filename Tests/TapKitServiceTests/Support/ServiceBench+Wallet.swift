import Bitcoin
import FlowSupport
import TapManager
import TestSupport
import Testing

extension ServiceBench {
    /// Stores the wallet of a card's accounts of these kinds, such as the one at `m/84h/1h/0h`.
    static func storeWallet(
        _ name: String, of card: FlowBench, kinds: [SampleWallet.Kind] = [.p2wpkh], in store: MemoryStore
    ) throws {
        let keys = try card.wallet()
        let descriptors = try kinds.map { kind in
            let path = try keys.accountPath(kind)
            return AccountDescriptor(
                kind: try #require(ScriptKind(accountPath: path)),
                origin: KeyOrigin(fingerprint: keys.fingerprint, path: path),
                key: try keys.extendedKey(path)
            ).text
        }
        store.save(
            StoredWallet(
                name: name, network: .test, descriptors: descriptors.map(DescriptorText.init(stored:)),
                created: UnixTime(seconds: 1)))
    }

    /// A PSBT as a client gives it, as JSON.
    static func json(_ psbt: PSBT) -> String { "\"\(psbt.base64Text)\"" }
}
