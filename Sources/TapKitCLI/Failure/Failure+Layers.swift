import Bitcoin
import ChainData
import ExplainedErrors
import Glibc
import SmartCard
import TapManager
import TapProtocol
import TapSimulator

/// How the errors of the layers below are told to people and programs.
extension Failure {
    /// Ctrl-C.
    static let interrupted = Failure(.interrupted, "Interrupted.")

    /// An error that no verb expects.
    init(unexpected error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as FlowError: self.init(error)
        case let error as TapError: self.init(error)
        case let error as ReaderError: self.init(error)
        case let error as TapLinkError: self.init(error)
        case let error as StoreError: self.init(error)
        case let error as WalletError: self.init(error)
        case let error as ChainError: self.init(error)
        case let error as CreationError: self.init(error)
        case let error as SimulatedCardError: self.init(error)
        case is CancellationError: self = .interrupted
        default: self.init(.internalError, "Unexpected: \(error)")
        }
    }

    init(_ error: ReaderError) {
        let code: ErrorCode =
            error.code == .cancelled ? .interrupted : ErrorCode(rawValue: error.code.rawValue) ?? .transportFailed
        self.init(code, error.message, hint: error.hint)
    }

    init(_ error: TapError) {
        if case .reader(let error) = error {
            self.init(error)
        } else if case .badResponse = error {
            self.init(
                .badResponse, error.message, hint: "\(error.hint) If it stays so, --trace shows what the card says.")
        } else {
            self.init(ErrorCode(rawValue: error.code) ?? .cardError, error.message, hint: error.hint)
            if case .badProof(.version, _) = error { self = hinting(Self.wayOutOfStore) }
            if case .badProof(.remembered, _) = error { self = hinting(Self.wayOutOfStore) }
        }
    }

    private static let wayOutOfStore = "tapkit store forget does that."

    init(_ error: FlowError) {
        switch error {
        case .card(let error): self.init(error)
        case .notGenuine(.development):
            self.init(.notGenuine, "This is a development card of the maker, not a genuine one.")
        case .notGenuine(let verdict):
            self.init(.notGenuine, "No accepted factory certified this card (\(verdict.rootDescription)).")
        case .notSetUp: self.init(.notSetUp, "The card has no key yet.")
        case .otherChainCode:
            self.init(
                .alreadySetUp, "The card's key has another chain code than the one supplied.",
                hint: "The key was made before with another chain code; leave --chain-code out to keep the key.")
        case .wrongProduct(let product, let task):
            self.init(.notSupported, "A \(product.displayName) cannot \(task).", hint: product.purpose)
        case .badPath(let path):
            self.init(
                .badPath, "A card cannot be moved to \(path).",
                hint: "Up to 8 hardened steps, for example m/84h/0h/0h.")
        case .refused(let refusal): self.init(refusal)
        case .nothingToSign(let card, let named, let findings):
            let names = named.isEmpty ? "none" : FindingText.list(named)
            self.init(
                .nothingToSign,
                lines: ["No input can be signed by the card with fingerprint \(card); the PSBT names: \(names)."]
                    + FindingText.lines(findings),
                hint: "Take the card, or the backup of the card, whose fingerprint the PSBT names, or add the card's "
                    + "derivations to the PSBT.")
        case .backupNotSaved(let error):
            self = Failure(error).prefixed(
                "The backup could not be saved; the card is unharmed and its CVC unchanged. ", hint: "")
        case .otherCardsBackup(let backup, let card):
            self.init(
                .otherCardsBackup,
                "This is the backup of another card: its master key's fingerprint is \(backup), this card's is \(card).",
                hint: "Lay the card on the reader that it was made with; tapkit backup makes one of this card.")
        case .cvcInDoubt(let lost):
            self.init(lost)
            self = prefixed(
                "The card was lost while its CVC was being changed; either one may hold. ",
                hint: "Lay the card on the reader and run the same command again: it finds out.")
        case .neitherCVC(let tries):
            let wrong = TapError.wrongCVC(tries)
            self.init(
                .wrongCVC,
                "An earlier run was interrupted while it changed the card's CVC, and neither of the two given now is right.",
                hint: "\(wrong.hint) The card has either the CVC from before that run, or the one that was chosen then."
            )
        case .triesSpent:
            self.init(
                .unprovenCVC,
                "The card was taken away while it was asked which CVC it has; a third try is not made by itself.",
                hint: "Make sure that both CVCs are right, leave the card on the reader, and run the command again.")
        case .keyNotOurs:
            self.init(
                .badProof,
                "The card's key has not the chain code that an earlier, interrupted run gave the card: either it was set up "
                    + "elsewhere since, or it chose its own, and cannot be trusted.",
                hint: "If you set it up elsewhere, name the chain code it was given there with --chain-code.")
        case .slotUnused(let slot):
            self.init(.slotUnused, "Slot \(slot) has no key yet.", hint: "tapkit setup gives the next slot one.")
        case .slotSealed(let slot): self.init(.slotSealed, "Slot \(slot) was not opened.")
        case .noSuchSlot(let slot, let count):
            self.init(.noSuchSlot, "The card has no slot \(slot): its slots are 1 to \(count).")
        case .usedUp:
            self.init(
                .cardUsedUp, "Every slot of the card was opened; none is left to be paid to.",
                hint: "tapkit slots lists them. Do not pay to this card any more.")
        case .tampered: self.init(.tampered, "The card says that somebody tampered with it.")
        case .unsupportedMessageFormat(let format):
            self.init(
                .badArgument, "\(format) is for P2WPKH addresses only.",
                hint: "Use --format bip137, or --address-type p2wpkh.")
        case .store(let error): self.init(error)
        case .interrupted: self = .interrupted
        case .unexpected(let type): self.init(.internalError, "An error of type \(type) that nobody expected.")
        }
    }

    init(_ error: StoreError) {
        switch error {
        case .unsafe(let path, let reason):
            self.init(
                .storeUnsafe, "The local store \(path) is not used: \(reason).",
                hint: "Make sure that it is yours and nobody else changed it, or name another folder with --data-dir.")
        case .newer(let path):
            self.init(
                .storeNewer, "A newer tapkit wrote the local store \(path); this one would damage it.",
                hint: "Use the newer tapkit, or another --data-dir.")
        case .damaged(let path, let setAside):
            self.init(
                .storeDamaged, "The local store \(path) is damaged. It was put aside as \(setAside).",
                hint: "Keep that file. Run the command again to begin with an empty store.")
        case .damagedInUse(let path, let reason):
            self.init(
                .storeDamaged, "The local store \(path) is damaged, and could not be put aside: \(reason).",
                hint: "End the other tapkit processes, and run tapkit store check.")
        case .notWritable(let path, let reason):
            self.init(
                .cannotWrite, "The local store \(path) cannot be written: \(reason).",
                hint: "Make its folder writable, or name another with --data-dir.")
        case .diskFull(let path):
            self.init(
                .diskFull, "The disk that holds the local store \(path) is full.",
                hint: "Make room, then run the command again. Nothing that was stored is lost.")
        case .busy(let path):
            self.init(
                .storeBusy, "Another process keeps the local store \(path) busy.", hint: "Run the command again.")
        case .contradiction(let id, let fault):
            self.init(
                .contradiction, "The PSBT contradicts the stored one of transaction \(id): \(fault).",
                hint: "Look at the stored one: tapkit tx show \(id). Delete the one that is wrong.")
        case .noSuchTransaction(let id):
            self.init(.noSuchTransaction, "There is no stored transaction \(id).", hint: "tapkit tx list shows them.")
        case .unreadable(let path, let what):
            self.init(
                .storeDamaged, "The local store \(path) holds something that cannot be read: \(what).",
                hint: "tapkit store check says more.")
        case .coinsTaken(let taken):
            let first = taken.sorted { "\($0.key)" < "\($1.key)" }.first
            let words = first.map { "\($0.key) is spent by \($0.value)" } ?? ""
            self.init(
                .coinsTaken, "Another stored transaction spends \(taken.count == 1 ? "a coin" : "coins"): \(words).",
                hint: "tapkit tx delete frees the coins of a transaction that is not to be sent.")
        case .walletExists(let name): self.init(WalletError.walletExists(name))
        case .noSuchWallet(let name): self.init(WalletError.noSuchWallet(name))
        case .failed(let path, let reason):
            self.init(.storeFailed, "The local store \(path) failed: \(reason).", hint: "tapkit store check says more.")
        }
    }

    init(_ error: TapLinkError) {
        self.init(error.isForgery ? .forgedLink : .badLink, error.message, hint: error.hint)
        isValid = false
    }

    init(_ error: SimulatedCardError) {
        self.init(ErrorCode(rawValue: error.code.rawValue) ?? .simFileFailed, error.message)
    }

    init(_ refusal: SigningRefusal) {
        self.init(
            .refused, lines: FindingText.lines(refusal.findings),
            hint: "Nothing was signed. Ask whoever made the PSBT.")
        findings = refusal.findings
    }

    init(_ error: AtomicFile.WritingError) {
        if error.errorNumber == EEXIST {
            self.init(
                .wouldOverwrite, "\(error.path) exists with other content, which may be another backup.",
                hint: "Name another file, or move it away, and run the command again.")
        } else {
            self.init(
                .cannotWrite, error.description,
                hint: "Name a file in a folder that can be written, and run the command again.")
        }
    }

    init(_ error: PSBTError, file: String) {
        self.init(.badPSBT, "\(file): \(error).", hint: "Export the PSBT again from the wallet that made it.")
    }
}

extension CardProduct {
    /// What such a card is for, to be said when it was asked for something else.
    fileprivate var purpose: String {
        switch self {
        case .satscard: "A SATSCARD has slots: tapkit slots, tapkit address, tapkit unseal."
        case .tapsigner: "A TAPSIGNER signs: tapkit xpub, tapkit sign. Slots are a SATSCARD's."
        case .satschip:
            "A SATSCHIP signs, as a TAPSIGNER does, but has neither slots nor a backup: its key is in this card alone."
        }
    }
}

extension CertificateVerdict {
    /// Which root certified the card, in words.
    var rootDescription: String {
        switch self {
        case .genuine: "the maker's factory"
        case .custom(let key): "the root \(key) that you accept"
        case .development: "the maker's development root"
        case .unknown(let key): "its certificates lead to the unknown root \(key)"
        }
    }

    /// The root itself, where it is none of the maker's.
    var rootKey: PublicKey? {
        switch self {
        case .genuine, .development: nil
        case .custom(let key), .unknown(let key): key
        }
    }

    /// Whether the root is one of the simulator's, so that the card is known to be simulated.
    var isSimulator: Bool { simulatorRoot != nil }

    /// Which of the simulator's roots certified the card, in words.
    var simulatorRoot: String? {
        let factory = SimulatedFactory.allCases.first { (try? $0.rootKey) == rootKey && rootKey != nil }
        return switch factory {
        case .standard: "the simulator's root"
        case .development: "the simulator's development root"
        case nil: nil
        }
    }
}
