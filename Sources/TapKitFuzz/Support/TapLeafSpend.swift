@testable import Bitcoin

/// A taproot output whose tree is one script.
struct TapLeafSpend {
    let scriptPubKey: Script
    let controlBlock: [UInt8]

    init(_ script: Script) {
        let root = TaprootLeaf.hash(version: 0xC0, script: script.bytes)
        let key = Array(PlanWallet.publicKey(0, DerivationPath()).bytes.dropFirst())
        let tweaked = required("a key is tweaked") { try TaprootOutputKey.tweak(internalKey: key, merkleRoot: root) }
        scriptPubKey = Script([0x51, 32] + tweaked.bytes)
        controlBlock = [tweaked.isOdd ? 0xC1 : 0xC0] + key
    }
}
