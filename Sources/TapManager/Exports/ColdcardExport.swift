import Bitcoin
import ByteCodec

/// An account as in COLDCARD's "Generic JSON": only the section for its path, as a card at this path does not show the
/// keys of others.
///
/// Source: COLDCARD, `docs/generic-wallet-export.md`; sections `bip44`, `bip49`, `bip84`, `bip48_1`, `bip48_2`; its
/// multisig export's members `p2wsh`, `p2sh_p2wsh`.
package struct ColdcardExport: Sendable {
    private let account: Account
    private let masterKey: ExtendedPublicKey
    private let network: Network
    private let section: Section

    private enum Section {
        case single(ScriptKind)
        case cosigner(MultisigKind)
    }

    /// An export of a card's account.
    /// - Parameter masterKey: the card's master key.
    /// - Throws: `ExportError.unusualPath` unless the path is that of an account of BIP-44, 49 or 84, or a cosigner's
    ///   of BIP-48.
    package init(_ account: Account, masterKey: ExtendedPublicKey, network: Network) throws(ExportError) {
        self.account = account
        self.masterKey = masterKey
        self.network = network
        guard let section = Self.section(at: account.path) else { throw Self.unusual(account.path, network) }
        self.section = section
    }

    /// Why the file has no section for an account at this path; `nil`: it has one.
    static func obstacle(at path: DerivationPath, _ network: Network) -> ExportError? {
        section(at: path) == nil ? unusual(path, network) : nil
    }

    private static func unusual(_ path: DerivationPath, _ network: Network) -> ExportError {
        .unusualPath(path, usual: SetupFlow.defaultPath(isTestnet: network.keyNetwork != .main))
    }

    private static func section(at path: DerivationPath) -> Section? {
        if let kind = MultisigKind(accountPath: path) { return .cosigner(kind) }
        return path.steps.count == 3 ? ScriptKind(accountPath: path).map { .single($0) } : nil
    }

    /// The file's complete text, with a newline at the end. Contains only public keys.
    package var text: String {
        // Both initializers of the section checked that there are at least three steps.
        let number = account.path.steps.dropFirst(2).first?.index ?? 0
        return JSONText.object(
            [
                ("chain", .string(chain)), ("xfp", .string(Self.upper(account.masterFingerprint))),
                ("account", .number(number)), ("xpub", .string(masterKey.text)), (sectionName, .object(members)),
            ] + cosignerMembers
        ).lines
    }

    /// A cosigner's key again in the form of COLDCARD's multisig export (`ccxp-….json`): some coordinators read only
    /// that.
    private var cosignerMembers: [JSONText.Member] {
        guard case .cosigner(let kind) = section, let form = SLIP132Form(accountPath: account.path) else { return [] }
        let name = kind == .p2shP2WSH ? "p2sh_p2wsh" : "p2wsh"
        return [
            ("\(name)_deriv", .string(account.path.apostropheText)), (name, .string(account.key.text(form))),
        ]
    }

    private var chain: String {
        switch network {
        case .main: "BTC"
        case .test, .testnet4, .signet: "XTN"
        case .regtest: "XRT"
        }
    }

    private var sectionName: String {
        switch section {
        case .single(let kind): "bip\(kind.purpose.index)"
        case .cosigner(.p2shP2WSH): "bip48_1"
        case .cosigner: "bip48_2"
        }
    }

    private var members: [JSONText.Member] {
        var members: [JSONText.Member] = [
            ("name", .string(typeName)), ("xfp", .string(Self.upper(account.key.fingerprint))),
            ("deriv", .string(account.path.apostropheText)), ("xpub", .string(account.key.text)),
        ]
        if let form = SLIP132Form(accountPath: account.path), form != .legacy {
            members.append(("_pub", .string(account.key.text(form))))
        }
        guard case .single(let kind) = section else { return members }
        let origin = KeyOrigin(fingerprint: account.masterFingerprint, path: account.path)
        let descriptor = AccountDescriptor(kind: kind, origin: origin, key: account.key)
        members.append(("desc", .string(descriptor.text)))
        if let first = (try? descriptor.address(.receive, 0, network: network)).flatMap({ $0 }) {
            members.append(("first", .string(first.description)))
        }
        return members
    }

    private var typeName: String {
        switch section {
        case .single(.p2pkh): "p2pkh"
        // As in the published description; not every program knows the newer spelling.
        case .single(.p2shP2WPKH): "p2wpkh-p2sh"
        case .single(.p2wpkh): "p2wpkh"
        case .cosigner(.p2shP2WSH): "p2sh-p2wsh"
        case .cosigner: "p2wsh"
        }
    }

    private static func upper(_ fingerprint: Fingerprint) -> String { fingerprint.description.uppercased() }
}
