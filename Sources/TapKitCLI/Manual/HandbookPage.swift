import ManualPages

/// A page of the handbook: Markdown for the documentation site, and for section 7 of the manual.
struct HandbookPage {
    /// The page's file name without its extension, in lower case: `wallets`.
    let name: String
    /// The verbs that the page is about.
    let verbs: [String]
    /// The whole file.
    let markdown: String

    private init(_ name: String, _ markdown: [UInt8], verbs: [String]) {
        self.name = name
        self.verbs = verbs
        self.markdown = String(decoding: markdown, as: UTF8.self)
    }

    /// Every page except the one for contributors, in reading order.
    static let all = [
        HandbookPage("install", PackageResources.Install_md, verbs: ["doctor", "config", "help"]),
        HandbookPage(
            "tapsigner", PackageResources.Tapsigner_md,
            verbs: ["status", "setup", "change-cvc", "derive", "xpub", "message", "wait"]),
        HandbookPage(
            "satscard", PackageResources.Satscard_md,
            verbs: ["status", "address", "slots", "unseal", "sweep", "setup", "url"]),
        HandbookPage("signing", PackageResources.Signing_md, verbs: ["sign", "review", "tx", "recover", "card"]),
        HandbookPage("wallets", PackageResources.Wallets_md, verbs: ["wallet", "tx"]),
        HandbookPage("servers", PackageResources.Servers_md, verbs: ["config", "wallet", "tx", "slots", "sweep"]),
        HandbookPage("exports", PackageResources.Exports_md, verbs: ["export", "xpub", "wallet", "sign"]),
        HandbookPage("core", PackageResources.Core_md, verbs: ["hwi", "xpub", "export"]),
        HandbookPage("backups", PackageResources.Backups_md, verbs: ["backup", "recover"]),
        HandbookPage("readers", PackageResources.Readers_md, verbs: ["readers", "doctor"]),
        HandbookPage("store", PackageResources.Store_md, verbs: ["store", "card", "status"]),
        HandbookPage("scripts", PackageResources.Scripts_md, verbs: ["config", "help"]),
        HandbookPage("page", PackageResources.Page_md, verbs: ["ui"]),
        HandbookPage("service", PackageResources.Service_md, verbs: ["serve"]),
        HandbookPage("proofs", PackageResources.Proofs_md, verbs: ["verify", "url", "backup"]),
        HandbookPage("security", PackageResources.Security_md, verbs: ["verify", "change-cvc"]),
        HandbookPage("simulator", PackageResources.Simulator_md, verbs: ["sim", "demo"]),
    ]
}

/// The manual pages of the handbook, such as `tapkit-wallets(7)`.
extension ManualPage {
    /// The page's name in references.
    static func reference(to handbook: HandbookPage) -> String {
        "\(name(ofVerb: handbook.name))(\(Section.handbook.rawValue))"
    }

    /// The page for `man`.
    static func page(of handbook: HandbookPage) -> ManualPage {
        var blocks = MarkdownBlock.blocks(of: handbook.markdown)[...]
        if case .heading(1, _) = blocks.first { blocks.removeFirst() }
        var abstract = handbook.name
        if case .paragraph(let text) = blocks.first {
            abstract = text
            blocks.removeFirst()
        }
        let name = name(ofVerb: handbook.name)
        var page = begun(name, in: .handbook, of: .current, abstract: abstract)
        page.markdown(blocks)
        page.section("SEE ALSO")
        page.run((["tapkit"] + handbook.verbs.map(name(ofVerb:))).map { "\($0)(1)" }.joined(separator: ", "))
        return ManualPage(name: name, section: .handbook, text: page.text)
    }
}
