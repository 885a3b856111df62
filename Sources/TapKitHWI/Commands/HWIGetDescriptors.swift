import Bitcoin
import TapManager

/// `hwi getdescriptors`: the descriptors of an account, for every type of output that the card can sign for.
struct HWIGetDescriptors: HWICommand {
    static let grammar = HWIGrammar(
        "getdescriptors", abstract: "Show the receive and change descriptors of an account.",
        discussion: "pkh, wpkh and sh(wpkh). Not tr: the card does not support Schnorr signatures.",
        options: [HWIAccount.option])

    private let account: Int

    init(_ values: HWIValues) { account = HWIAccount.number(in: values) }

    struct Answer: Encodable {
        let receive: [String]
        let `internal`: [String]
    }

    func answer(_ session: HWISession) async throws -> Answer {
        var paths: [DerivationPath] = []
        for kind in ScriptKind.ofDevices { paths.append(try kind.accountPath(account, on: session.network)) }
        let keys = try await session.card(to: "show the keys of account \(account)").keys(at: paths)
        let accounts = zip(ScriptKind.ofDevices, paths).compactMap { kind, path in
            keys.accounts[path].map {
                AccountDescriptor(
                    kind: kind, origin: KeyOrigin(fingerprint: keys.masterFingerprint, path: path), key: $0)
            }
        }
        return Answer(
            receive: accounts.map { $0.text(of: .receive) }, internal: accounts.map { $0.text(of: .change) })
    }
}
