import Bitcoin
import Glibc
import SmartCard
import TapProtocol

@testable import TapManager

extension StoreError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .unsafe(path: "/s", reason: "others can write it") }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .unsafe: .newer(path: "/s")
        case .newer: .damaged(path: "/s", setAside: "/s.damaged-1")
        case .damaged: .damagedInUse(path: "/s", reason: "another process uses it")
        case .damagedInUse: .notWritable(path: "/s", reason: "the disk is read only")
        case .notWritable: .diskFull(path: "/s")
        case .diskFull: .busy(path: "/s")
        case .busy: .contradiction(sample.id, .conflict(PSBTFieldID(.input(1), 2)))
        case .contradiction: .noSuchTransaction(sample.id)
        case .noSuchTransaction: .coinsTaken([sample.outpoint: sample.id])
        case .coinsTaken: .walletExists("savings")
        case .walletExists: .noSuchWallet("savings")
        case .noSuchWallet: .unreadable(path: "/s", what: "a wallet's name")
        case .unreadable: .failed(path: "/s", reason: "disk I/O error (SQLite 10)")
        case .failed: nil
        }
    }
}

extension TransactionSearchError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .noID("xyz") }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .noID: .none("abab")
        case .none: .several("abab", sample.id, sample.id)
        case .several: .store(.busy(path: "/s"))
        case .store: nil
        }
    }
}

extension CardMemoryError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .none("ABC", known: [sample.ident]) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .none: .several("ABC", known: [sample.ident, sample.ident])
        case .several: .badName(" x")
        case .badName: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] { [.none("ABC", known: [])] }
}

extension WritingError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { Self(path: "/f", errorNumber: EEXIST) }

    func next(_ sample: Sample) -> Self? { errorNumber == EEXIST ? Self(path: "/f", errorNumber: ENOENT) : nil }

    static func others(_ sample: Sample) -> [Self] {
        [ENOSPC, EDQUOT, EACCES, ESTALE].map { Self(path: "/f", errorNumber: $0) }
    }
}

extension StoreCopyError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .store(.first(sample)) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .store: .file(.first(sample))
        case .file: .notWhole(path: "/copy", reason: "a table is missing")
        case .notWhole: .inMemory
        case .inMemory: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] {
        [ENOSPC, EACCES].map { .file(WritingError(path: "/copy", errorNumber: $0)) }
    }
}

extension CertificatePinFile.Unreadable: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { Self(path: "/servers.json") }

    func next(_ sample: Sample) -> Self? { nil }
}

extension CertificatePinFile.Lowered: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { Self(server: "example.org:50002") }

    func next(_ sample: Sample) -> Self? { nil }
}

extension NoChainServer: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { Self(task: .sweep) }

    func next(_ sample: Sample) -> Self? {
        switch task {
        case .sweep: Self(task: .holdings)
        case .holdings: Self(task: .send)
        case .send: Self(task: .synchronize)
        case .synchronize: nil
        }
    }
}

extension WalletFault: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .repeatedKey(descriptor: 1, 2, 3) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .repeatedKey: .differ(1, 2, .keys)
        case .differ: .unpaired(1, isChange: true)
        case .unpaired: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] {
        Difference.allCases.map { .differ(1, 2, $0) } + [.unpaired(1, isChange: false)]
    }
}

extension WalletError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .noSuchWallet("savings") }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .noSuchWallet: .walletExists("savings")
        case .walletExists: .badName("-x")
        case .badName: .descriptor(1, .malformed)
        case .descriptor: .unsound("savings", .repeatedKey(descriptor: 1, 2, 3))
        case .unsound: .privateKeys(1)
        case .privateKeys: .otherNetwork(1, wanted: .main)
        case .otherNetwork:
            .falseKey(KeyOrigin(fingerprint: Fingerprint(of: sample.key), path: sample.path), sample.ident)
        case .falseKey: .wrongNetwork("savings", .main, asked: .test)
        case .wrongNetwork: .sameKeys
        case .sameKeys: .sameDescriptor(2)
        case .sameDescriptor: .descriptorCount(limit: 9)
        case .descriptorCount: .notSynchronized("savings")
        case .notSynchronized: .impossibleBalance
        case .impossibleBalance: .tooManyAddresses(limit: 9)
        case .tooManyAddresses: .noAddress(.noSuchScript)
        case .noAddress: .noAddressForm
        case .noAddressForm: .chain(.cancelled)
        case .chain: .store(.busy(path: "/s"))
        case .store: nil
        }
    }
}

extension ReachFault: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .taproot }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .taproot: .notSignable(sample.path)
        case .notSignable: .unusualBranch(sample.path)
        case .unusualBranch: .keysApart
        case .keysApart: .farIndex(5_000, next: 3)
        case .farIndex: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] { [.farIndex(5_000, next: nil)] }
}

extension ExportError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .severalAccounts(2) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .severalAccounts: .unusualDescriptor(1)
        case .unusualDescriptor: .unsortedKeys(1)
        case .unsortedKeys: .unusualPolicy
        case .unusualPolicy: .lianaRule(.recoveryPaths)
        case .lianaRule: .oneBranch
        case .oneBranch: .multisigOnly
        case .multisigOnly: .cardsOnly
        case .cardsOnly: .cosignersPath(sample.path)
        case .cosignersPath: .noKind(sample.path)
        case .noKind: .noOrigin(1)
        case .noOrigin: .unusualPath(sample.path, usual: sample.path)
        case .unusualPath: .tooManyKeys(limit: 15)
        case .tooManyKeys: .badText
        case .badText: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] { LianaRule.allCases.map { .lianaRule($0) } }
}

extension OtherNetwork: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { OtherNetwork(of: .backup, .test, asked: .main) }

    func next(_ sample: Sample) -> Self? { nil }

    static func others(_ sample: Sample) -> [Self] { [OtherNetwork(of: .link, .main, asked: .regtest)] }
}

extension BSMSDescriptorRecord.Fault: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .notOpened }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .notOpened: .version
        case .version: .lines(3)
        case .lines: .restrictions("/0/*")
        case .restrictions: .tooManyPaths
        case .tooManyPaths: .pathTooDeep
        case .pathTooDeep: .tooManyMarks
        case .tooManyMarks: .descriptor(.malformed)
        case .descriptor: .address("bc1")
        case .address: .otherAddress(expected: sample.address.description)
        case .otherAddress: nil
        }
    }
}

extension SigningRefusal: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { sample.refusal }

    func next(_ sample: Sample) -> Self? { nil }
}

extension CreationError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .building(.first(sample)) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .building: .unknownCoin(sample.outpoint)
        case .unknownCoin: .takenCoin(sample.outpoint, by: sample.id)
        case .takenCoin: .immatureCoin(sample.outpoint)
        case .immatureCoin: .unconfirmedCoin(sample.outpoint)
        case .unconfirmedCoin: Self.heldBack(sample.amounts[1], sample.amounts[1], sample.amounts[2])
        case .heldBack: .notSpendable
        case .notSpendable: .noSuchSpendingPath(3, of: 2)
        case .noSuchSpendingPath: .notOpen(2, height: 900_000)
        case .notOpen: .taprootScript(2)
        case .taprootScript: .otherLockTime(2, needed: 900_000)
        case .otherLockTime: .uselessPreimage(1)
        case .uselessPreimage: .changeUnknown
        case .changeUnknown: .hasDescendant(sample.id)
        case .hasDescendant: .confirmed(sample.id)
        case .confirmed: .refused(sample.refusal)
        case .refused: .feeAboveSent(fee: sample.amounts[2], sent: sample.amounts[1])
        case .feeAboveSent: .opensDestination(sample.address)
        case .opensDestination: .wallet(.first(sample))
        case .wallet: .store(.first(sample))
        case .store: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] {
        let (none, some) = (sample.amounts[0], sample.amounts[1])
        return [heldBack(some, none, none), heldBack(none, some, none), heldBack(none, none, some)]
    }

    private static func heldBack(_ taken: Amount, _ frozen: Amount, _ unconfirmed: Amount) -> Self {
        .heldBack(needed: taken, available: frozen, taken: taken, frozen: frozen, unconfirmed: unconfirmed)
    }
}

extension FeeError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .noServer }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .noServer: .noEstimate
        case .noEstimate: .unbelievable(sample.rate)
        case .unbelievable: .chain(.first(sample))
        case .chain: nil
        }
    }
}

extension SweepError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .noneOpened }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .noneOpened: .nothingThere(server: "esplora:https://example.org", seesUnconfirmed: true)
        case .nothingThere: .onlyUnconfirmed(sample.amounts[1])
        case .onlyUnconfirmed: .nothingArrives
        case .nothingArrives: .otherSigned(sample.id)
        case .otherSigned: .otherCard
        case .otherCard: .noSweep(sample.id)
        case .noSweep: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] {
        [.nothingThere(server: "core:http://127.0.0.1:8332", seesUnconfirmed: false)]
    }
}

extension FlowError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .card(.first(sample)) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .card: .notGenuine(.development)
        case .notGenuine: .notSetUp
        case .notSetUp: .alreadySetUp
        case .alreadySetUp: .otherChainCode
        case .otherChainCode: .wouldChangeReadyCard(to: sample.path, changesCVC: true)
        case .wouldChangeReadyCard: .wrongProduct(.satscard, task: .signTransaction)
        case .wrongProduct: .badPath(sample.path)
        case .badPath: .unknownPath(sample.path)
        case .unknownPath: .refused(sample.refusal.findings)
        case .refused: .nothingToSign(card: .zero, named: [.zero], findings: sample.refusal.findings)
        case .nothingToSign:
            .backupNotSaved(
                BackupFile(path: WritingError.first(sample).path), errorNumber: WritingError.first(sample).errorNumber)
        case .backupNotSaved: .otherCardsBackup(backup: .zero, card: Fingerprint(of: sample.key))
        case .otherCardsBackup: .cvcInDoubt(.card(.reader(ReaderError(.cardRemoved, "The card was removed."))))
        case .cvcInDoubt: .neitherCVC(.atMost(1))
        case .neitherCVC: .unchangedCVC
        case .unchangedCVC: .triesSpent
        case .triesSpent: .keyNotOurs
        case .keyNotOurs: .slotUnused(sample.slot)
        case .slotUnused: .slotSealed(sample.slot)
        case .slotSealed: .noSuchSlot(sample.slot, count: 10)
        case .noSuchSlot: .usedUp
        case .usedUp: .unsupportedMessageFormat(.bip322Simple)
        case .unsupportedMessageFormat: .tampered
        case .tampered: .alteredWallet("family", by: .zero)
        case .alteredWallet: .otherWalletsCoin(registered: ["family"], by: .zero)
        case .otherWalletsCoin: .noRegistration(by: .zero)
        case .noRegistration: .registrationUnconfirmed
        case .registrationUnconfirmed: .store(.first(sample))
        case .store: .interrupted
        case .interrupted: .unexpected("Strange")
        case .unexpected: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] {
        [
            .notGenuine(.unknown(root: sample.key)), .wrongProduct(.tapsigner, task: .showSlots),
            .wrongProduct(.satschip, task: .backUp), .nothingToSign(card: .zero, named: [], findings: []),
            .cvcInDoubt(.interrupted), .cvcInDoubt(.store(.first(sample))), .cvcInDoubt(.card(.weakRandomness)),
        ]
    }
}

extension CardSearchError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .noCard(.any, others: []) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .noCard: .noSigner
        case .noSigner: .noFurtherCard
        case .noFurtherCard: .unreadable
        case .unreadable: .ambiguous([sample.card])
        case .ambiguous: .wrongNetwork(sample.card, asked: .signet)
        case .wrongNetwork: .noneCanSign(missing: [])
        case .noneCanSign: .otherFingerprint(sample.card, expected: .zero, found: Fingerprint(of: sample.key))
        case .otherFingerprint: .unknownFingerprints([sample.ident])
        case .unknownFingerprints: .tooFew(1, of: 3)
        case .tooFew: .obstacle(ReaderError.first(sample))
        case .obstacle: .timedOut(.reader, ReaderError.first(sample))
        case .timedOut: .interrupted
        case .interrupted: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] {
        [
            .noCard(.identContaining("ABCDE"), others: []), .noCard(.identContaining("ABCDE"), others: [sample.card]),
            .noCard(.fingerprint(.zero), others: []), .noCard(.fingerprint(.zero), others: [sample.card]),
            .noneCanSign(missing: [Fingerprint.zero]), .timedOut(.card, CardSearchError.noCard(.any, others: [])),
        ]
    }
}

extension AddressProofError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .falseKey(sample.path) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .falseKey: .otherPath(wallet: sample.path, card: DerivationPath())
        case .otherPath: .noKey(sample.ident, .zero, wallet: "savings")
        case .noKey: .noExtendedKey(sample.ident, .zero, wallet: "savings")
        case .noExtendedKey: .otherAddress(wallet: "savings")
        case .otherAddress: nil
        }
    }
}

extension AddressClaimError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .noDescriptor(.first(sample)) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .noDescriptor: .privateKey
        case .privateKey: .taproot
        case .taproot: .otherScript
        case .otherScript: .oneHolder(0, 2)
        case .oneHolder: .noOrigin
        case .noOrigin: .otherFingerprint(.zero)
        case .otherFingerprint: .noKey(sample.path)
        case .noKey: .falseKey(sample.path)
        case .falseKey: .notSignable(sample.path)
        case .notSignable: .noAddress
        case .noAddress: nil
        }
    }
}

extension NobodyToAsk.Absence: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .confirmation }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .confirmation: .cvc
        case .cvc: .backupKey
        case .backupKey: nil
        }
    }
}

extension SendingError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .notComplete(sample.id, missing: 2) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .notComplete: .notValid(sample.id, .input(1, .finalScriptsDoNotSpend))
        case .notValid: .chain(.first(sample))
        case .chain: .sentButNotKept(sample.id, .first(sample))
        case .sentButNotKept: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] {
        [.notComplete(sample.id, missing: 1), .notComplete(sample.id, missing: 0)]
    }
}

extension LostBeforeSigning: ExemplifiedError {
    static func first(_ sample: Sample) -> Self {
        Self(reason: .card(.reader(ReaderError(.cardRemoved, "The card was removed."))), done: 1, total: 3)
    }

    func next(_ sample: Sample) -> Self? { nil }
}

extension BackupFileError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .noFile("/dev/null") }

    func next(_ sample: Sample) -> Self? { if case .noFile = self { .writing(.first(sample)) } else { nil } }
}

extension OverwritingError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .exists("/f") }

    func next(_ sample: Sample) -> Self? { if case .exists = self { .notSignedForm("/f") } else { nil } }
}

extension Declined: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { Self() }

    func next(_ sample: Sample) -> Self? { nil }
}
