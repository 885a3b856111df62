/// Every method, in the order in which they are described.
enum MethodList {
    static let all: [any ServiceMethod.Type] = [
        VersionMethod.self, DiscoverMethod.self, CancelMethod.self, SnapshotMethod.self, SubscribeMethod.self,
        UnsubscribeMethod.self, ReadersMethod.self, CardsMethod.self, CardProveMethod.self, CardSetupMethod.self,
        CardBackupMethod.self, BackupVerifyMethod.self, SlotsMethod.self,
        WalletsMethod.self, WalletAddMethod.self, WalletShowMethod.self, WalletSyncMethod.self,
        WalletReceiveMethod.self, WalletHistoryMethod.self, WalletLabelMethod.self, WalletRegisterMethod.self,
        WalletRemoveMethod.self,
        TransactionsMethod.self, TransactionShowMethod.self, TransactionCreateMethod.self, TransactionBumpMethod.self,
        TransactionDeleteMethod.self,
        ReviewMethod.self, SignMethod.self, SendMethod.self, SweepMethod.self, LeaseRequestMethod.self,
        LeaseListMethod.self, LeaseRevokeMethod.self, DoctorMethod.self, QRMethod.self,
    ]

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// The methods that a processor has.
    static func offered(by processor: ServiceProcessor) -> [any ServiceMethod.Type] {
        all.filter { $0.isOffered(by: processor) }
    }

    /// Why a method is not carried out that does not exist.
    static let unknown = RPCFault(.methodNotFound, "There is no such method; rpc.discover lists them.")

    /// Carries out a call.
    /// - Throws: `RPCFault`, and what the method throws.
    static func run(
        _ call: RPCCall, for client: ServiceClient, of processor: ServiceProcessor
    ) async throws -> ServiceAnswer {
        guard let method = byName[call.method], method.isOffered(by: processor) else { throw unknown }
        let arguments = try Arguments(
            call.arguments, for: method.parameters, of: client.trust, usually: processor.network)
        return try await method.init(arguments).run(ServiceCall(id: call.id, client: client, processor: processor))
    }
}
