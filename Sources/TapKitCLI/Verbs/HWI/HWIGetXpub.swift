import ArgumentParser
import Bitcoin

/// `hwi getxpub PATH`: the extended public key at a path, proven.
struct HWIGetXpub: HWICommand {
    static let configuration = CommandConfiguration(
        commandName: "getxpub", abstract: "The extended public key at a path.")

    @OptionGroup var globals: HWIGlobals

    @Argument(help: "The path, for example m/84h/0h/0h.")
    var path: String

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
        let path = try PathArgument.parse(path)
        let key = try await session.card(for: "show the key at \(path)").key(at: path)
        guard globals.isExpert else { return Answer(xpub: key.text) }
        return Answer(
            xpub: key.text, testnet: key.network == .test, private: false, depth: Int(key.depth),
            parentFingerprint: key.parentFingerprint.description, childNum: key.childNumber.rawValue,
            chaincode: key.chainCode.description, pubkey: key.publicKey.description)
    }
}

/// `hwi getmasterxpub`: the extended public key of a standard account.
struct HWIGetMasterXpub: HWICommand {
    static let configuration = CommandConfiguration(
        commandName: "getmasterxpub", abstract: "The extended public key of a standard account (BIP-44, 49, 84).")

    @OptionGroup var globals: HWIGlobals

    @Option(help: "legacy, wit or sh_wit.")
    var addrType = HWIAddressType.wit

    @Option(help: "The account's number.")
    var account = 0

    func answer(_ session: HWISession) async throws -> HWIGetXpub.Answer {
        let path = try addrType.kind().accountPath(account, on: session.network)
        let key = try await session.card(for: "show the key at \(path)").key(at: path)
        return HWIGetXpub.Answer(xpub: key.text)
    }
}
