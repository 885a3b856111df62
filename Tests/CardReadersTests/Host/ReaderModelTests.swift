import CardReaders
import TestSupport
import Testing

/// The readers that tapkit knows are those of the handbook's table.
@Suite struct ReaderModelTests {
    @Test func theTableAndTheListAgree() throws {
        let table = try ReaderTable.readers()
        let kinds: [ReaderTable.Driver: ReaderModel.Kind] = [
            .pcsc: .pcsc, .nfc: .nfc, .both: .both, .serial: .serialBridge, .nobody: .keyboard,
        ]
        #expect(kinds.count == ReaderTable.Driver.allCases.count)
        for reader in table {
            let model = ReaderModel.all.first { $0.identifier.description == "\(reader.vendor):\(reader.product)" }
            // The table's third column says who reaches a card.
            let kind = model?.kind == .module ? .nfc : model?.kind
            #expect(kind == kinds[reader.driver], "\(reader)")
        }
        #expect(table.count == ReaderModel.all.count)
        #expect(Set(ReaderModel.all.map(\.identifier)).count == ReaderModel.all.count)
    }

    @Test func onlyTheTouchatagIsListedForAModule() {
        let modules = ReaderModel.all.filter { $0.kind == .module }
        #expect(modules.map(\.identifier.description) == ["072f:90cc"])
        #expect(modules.allSatisfy { $0.libnfcDriver == "acr122_usb" && $0.isListedByService && !$0.isForPCSC })
    }

    /// What the kernel takes is what `platform` says of `pn533_usb`.
    @Test func theKernelTakesFour() {
        let taken = ReaderModel.all.filter(\.isTakenByKernel).map(\.identifier.description)
        #expect(Set(taken) == ["04cc:2533", "04e6:5591", "054c:02e1", "072f:2200"])
    }
}
