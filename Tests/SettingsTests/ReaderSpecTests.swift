import CardReaders
import SmartCard
import TapSimulator
import Testing

@testable import Settings

@Suite struct ReaderSpecTests {
    @Test func specsAreRead() throws {
        for (text, name) in [("pcsc", nil), ("pcsc:", nil), ("pcsc:ACS ACR: 00", "ACS ACR: 00")] as [(String, String?)]
        {
            let backend = try #require(ReaderSpec(parsing: text)?.backend as? PCSCBackend, "\(text)")
            #expect(backend.nameFilter == name)
        }
        for (text, name) in [("nfc", nil), ("nfc:", nil), ("nfc:pn532_uart:/dev/ttyUSB0", "pn532_uart:/dev/ttyUSB0")]
            as [(String, String?)]
        {
            let backend = try #require(ReaderSpec(parsing: text)?.backend as? NFCBackend, "\(text)")
            #expect(backend.connection?.description == name)
        }
        #expect((ReaderSpec(parsing: "sim:/tmp/a:b")?.backend as? SimulatedBackend)?.path == "/tmp/a:b")
    }

    @Test(arguments: ["", "sim", "sim:", "PCSC", "pcscX", "usb", ":", "simulator:x"])
    func anythingElseIsNone(_ text: String) {
        #expect(ReaderSpec(parsing: text) == nil)
    }

    /// The list is all that a new backend is added to: messages and the look at everything follow from it.
    @Test func everythingFollowsFromTheList() {
        let kinds = ReaderSpec.families.map(\.kind)
        #expect(Set(kinds).count == kinds.count && kinds == [.pcsc, .nfc, .sim])
        for family in ReaderSpec.families {
            #expect(!family.forms.isEmpty)
            for form in family.forms {
                #expect(form.text.split(separator: ":").first.map(String.init) == family.kind.rawValue)
                #expect(ReaderSpec.formsText.contains(form.text))
            }
        }
        #expect(ReaderSpec.every.map { "\(type(of: $0))" } == ["PCSCBackend", "NFCBackend"])
    }
}
