import ArgumentParser
import Bitcoin
import TapManager

/// `hwi getkeypool START END`: descriptors with a range, as Bitcoin Core's `importdescriptors` and `importmulti` take them.
struct HWIGetKeypool: HWICommand {
    static let configuration = CommandConfiguration(
        commandName: "getkeypool", abstract: "Descriptors with a range, for Bitcoin Core's importdescriptors.")

    @OptionGroup var globals: HWIGlobals

    @Flag(help: "For Core's pool of addresses: the default.")
    var keypool = false

    @Flag(help: "Not for Core's pool of addresses.")
    var nokeypool = false

    @Flag(name: .customLong("internal"), help: "Change addresses.")
    var isInternal = false

    @Option(help: "legacy, wit or sh_wit; default: wit.")
    var addrType: HWIAddressType?

    @Flag(name: .customLong("all"), help: "Every type of address.")
    var allTypes = false

    @Option(help: "The account's number.")
    var account = 0

    @Option(help: "Another path, from m/ to /*, instead of the account's.")
    var path: String?

    @Argument(help: "The first index.")
    var start: Int

    @Argument(help: "The last index.")
    var end: Int

    struct ImportRequest: Encodable {
        let desc: String
        let range: [Int]
        var timestamp = "now"
        let `internal`: Bool
        let keypool: Bool
        let active: Bool
        var watchonly = true
    }

    /// One descriptor that is asked for.
    private struct Wanted {
        let kind: ScriptKind
        /// Up to the last hardened step.
        let account: DerivationPath
        /// The steps behind it, before the index.
        let branch: DerivationPath
        let isInternal: Bool
    }

    func validate() throws {
        if keypool && nokeypool { throw ValidationError("--nokeypool is not allowed with --keypool") }
        if allTypes && addrType != nil { throw ValidationError("--all is not allowed with --addr-type") }
    }

    func answer(_ session: HWISession) async throws -> [ImportRequest] {
        guard start >= 0, start <= end, end < 1 << 31 else {
            throw HWIError(.badArgument, "The range goes from 0 to 2147483647, its start first.")
        }
        let wanted = try wanted(on: session.network)
        let keys = try await session.card(for: "show its keys").keys(at: wanted.map(\.account))
        return wanted.compactMap { wanted in
            keys.accounts[wanted.account].map { key in
                let origin = KeyOrigin(fingerprint: keys.masterFingerprint, path: wanted.account)
                return ImportRequest(
                    desc: AccountDescriptor(kind: wanted.kind, origin: origin, key: key).text(below: wanted.branch),
                    range: [start, end], internal: wanted.isInternal, keypool: !nokeypool, active: !nokeypool)
            }
        }
    }

    private func wanted(on network: Network) throws -> [Wanted] {
        if let path {
            guard !allTypes else { throw HWIError(.badArgument, "--path and --all exclude each other.") }
            guard path.hasPrefix("m") else { throw HWIError(.badArgument, "Path must start with m/") }
            guard path.hasSuffix("/*") else { throw HWIError(.badArgument, "Path must end with /*") }
            let parsed = try PathArgument.parse(String(path.dropLast(2)))
            guard let (account, branch) = parsed.splitAtFirstNormalStep else {
                throw HWIError(.badArgument, "A card has no hardened steps below unhardened ones, as in \(parsed).")
            }
            try HWICard.requireSignable(parsed.appending(DerivationPath([ChildNumber(rawValue: 0)])))
            return [
                Wanted(kind: try (addrType ?? .wit).kind(), account: account, branch: branch, isInternal: isInternal)
            ]
        }
        let kinds = allTypes ? ScriptKind.ofDevices : [try (addrType ?? .wit).kind()]
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
