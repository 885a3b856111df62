import Bitcoin
import ByteCodec
import TapSimulator

@testable import TapProtocol

/// The keys of one card that answers have shown. A key never changes once it was picked: what contradicts an earlier
/// answer is a disagreement.
struct ModelKeys {
    private(set) var accounts: [DerivationPath: ExtendedPublicKey] = [:]
    private(set) var keys: [DerivationPath: PublicKey] = [:]
    private(set) var slotKeys: [Int: PublicKey] = [:]
    private(set) var slotOrigins: [Int: SlotOrigin] = [:]
    /// Both ends of the addresses that `status` showed.
    private(set) var addresses: [Int: TrimmedAddress] = [:]

    /// The key at a path below the master key, if it is known or follows.
    func key(at path: DerivationPath) throws -> PublicKey? {
        if let key = keys[path] { return key }
        let account = path.hardenedPart
        return try accounts[account]?.descendant(DerivationPath(path.steps.dropFirst(account.steps.count))).publicKey
    }

    mutating func learn(_ key: PublicKey, at path: DerivationPath) throws {
        if let known = try self.key(at: path) {
            try agree(known == key, "the key at \(path) is not the one that was shown before")
        }
        keys[path] = key
    }

    mutating func learn(_ account: ExtendedPublicKey, at path: DerivationPath) throws {
        if accounts[path] == account { return }
        try learn(account.publicKey, at: path)
        if let known = accounts[path] {
            try agree(known == account, "the extended key at \(path) is not the one that was shown before")
        }
        accounts[path] = account
        for (below, key) in keys where below != path && below.hardenedPart == path {
            let steps = DerivationPath(below.steps.dropFirst(path.steps.count))
            try agree(
                try account.descendant(steps).publicKey == key,
                "the key at \(below) does not follow from that at \(path)")
        }
    }

    mutating func learn(_ key: PublicKey, of slot: Int) throws {
        try agree(slotKeys[slot] ?? key == key, "the key of slot \(slot) is not the one that was shown before")
        slotKeys[slot] = key
        try agreeOnAddress(of: slot)
    }

    mutating func learn(_ address: TrimmedAddress, of slot: Int) throws {
        try agree(addresses[slot] ?? address == address, "the address of slot \(slot) is not the one shown before")
        addresses[slot] = address
        try agreeOnAddress(of: slot)
    }

    mutating func learn(_ origin: SlotOrigin, of slot: Int) throws {
        let known = slotOrigins[slot]
        try agree(known ?? origin == origin, "slot \(slot) follows from another key than was shown before")
        if known == nil {
            let master = ExtendedPublicKey(network: .main, chainCode: origin.chainCode, publicKey: origin.masterKey)
            try learn(try master.child(ChildNumber(rawValue: 0)).publicKey, of: slot)
        }
        slotOrigins[slot] = origin
    }

    private func agreeOnAddress(of slot: Int) throws {
        guard let address = addresses[slot], let key = slotKeys[slot] else { return }
        let networks: [Network] = [.main, .test]
        let isRight = networks.contains { network in
            Script.p2wpkh(keyHash: key.hash160).flatMap { Address(scriptPubKey: $0, network: network) }
                .map(address.matches) ?? false
        }
        try agree(isRight, "the key of slot \(slot) has another address than the card showed")
    }

    /// Compares everything with what the simulated card holds.
    func compare(with record: SimulatedCardRecord) throws {
        if let text = try record.masterKey {
            let master = try ExtendedPrivateKey(parsing: text)
            for (path, account) in accounts {
                let held = try master.descendant(path).neutered
                try agree(
                    held.publicKey == account.publicKey && held.chainCode == account.chainCode,
                    "the card holds another key at \(path)")
            }
            // The others were compared with these when they were shown.
            for (path, key) in keys where accounts[path.hardenedPart] == nil {
                try agree(
                    try master.descendant(path).privateKey.publicKey == key, "the card holds another key at \(path)")
            }
        } else {
            try agree(keys.isEmpty && accounts.isEmpty, "keys of a card without one")
        }
        for (slot, key) in slotKeys {
            try agree(try record.slotKey(slot)?.publicKey == key, "the card holds another key in slot \(slot)")
        }
    }
}

extension DerivationPath {
    /// The steps up to the first that is not hardened.
    fileprivate var hardenedPart: DerivationPath { DerivationPath(steps.prefix(while: \.isHardened)) }
}

/// Where the model and the code under test are not of one mind.
struct Disagreement: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Throws a disagreement unless the condition holds.
func agree(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
    if !condition { throw Disagreement(problem()) }
}

extension SimulatedCardRecord {
    /// The private key of a slot; `nil` for an unused one.
    func slotKey(_ slot: Int) throws -> PrivateKey? {
        guard let keys = try slotKeys, keys.indices.contains(slot), let text = keys[slot] else { return nil }
        return try PrivateKey(SecretBytes(Hex.decode(text)))
    }
}
