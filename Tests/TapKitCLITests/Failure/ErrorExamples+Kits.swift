import Bitcoin
import TapManager

extension KitError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .noFolder("kit") }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .noFolder: .missing(.readMe)
        case .missing: .noFile(.document)
        case .noFile: .tooLarge(.page)
        case .tooLarge: .malformed(.core)
        case .malformed: .excess(.document, .valueCount)
        case .excess: .mixed(.core)
        case .mixed: .newer
        case .newer: .wallet(.first(sample))
        case .wallet: .taproot
        case .taproot: .tooManyPaths
        case .tooManyPaths: .otherWallet("home", asked: "family")
        case .otherWallet: .unknown
        case .unknown: .altered(.file(.descriptors))
        case .altered: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] {
        let differences: [KitDifference] = [
            .derived("paths"), .network(.test), .descriptorCount(2), .descriptor(1), .card(.zero),
        ]
        return differences.map { .altered($0) } + [.mixed(.document)]
    }
}

extension RehearsalError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .strangeBackup(.zero) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .strangeBackup: .sameBackup(.zero)
        case .sameBackup: .falseKey(KeyOrigin(fingerprint: .zero, path: DerivationPath()))
        case .falseKey: .notSpendable(path: 2, "the scripts of input 0 do not spend its coin")
        case .notSpendable: .notLocked(path: 2)
        case .notLocked: .noPaths("family")
        case .noPaths: .tooManyBranches(20)
        case .tooManyBranches: nil
        }
    }
}
