import Bitcoin
import ByteCodec
import ExplainedErrors
import TapProtocol

/// Why a kit is not used.
package enum KitError: Error, Sendable, Equatable {
    /// There is no such folder.
    case noFolder(String)
    /// The folder has no file of this name.
    case missing(KitFile.Name)
    /// It is a link, a folder or a device, or cannot be read.
    case noFile(KitFile.Name)
    /// The file is larger than any of a kit.
    case tooLarge(KitFile.Name)
    /// The file is not what it should be.
    case malformed(KitFile.Name)
    /// The file has more of something than any of a kit.
    case excess(KitFile.Name, JSONFault.Reason)
    /// This file is missing or not the main document's, or the main document is missing, and one of a newer kit lies
    /// there under a temporary name: as after writing was cut off, which somebody who altered the kit can imitate.
    case mixed(KitFile.Name)
    /// A later program wrote the kit.
    case newer
    /// The wallet in the kit is none.
    case wallet(WalletError)
    /// It is a taproot wallet, for which no card signs.
    case taproot
    /// The wallet's policy has more spending paths than are listed, or the kit would be too large to be read again: nobody
    /// could say how to take them, or rehearse it.
    case tooManyPaths
    /// It is the kit of a wallet with this name and other descriptors.
    case otherWallet(String, asked: String)
    /// The kit was altered.
    case altered(KitDifference)
    /// The local store did not write this kit: only its descriptors are known to be the stored wallet's.
    case unknown
}

/// What of a kit is not as it was written, or not as the stored wallet.
package enum KitDifference: Sendable, Hashable {
    /// The file is another one than the main document says, or contradicts it.
    case file(KitFile.Name)
    /// What the main document says about this does not follow from its descriptors.
    case derived(String)
    /// The stored wallet is on another network than the kit's.
    case network(Network)
    /// The number of descriptors differs from the stored wallet's: the kit's.
    case descriptorCount(Int)
    /// The stored wallet's descriptor of this number, from 1, is another one.
    case descriptor(Int)
    /// The store knows another card with this fingerprint.
    case card(Fingerprint)
}

extension KitError: ExplainedError {
    /// A bad file, or a failed proof.
    package var code: ErrorCode {
        switch self {
        case .noFolder: .noInputFile
        case .missing, .noFile, .tooLarge, .malformed, .excess, .newer, .wallet, .otherWallet: .badKit
        case .taproot, .tooManyPaths: .notSupported
        case .altered, .mixed, .unknown: .alteredKit
        }
    }

    /// What is wrong with which file.
    package var message: String {
        switch self {
        case .noFolder(let path): "There is no folder \(path), or it cannot be read."
        case .missing(let name): "The kit has no file \(name.rawValue)."
        case .noFile(let name): "\(name.rawValue) of the kit is not a file that can be read; links are not followed."
        case .tooLarge(let name): "\(name.rawValue) of the kit is larger than \(KitFolder.limit) bytes."
        case .malformed(let name): "\(name.rawValue) of the kit is damaged, or is not one of a kit."
        case .excess(let name, let reason):
            "\(name.rawValue) of the kit has \(ReadKit.bounds.excess(reason) ?? "too much")."
        case .mixed(.document):
            "The kit has no file \(KitFile.Name.document.rawValue): either writing it was cut off, or somebody altered "
                + "it."
        case .mixed(let name):
            "\(name.rawValue) is missing, or is not the file that belongs to \(KitFile.Name.document.rawValue): either "
                + "writing a newer kit was cut off, or somebody altered the kit."
        case .newer: "A later version of this program wrote the kit."
        case .wallet(let error): "The wallet in the kit cannot be used: \(error.message)"
        case .taproot: "Tap cards and their backups do not sign for taproot, so there is no kit of a taproot wallet."
        case .tooManyPaths:
            "The wallet has too many spending paths or keys for a kit that could be read again: a kit lists at most "
                + "\(SpendingPolicy<DescriptorKey>.maximumPathCount) paths, and its files have at most \(KitFolder.limit) "
                + "bytes and \(ReadKit.bounds.valueCount) values each."
        case .otherWallet(let name, let asked): "This is the kit of “\(name)”, not of “\(asked)”."
        case .altered(let difference):
            difference.isBetweenKitAndStore
                ? "The kit and the local store differ, so that one of them was altered: \(difference.words)"
                : "The kit was altered: \(difference.words)"
        case .unknown:
            "The local store does not know this kit: only its descriptors are the wallet's, and somebody else may have "
                + "written the rest, with what it tells heirs to do."
        }
    }

    /// What to do about it.
    package var remedy: String {
        switch self {
        case .noFolder, .missing, .noFile, .tooLarge, .malformed, .excess:
            "Use another copy of the kit, or write a new one."
        case .mixed:
            "Write the kit again in its place. If nobody was writing one, do not use this copy, and find out who had "
                + "it."
        case .newer: "Update this program."
        case .wallet: ""
        case .taproot: "Back up its keys with the program that signs for it, and keep the descriptors with them."
        case .tooManyPaths: "Keep its descriptors with the backups of its keys, and write down how it can be spent."
        case .otherWallet: "Use the kit of the wallet, or name the wallet of the kit."
        case .altered(let difference) where difference.isBetweenKitAndStore:
            "Do not pay to the wallet's addresses until you know which of them is right: compare both with what another "
                + "holder of the wallet has."
        case .altered:
            "Do not use this copy, and do not pay to its addresses. Find out who had it, and write a new kit."
        case .unknown:
            "If the wallet was removed and added again since, or the kit was written on another computer, write a new kit in "
                + "its place. Otherwise do not use this copy, and find out who had it."
        }
    }
}

extension KitDifference {
    /// Whether the kit is whole, and says something else than the local store.
    fileprivate var isBetweenKitAndStore: Bool {
        switch self {
        case .file, .derived: false
        default: true
        }
    }

    /// The difference, as a sentence.
    fileprivate var words: String {
        switch self {
        case .file(let name): "\(name.rawValue) is not the file that was written."
        case .derived(let section): "“\(section)” in \(KitFile.Name.document.rawValue) does not match the descriptors."
        case .network(let network): "the kit's wallet is on another network, \(network)."
        case .descriptorCount(let count):
            "the kit's number of descriptors, \(count), differs from the stored wallet's."
        case .descriptor(let number): "descriptor \(number) of the kit is not the stored wallet's."
        case .card(let fingerprint): "the kit names another card for the key \(fingerprint) than the local store."
        }
    }
}
