import Bitcoin
import ByteCodec
import TapManager

extension PolicyKeyFault: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .key(.encoding) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .key: .privateKey
        case .privateKey: .notExtended
        case .notExtended: .noOrigin
        case .noOrigin: .steps
        case .steps: nil
        }
    }
}

extension PolicyTemplateError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .tooFewKeys }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .tooFewKeys: .tooManyKeys(21)
        case .tooManyKeys: .noLaterKeys
        case .noLaterKeys: .needlessLaterKeys
        case .needlessLaterKeys: .threshold(3, of: 2)
        case .threshold: .laterThreshold(2, of: 1)
        case .laterThreshold: .notFewer(2, than: 2)
        case .notFewer: .blocks(65_536)
        case .blocks: .sameKey(1, 2)
        case .sameKey: .sameHolder(1, 2, .zero)
        case .sameHolder: .otherNetwork(2)
        case .otherNetwork: .unsafe(.tooManyOperations(202))
        case .unsafe: .unusable(.tooDeep)
        case .unusable: nil
        }
    }
}

extension CosignerKeyText.Fault: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .key(.noOrigin) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .key: .lines(2)
        case .lines: .signature
        case .signature: .record
        case .record: nil
        }
    }
}

extension WalletFile.Fault: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .empty }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .empty: .json
        case .json: .excess(.valueCount)
        case .excess: .noDescriptor
        case .noDescriptor: .accounts(2)
        case .accounts: .version(1)
        case .version: .network("liquid")
        case .network: .otherNetwork(.main, asked: .regtest)
        case .otherNetwork: .taproot
        case .taproot: .record(.version)
        case .record: nil
        }
    }
}
