import Bitcoin
import Foundation
import Synchronization
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// The stores that must pass the same tests.
enum StoreKind: CaseIterable, Sendable, CustomTestStringConvertible {
    case memory
    case sqlite
    /// Closed and opened again before every call.
    case reopenedSQLite

    var testDescription: String {
        switch self {
        case .memory: "memory"
        case .sqlite: "SQLite"
        case .reopenedSQLite: "SQLite, reopened before every call"
        }
    }
}

/// An empty store to work with, in a folder that goes away with it.
final class StoreBench {
    private let folder: TemporaryFolder
    private let kept: (any Store)?

    init(_ kind: StoreKind) throws {
        folder = try TemporaryFolder()
        kept =
            switch kind {
            case .memory: MemoryStore()
            case .sqlite: try SQLiteStore.open(folder: folder.url.path, clock: Self.clock)
            case .reopenedSQLite: nil
            }
    }

    /// The store.
    var store: any Store {
        get throws { try kept ?? SQLiteStore.open(folder: folder.url.path, clock: Self.clock) }
    }

    /// A clock that stands still: 2026-11-22 01:02:03 UTC.
    static let clock: UnixClock = { UnixTime(seconds: 1_795_309_323) }
}

extension UnixTime: ExpressibleByIntegerLiteral {
    /// So many seconds.
    public init(integerLiteral value: Int64) { self.init(seconds: value) }
}

/// What goes into a store.
enum StoreSample {
    /// The record of the card with this number.
    static func card(
        _ number: UInt8, product: CardProduct = .tapsigner, fingerprint: Fingerprint? = nil, lastSeen: UnixTime = 1
    ) throws -> CardRecord {
        CardRecord(
            publicKey: try key(number), product: product, isTestnet: true, fingerprint: fingerprint, lastSeen: lastSeen)
    }

    /// An account that a card proved, of the wallet that has the card's number as its seed.
    static func account(_ number: UInt8, _ path: String = "m/84h/1h/0h") throws -> ProvenAccount {
        let path = try DerivationPath(parsing: path)
        let key = try SampleWallet(seed: number).extendedKey(path)
        let orphan = ExtendedPublicKey(
            network: key.network, depth: key.depth, childNumber: key.childNumber, chainCode: key.chainCode,
            publicKey: key.publicKey)
        return ProvenAccount(cardKey: try Self.key(number), path: path, key: orphan, proven: 8)
    }

    static func ident(_ number: UInt8) throws -> CardIdent { CardIdent(of: try key(number)) }

    private static func key(_ number: UInt8) throws -> PublicKey {
        try PrivateKey(SecretBytes([UInt8](repeating: number, count: 32))).publicKey
    }

    /// A PSBT with so many inputs of one key, each payment another transaction.
    static func psbt(payment: Int64 = 50_000, inputs: Int = 1) throws -> PSBT {
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [SampleWallet.Kind](repeating: .p2wpkh, count: inputs)
        recipe.payment = payment
        return try SampleWallet(seed: 1).psbt(recipe)
    }

    /// The same inputs and outputs in another transaction for each number: quickly made, when many are needed.
    static func variant(_ number: UInt32, of psbt: PSBT) throws -> PSBT {
        let transaction = psbt.unsignedTransaction
        var variant = try PSBT(
            unsignedTransaction: Transaction(
                version: transaction.version, inputs: transaction.inputs, outputs: transaction.outputs,
                lockTime: number))
        variant.setInputs(psbt.inputs)
        variant.setOutputs(psbt.outputs)
        return variant
    }

    /// A PSBT that two of these three must sign.
    static func multisig(inputs: Int = 1) throws -> (psbt: PSBT, cosigners: [SampleWallet]) {
        let cosigners = try (1...3).map { try SampleWallet(seed: $0) }
        return (try SampleMultisig(.p2wsh, cosigners).psbt(inputs: inputs), cosigners)
    }

    /// A signature by a cosigner; over what is nobody's business here.
    static func signature(
        _ psbt: PSBT, input: Int, by wallet: SampleWallet, salt: UInt8 = 1
    ) throws -> StoredSignature {
        guard let derivation = psbt.inputs[input].derivations.first(where: { $0.fingerprint == wallet.fingerprint })
        else { throw CocoaError(.coderInvalidValue) }
        let key = try wallet.master.descendant(derivation.path).privateKey
        let signature = key.signGrindingLowR(digest: Digest(hashing: [salt]))
        return StoredSignature(
            inputIndex: input, signature: PartialSignature(signature, by: key.publicKey), signer: wallet.fingerprint)
    }

    /// Puts one of everything into a store.
    static func fill(_ store: any Store) throws {
        try store.save(card(1, fingerprint: Fingerprint([1, 2, 3, 4])))
        try store.save(account(1))
        let psbt = try psbt(inputs: 2)
        _ = try store.merge(psbt, network: .test, wallet: "w", note: "n", at: 2)
        try store.add(signature(psbt, input: 1, by: SampleWallet(seed: 1)), to: psbt.unsignedTransaction.id, at: 3)
        try store.record(.backup(BackupState(file: "f")), of: ident(1), at: 4)
        try store.save(
            StoredBackup(
                card: ident(1), ciphertext: EncryptedBackup([UInt8](repeating: 7, count: 124)), count: 1, created: 5))
        let wallet = StoredWallet(name: "w", network: .test, descriptors: try descriptors(), created: 6)
        try store.save(wallet)
        try store.save(chain(), of: wallet, at: 9)
        try store.save([StoredLabel(type: "tx", reference: "ab", label: "l", isSpendable: true, origin: "o")])
    }

    /// The same key in two forms: a sound wallet.
    static func descriptors() throws -> [DescriptorText] {
        let key = "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
        return try ["wpkh(\(key))", "pkh(\(key))"].map { try #require(DescriptorText(Descriptor(parsing: $0))) }
    }

    /// Every call that reads, for what `fill` put in.
    static func reads(_ store: any Store) -> [() throws -> Void] {
        [
            { _ = try store.card(ident(1)) }, { _ = try store.cards() },
            { _ = try store.provenAccount(of: key(1), at: account(1).path) },
            { _ = try store.provenAccounts(of: key(1)) },
            { _ = try store.transaction(psbt(inputs: 2).unsignedTransaction.id) },
            { _ = try store.transactions(limit: 9, offset: 0) }, { _ = try store.transactionCount() },
            { _ = try store.transactionIDs(startingWith: "") }, { _ = try store.flows() },
            { _ = try store.flows(of: ident(1)) }, { _ = try store.backups(of: ident(1)) },
            { _ = try store.wallets() }, { _ = try store.labels() }, { _ = try store.chain(of: "w") },
            { _ = try store.takenCoins() }, { _ = try store.spenders() },
            { _ = try store.signaturesMadeHere(for: psbt(inputs: 2).unsignedTransaction.id) },
        ]
    }

    /// 32 bytes.
    private static let hash = String(repeating: "5a", count: 32)

    /// One state of each kind of flow, with the text in which the first release keeps it. These texts must stay
    /// readable.
    static func states() throws -> [(state: FlowState, json: String)] {
        let (code, id) = (ChainCode(repeating: 0x5A), try #require(TransactionID(parsing: hash)))
        return [
            (
                try .setup(
                    SetupState(
                        step: .backingUp, chainCode: code, path: DerivationPath(parsing: "m/84h/1h/0h"),
                        backupFile: "./ü b.aes",
                        isCVCChanged: true)),
                #"{"backupFile":"./ü b.aes","chainCode":"\#(hash)","isCVCChanged":true,"keepsCVC":false,"#
                    + #""path":"m/84h/1h/0h","step":"backingUp"}"#
            ),
            (
                .setup(
                    SetupState(
                        step: .pickingKey, chainCode: nil, path: nil, backupFile: nil, keepsCVC: true,
                        isCVCChanged: false)),
                #"{"isCVCChanged":false,"keepsCVC":true,"step":"pickingKey"}"#
            ),
            (.backup(BackupState(file: "b.aes")), #"{"file":"b.aes"}"#),
            (.changeCVC(ChangeCVCState()), "{}"),
            (
                try .derive(DeriveState(from: DerivationPath(parsing: "m"), to: DerivationPath(parsing: "m/84h"))),
                #"{"from":"m","to":"m/84h"}"#
            ),
            (
                .unseal(UnsealState(slotIndex: 3, address: "bc1q___x")), #"{"address":"bc1q___x","slotIndex":3}"#
            ),
            (.nextSlot(NextSlotState(slotIndex: 4, chainCode: code)), #"{"chainCode":"\#(hash)","slotIndex":4}"#),
            (
                try .sign(SignState(transaction: id, ownPath: DerivationPath(parsing: "m/84h/0h/0h"), total: 200)),
                #"{"ownPath":"m/84h/0h/0h","total":200,"transaction":"\#(hash)"}"#
            ),
        ]
    }
}
