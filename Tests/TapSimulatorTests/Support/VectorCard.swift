import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

@testable import TapSimulator

/// The card behind the published vectors: one card key, one signer key, CVC 123456.
enum VectorCard {
    static let file = "coinkite/cktap.json"
    static let cvc = "123456"

    /// The rows of some kinds; none is a failure.
    static func rows(_ kinds: String...) throws -> [VectorRow] {
        let rows = try Vectors.load(file, kinds: Set(kinds))
        try #require(!rows.isEmpty)
        return rows
    }

    /// The card key that every row uses.
    static func cardKey() throws -> PrivateKey {
        try PrivateKey(SecretBytes(try rows("xcvc")[0].bytes("card_private_key")))
    }

    /// The signer key that every row uses, with a path.
    static func signerKey(path: [UInt32] = SignerKey.startingPath) throws -> SignerKey {
        let row = try rows("backup")[0]
        let key = try PrivateKey(SecretBytes(try row.bytes("master_private_key")))
        return SignerKey(master: PickedKey(masterKey: key, chainCode: try row.bytes("chain_code")), path: path)
    }

    /// A TAPSIGNER with that key.
    static func tapsigner(
        path: [UInt32] = SignerKey.startingPath, backups: Int = 1, aesKey: [UInt8] = [UInt8](repeating: 0x41, count: 16)
    ) throws -> ProductState {
        .tapsigner(
            TapsignerState(aesKey: StoredSecret(aesKey), backups: backups, key: try signerKey(path: path)))
    }

    /// A SATSCARD whose slot `active` holds `key`, with all before it opened.
    static func satscard(active: Int, key: PickedKey) -> ProductState {
        var slots = [SlotState](repeating: .unused, count: SatscardState.slotCount)
        for slot in 0..<active { slots[slot] = .unsealed(key) }
        slots[active] = .sealed(key)
        return .satscard(SatscardState(slots: slots))
    }

    /// A card under power and selected, at a nonce.
    static func core(
        _ content: ProductState, nonce: [UInt8] = [UInt8](0..<16), network: SimulatedNetwork = .main,
        version: AppletVersion = .newest, cvc: String = cvc, unluckyPercent: Int = 0
    ) throws -> CardCore {
        let key = try cardKey()
        let state = SimulatedCardState(
            network: network, version: version, birth: 700_553, factory: .standard, cardKey: StoredSecret(key.secret),
            certificates: [], seed: nil, unluckyPercent: unluckyPercent, signsDeriveWithDerivedKey: false,
            cvc: StoredSecret(Array(cvc.utf8)), content: content)
        try state.validate()
        var core = CardCore(state: state)
        core.powerOn()
        core.power?.nonce = nonce
        core.power?.application = .tap
        return core
    }
}

extension CardCore {
    /// Runs a request to its decoded answer.
    mutating func run(_ request: CBORMap) throws -> CBORMap { try run(CBOREncoder.encode(.map(request))) }

    /// Runs a request to its decoded answer.
    mutating func run(_ request: [UInt8]) throws -> CBORMap {
        guard case .map(let map) = try CBORDecoder.decode(answer(toRequest: request)) else {
            Issue.record("The answer is no map.")
            return [:]
        }
        return map
    }
}

extension VectorRow {
    /// The numbers of a field; a missing one fails the test.
    func numbers(_ key: String) throws -> [UInt64] {
        try #require(self[key, as: [NSNumber].self]).map(\.uint64Value)
    }

    /// The public key of a hexadecimal field.
    func publicKey(_ key: String) throws -> PublicKey { try PublicKey(try bytes(key)) }
}
