import Bitcoin
import ChainData
import ExplainedErrors
import FrontEndText
import QRCodes
import Settings
import SmartCard
import TapManager
import TapProtocol
import TapSimulator
import Terminal
import Testing

/// An error type with an example of each of its cases: from one to the next by a switch over all of them, so that the
/// compiler asks for an example of a new case.
protocol ExemplifiedError: ExplainedError {
    /// The example of the first case.
    static func first(_ sample: Sample) -> Self
    /// The example of the case behind this one; `nil` behind the last.
    func next(_ sample: Sample) -> Self?
    /// Further examples: what one case can say in several ways.
    static func others(_ sample: Sample) -> [Self]
}

extension ExemplifiedError {
    static func others(_ sample: Sample) -> [Self] { [] }

    /// An example of each case, and the others.
    static func examples(_ sample: Sample) -> [any ExplainedError] {
        Array(sequence(first: first(sample)) { $0.next(sample) }) + others(sample)
    }
}

/// What examples are made of.
struct Sample {
    let key: PublicKey
    let ident: CardIdent
    let address: Address
    let id: TransactionID
    let outpoint: Outpoint
    let certificate: CertificateFingerprint
    let path: DerivationPath
    let slot: SlotNumber
    let refusal: SigningRefusal
    let amounts: [Amount]
    let rate: FeeRate
    /// A simulated card that was set up.
    let card: CardAtHand

    init() async throws {
        key = try PrivateKey(SecretBytes([UInt8](repeating: 1, count: 32))).publicKey
        ident = CardIdent(of: key)
        address = try #require(Address(scriptPubKey: .p2wpkh(key), network: .main))
        id = try #require(TransactionID([UInt8](repeating: 0xAB, count: 32)))
        outpoint = Outpoint(transactionID: id, index: 3)
        certificate = try #require(CertificateFingerprint([UInt8](repeating: 0xCD, count: 32)))
        path = try DerivationPath(parsing: "m/84h/0h/0h")
        slot = SlotNumber(index: 2)
        let index = 1
        refusal = SigningRefusal(findings: [
            Finding(.refusal, .spentOutputUnknown, .input(index, outpoint), "the PSBT does not say what is spent."),
            Finding(.refusal, .transactionEmpty, .transaction, "The transaction has no outputs."),
        ])
        amounts = try [0, 700, 5_000].map { try #require(Amount(satoshis: $0)) }
        rate = try FeeRate(parsing: "2.5")
        var options = SimulatedCardOptions(product: .tapsigner)
        options.seed = [1]
        let reader = SimulatedReader(card: try SimulatedCard(options))
        let found = CardManager(
            store: MemoryStore(), readers: [SimulatedBackend([reader])], clock: { UnixTime(seconds: 0) })
        card = try await found.card()
    }

    /// Every example of every layer's errors.
    static func all() async throws -> [any ExplainedError] {
        let sample = try await Sample()
        let types: [any ExemplifiedError.Type] = [
            Amount.TextError.self, Amount.DecimalError.self, FeeRate.ParsingError.self, AddressError.self,
            DerivationPath.ParsingError.self, PaymentURIError.self, LabelFault.self, LabelFileError.self,
            MessageFault.self, DescriptorError.self, PSBTError.self, CoinSelectionError.self, BuildingError.self,
            ReaderError.self, TapError.self, CardError.self, TapLinkError.self, SimulatedCardError.self,
            ChainError.self, ChainServerError.self, NoChainServer.self,
            StoreError.self, StoreCopyError.self, WritingError.self, CertificatePinFile.Unreadable.self,
            CertificatePinFile.Lowered.self, WalletFault.self, WalletError.self, ReachFault.self, ExportError.self,
            BSMSDescriptorRecord.Fault.self, WalletFile.Fault.self, CosignerKeyText.Fault.self,
            PolicyKeyFault.self, PolicyTemplateError.self, SigningRefusal.self, CreationError.self, FeeError.self,
            SweepError.self,
            FlowError.self,
            CardSearchError.self,
            AddressProofError.self, RegistrationError.self, KitError.self, RehearsalError.self, AddressClaimError.self,
            SendingError.self,
            SettledError.self,
            TransactionSearchError.self,
            CardMemoryError.self, FailedProofs.self,
            LostBeforeSigning.self, NobodyToAsk.Absence.self,
            BackupFileError.self, OverwritingError.self, OtherNetwork.self, Declined.self, QRCodeError.self,
            NoPath.self, InputError.self, SettingError.self,
        ]
        return types.flatMap { $0.examples(sample) }
    }
}
