import Bitcoin
import FrontEndText

/// `hwi getxpub PATH`: the extended public key at a path, proven.
struct HWIGetXpub: HWICommand {
    private static let path = HWIOperand("path", help: "The path, for example m/84h/0h/0h.")

    static let grammar = HWIGrammar(
        "getxpub", abstract: "Show the extended public key at a path.", operands: [path])

    private let path: String

    init(_ values: HWIValues) { path = values.text(Self.path) }

    struct Answer: Encodable {
        let xpub: String
        var testnet: Bool?
        var `private`: Bool?
        var depth: Int?
        var parentFingerprint: String?
        var childNum: UInt32?
        var chaincode: String?
        var pubkey: String?
    }

    func answer(_ session: HWISession) async throws -> Answer {
        let path = try DerivationPath(typed: path)
        let key = try await session.card(to: "show the key at \(path)").key(at: path)
        guard session.globals.isExpert else { return Answer(xpub: key.text) }
        return Answer(
            xpub: key.text, testnet: key.network == .test, private: false, depth: Int(key.depth),
            parentFingerprint: key.parentFingerprint.description, childNum: key.childNumber.rawValue,
            chaincode: key.chainCode.description, pubkey: key.publicKey.description)
    }
}

/// `hwi getmasterxpub`: the extended public key of a standard account.
struct HWIGetMasterXpub: HWICommand {
    private static let addressType = HWIAddressType.option(help: "legacy, wit or sh_wit; default: wit.")

    static let grammar = HWIGrammar(
        "getmasterxpub", abstract: "Show the extended public key of a standard account (BIP-44, 49, 84).",
        options: [addressType, HWIAccount.option])

    private let addressType: HWIAddressType
    private let account: Int

    init(_ values: HWIValues) {
        addressType = HWIAddressType(Self.addressType, in: values) ?? .wit
        account = HWIAccount.number(in: values)
    }

    func answer(_ session: HWISession) async throws -> HWIGetXpub.Answer {
        let path = try addressType.kind().accountPath(account, on: session.network)
        let key = try await session.card(to: "show the key at \(path)").key(at: path)
        return HWIGetXpub.Answer(xpub: key.text)
    }
}
