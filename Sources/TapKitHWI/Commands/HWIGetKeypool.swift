import Bitcoin
import FrontEndText
import TapManager

/// `hwi getkeypool START END`: descriptors with a range, as Bitcoin Core's `importdescriptors` and `importmulti` take them.
struct HWIGetKeypool: HWICommand {
    private static let keypool = HWIOption("keypool", help: "For Core's key pool: the default.")
    private static let nokeypool = HWIOption("nokeypool", help: "Not for Core's key pool.")
    private static let isInternal = HWIOption("internal", help: "Change addresses.")
    private static let addressType = HWIAddressType.option(help: "legacy, wit or sh_wit; default: wit.")
    private static let allTypes = HWIOption("all", help: "Every type of address.")
    private static let path = HWIOption(
        "path", value: .text("path"), help: "A path other than the account's; it starts with m/ and ends with /*.")
    private static let start = HWIOperand("start", .number, help: "The first index.")
    private static let end = HWIOperand("end", .number, help: "The last index.")

    static let grammar = HWIGrammar(
        "getkeypool", abstract: "Show descriptors with a range, for Bitcoin Core's importdescriptors.",
        operands: [start, end],
        options: [keypool, nokeypool, isInternal, addressType, allTypes, HWIAccount.option, path],
        exclusions: [[keypool, nokeypool], [addressType, allTypes]])

    private let isForPool: Bool
    private let isInternal: Bool
    private let addressType: HWIAddressType
    private let allTypes: Bool
    private let account: Int
    private let path: String?
    private let start: Int
    private let end: Int

    init(_ values: HWIValues) {
        isForPool = !values.has(Self.nokeypool)
        isInternal = values.has(Self.isInternal)
        addressType = HWIAddressType(Self.addressType, in: values) ?? .wit
        allTypes = values.has(Self.allTypes)
        account = HWIAccount.number(in: values)
        path = values.text(Self.path)
        (start, end) = (values.number(Self.start), values.number(Self.end))
    }

    struct ImportRequest: Encodable {
        let desc: String
        let range: [Int]
        var timestamp = "now"
        let `internal`: Bool
        let keypool: Bool
        let active: Bool
        var watchonly = true
    }

    /// One requested descriptor.
    private struct Wanted {
        let kind: ScriptKind
        /// Up to the last hardened step.
        let account: DerivationPath
        /// The steps after it, before the index.
        let branch: DerivationPath
        let isInternal: Bool
    }

    func answer(_ session: HWISession) async throws -> [ImportRequest] {
        guard start >= 0, start <= end, end < 1 << 31 else {
            throw HWIError(.badArgument, "The range must lie between 0 and 2147483647, with its start first.")
        }
        let wanted = try wanted(on: session.network)
        let keys = try await session.card(to: "show its keys").keys(at: wanted.map(\.account))
        return wanted.compactMap { wanted in
            keys.accounts[wanted.account].map { key in
                let origin = KeyOrigin(fingerprint: keys.masterFingerprint, path: wanted.account)
                return ImportRequest(
                    desc: AccountDescriptor(kind: wanted.kind, origin: origin, key: key).text(below: wanted.branch),
                    range: [start, end], internal: wanted.isInternal, keypool: isForPool, active: isForPool)
            }
        }
    }

    private func wanted(on network: Network) throws -> [Wanted] {
        if let path {
            guard !allTypes else { throw HWIError(.badArgument, "--path and --all cannot be used together.") }
            guard path.hasPrefix("m") else { throw HWIError(.badArgument, "Path must start with m/") }
            guard path.hasSuffix("/*") else { throw HWIError(.badArgument, "Path must end with /*") }
            let parsed = try DerivationPath(typed: String(path.dropLast(2)))
            guard let (account, branch) = parsed.splitAtFirstNormalStep else {
                throw HWIError(.badArgument, "A card has no hardened steps below unhardened ones, as in \(parsed).")
            }
            let first = parsed.appending(DerivationPath([ChildNumber(rawValue: 0)]))
            guard CardPath(first) != nil else {
                throw HWIError(.badArgument, AddressClaimError.notSignable(first).message)
            }
            return [
                Wanted(kind: try addressType.kind(), account: account, branch: branch, isInternal: isInternal)
            ]
        }
        let kinds = allTypes ? ScriptKind.ofDevices : [try addressType.kind()]
        let branches: [AccountDescriptor.Branch] = isInternal ? [.change] : [.receive, .change]
        var wanted: [Wanted] = []
        for kind in kinds {
            let path = try kind.accountPath(account, on: network)
            wanted += branches.map { branch in
                Wanted(
                    kind: kind, account: path, branch: DerivationPath([ChildNumber(rawValue: branch.rawValue)]),
                    isInternal: branch == .change)
            }
        }
        return wanted
    }
}
