import Bitcoin
import ByteCodec

extension Amount.TextError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .empty }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .empty: .unitMissing
        case .unitMissing: .unknownUnit
        case .unknownUnit: .number(.empty)
        case .number: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] {
        [.number(.notDecimal), .number(.belowOneSatoshi), .number(.aboveMaximum)]
    }
}

extension Amount.DecimalError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .empty }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .empty: .notDecimal
        case .notDecimal: .belowOneSatoshi
        case .belowOneSatoshi: .aboveMaximum
        case .aboveMaximum: nil
        }
    }
}

extension FeeRate.ParsingError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .empty }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .empty: .notDecimal
        case .notDecimal: .tooPrecise
        case .tooPrecise: .zero
        case .zero: .aboveMaximum
        case .aboveMaximum: nil
        }
    }
}

extension AddressError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .notBech32(.mixedCase) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .notBech32: .notBase58Check(.checksum)
        case .notBase58Check: .unknownPrefix("xy")
        case .unknownPrefix: .unknownVersion(9)
        case .unknownVersion: .hashLength(19)
        case .hashLength: .witnessVersion(17)
        case .witnessVersion: .programLength(version: 0, length: 21)
        case .programLength: .checksumVariant(version: 1)
        case .checksumVariant: .wrongNetwork(asked: .main, found: [.test, .signet])
        case .wrongNetwork: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] { [.witnessVersion(nil)] }
}

extension DerivationPath.ParsingError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .emptyStep }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .emptyStep: .notANumber("x")
        case .notANumber: .outOfRange("2147483648")
        case .outOfRange: .tooLong
        case .tooLong: nil
        }
    }
}

extension PaymentURIError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .notBitcoinScheme }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .notBitcoinScheme: .doubleSlash
        case .doubleSlash: .addressCharacter(32)
        case .addressCharacter: .queryCharacter(32)
        case .queryCharacter: .percentEncoding
        case .percentEncoding: .notUTF8
        case .notUTF8: .emptyKey
        case .emptyKey: .unknownRequiredParameters(["req-x", "req-y"])
        case .unknownRequiredParameters: .repeatedParameter("amount")
        case .repeatedParameter: .amount(.empty)
        case .amount: .addressUnderOtherKey("tb")
        case .addressUnderOtherKey: .nothingToPayTo
        case .nothingToPayTo: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] {
        [.amount(.notDecimal), .amount(.belowOneSatoshi), .amount(.aboveMaximum)]
    }
}

extension LabelFault: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .tooLong }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .tooLong: .notJSON(offset: 4)
        case .notJSON: .notObject
        case .notObject: .tooDeep
        case .tooDeep: .endlessLetter
        case .endlessLetter: .missing("ref")
        case .missing: .notText("label")
        case .notText: .repeated("ref")
        case .repeated: .spendable
        case .spendable: .reference
        case .reference: nil
        }
    }
}

extension LabelFileError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .tooLarge(limit: 9) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .tooLarge: .tooManyLines(limit: 9)
        case .tooManyLines: .line(3, .notObject)
        case .line: nil
        }
    }
}

extension MessageFault: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .empty }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .empty: .tooLarge(limit: 9)
        case .tooLarge: .notBase64(.incomplete)
        case .notBase64: .unknownFormat
        case .unknownFormat: .signatureLength(64)
        case .signatureLength: .header(26)
        case .header: .signatureOutOfRange
        case .signatureOutOfRange: .noKeyRecovered
        case .noKeyRecovered: .otherAddress
        case .otherAddress: .malformedWitness(.trailingBytes(count: 1))
        case .malformedWitness: .malformedTransaction(.emptyWitnesses)
        case .malformedTransaction: .malformedPSBT(.wrongMagic)
        case .malformedPSBT: .notFinal(input: 0)
        case .notFinal: .spentOutput(input: 0)
        case .spentOutput: .otherMessageOrAddress
        case .otherMessageOrAddress: .outputs
        case .outputs: .inputs
        case .inputs: .amounts
        case .amounts: .script(input: 0, .evaluatedFalse)
        case .script: .transactionVersion(3)
        case .transactionVersion: .unknownFunds
        case .unknownFunds: nil
        }
    }
}

extension DescriptorError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .checksum(.mismatch) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .checksum: .malformed
        case .malformed: .tooDeep
        case .tooDeep: .functionNotAllowed("wsh")
        case .functionNotAllowed: .misplacedMiniscript("and_v")
        case .misplacedMiniscript: .miniscript(.malleable)
        case .miniscript: .key(.origin)
        case .key: .uncompressedKey
        case .uncompressedKey: .threshold
        case .threshold: .tooManyKeys(17, limit: 16)
        case .tooManyKeys: .tooManyDerivations
        case .tooManyDerivations: .address
        case .address: .script
        case .script: .multipathLengths
        case .multipathLengths: .hardenedStep
        case .hardenedStep: .noSuchScript
        case .noSuchScript: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] {
        let faults: [DescriptorKeyFault] = [.encoding, .step, .noChildren, .multipath, .tooManyBranches, .tooDeep]
        return [.checksum(.character(offset: 3)), .checksum(.length(7))] + faults.map { .key($0) }
    }
}

extension PSBTError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .empty }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .empty: .tooLarge(limit: 9)
        case .tooLarge: .wrongMagic
        case .wrongMagic: .base64(.incomplete)
        case .base64: .hexadecimal(.oddLength(3))
        case .hexadecimal: .malformed(.input(1), .trailingBytes(count: 1))
        case .malformed: .tooManyRecords(limit: 9)
        case .tooManyRecords: .trailingBytes(count: 2)
        case .trailingBytes: .unsupportedVersion(1)
        case .unsupportedVersion: .field(PSBTFieldID(.input(1), 2), .duplicate)
        case .field: .transactionTooLarge(limit: 9)
        case .transactionTooLarge: .noSuchInput(4)
        case .noSuchInput: .otherTransaction(sample.id)
        case .otherTransaction: .conflict(PSBTFieldID(.input(1), 2))
        case .conflict: .input(1, .notFinal)
        case .input: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] {
        let fields: [PSBTFieldFault] = [
            .missing, .notInVersion(.v2), .keyDataLength(3), .keyData(.trailingBytes(count: 1)), .invalidPublicKey,
            .valueLength(3), .value(.trailingBytes(count: 1)), .notASignature, .transaction(.emptyWitnesses),
            .transactionTooLarge(limit: 9), .alreadySigned, .transactionVersion(0), .notALockTime(5),
            .otherKindOfLockTime, .otherTransaction(sample.id), .noSuchOutput(7), .depth(1, pathLength: 2),
            .incompleteTapTree, .notUTF8, .wrongPreimage,
        ]
        let inputs: [PSBTInputFault] = [
            .spentOutputMissing, .previousTransactionMissing, .contradictingSpentOutputs, .amountOutOfRange,
            .script(.redeemScriptMissing), .redeemScriptTooLong(600), .notECDSA, .sighashTypeNotStandard(.all),
            .otherCoin, .otherDemand, .otherSighashType(.none, demanded: .all), .noOutputForSingle,
            .invalidSignature(publicKey: sample.key.bytes), .finalScriptsDoNotSpend,
        ]
        return fields.map { .field(PSBTFieldID(.global, 0), $0) } + inputs.map { .input(0, $0) }
    }
}

extension CoinSelectionError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .noPayments }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .noPayments: .dust(payment: 0, limit: sample.amounts[1])
        case .dust: .amountsOverflow
        case .amountsOverflow: .noneEconomical
        case .noneEconomical: .insufficient(needed: sample.amounts[2], available: sample.amounts[1])
        case .insufficient: .tooHeavy(limit: 400_000)
        case .tooHeavy: nil
        }
    }
}

extension BuildingError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .selection(.noPayments) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .selection: .duplicateCoin(sample.outpoint)
        case .duplicateCoin: .noSuchCoin(sample.outpoint)
        case .noSuchCoin: .weightUnknown(sample.outpoint)
        case .weightUnknown: .previousTransactionMissing(sample.outpoint)
        case .previousTransactionMissing: .noSuchOutput(sample.outpoint)
        case .noSuchOutput: .coinDiffers(sample.outpoint)
        case .coinDiffers: .psbt(.input(1, .notECDSA))
        case .psbt: .notReplaceable
        case .notReplaceable: .rateNotHigher(than: sample.rate)
        case .rateNotHigher: .noSuchChange(4)
        case .noSuchChange: .amountsOverflow
        case .amountsOverflow: nil
        }
    }
}
