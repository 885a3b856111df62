import Bitcoin
import TapManager
import Testing

/// Formats that are a descriptor with something around it.
@Suite struct TextExportTests {
    @Test(arguments: [nil] + MultisigKind.allCases.map(Optional.some)) func sparrow(_ kind: MultisigKind?) throws {
        let source =
            if let kind { try ExportSamples.multisig(kind) } else { try ExportSamples.source("m/49h/0h/0h") }
        // Its reader passes over comments and takes what stands before the first empty line.
        let text = try SparrowExport(source).text
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        #expect(lines == [source.wallet.descriptors[0].text] + source.wallet.descriptors[0].branches.map(\.text))
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false)[2].isEmpty)
        #expect(
            lines == DescriptorExport.lines(of: source, isSplit: false)
                + DescriptorExport.lines(of: source, isSplit: true))
    }

    @Test func specter() throws {
        let source = try ExportSamples.source(
            "m/84h/0h/0h", label: #"A "name" \ with "# + "\tmore", birthHeight: 812_345)
        let file = try SpecterExport(source).text.jsonObject()
        #expect(file["label"] as? String == source.label && file["blockheight"] as? Int == 812_345)
        #expect(file["descriptor"] as? String == source.wallet.descriptors[0].branches[0].text)
        let devices = try #require(file["devices"] as? [[String: String]])
        #expect(devices == [["type": "other", "label": source.label]])
    }

    @Test func specterWithSeveralKeys() throws {
        let file = try SpecterExport(try ExportSamples.multisig(.p2wsh, label: "Ours")).text.jsonObject()
        #expect((file["devices"] as? [[String: String]])?.map { $0["label"] } == ["Ours 1", "Ours 2", "Ours 3"])
        #expect(file["blockheight"] as? Int == 0)
    }

    @Test func cosigner() throws {
        let account = try ExportSamples.account("m/48h/0h/0h/2h")
        #expect(AccountKey(account).description == "[73c5da0a/48h/0h/0h/2h]\(account.key.text)")
    }
}
