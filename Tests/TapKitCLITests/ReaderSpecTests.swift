import Testing

@testable import TapKitCLI

@Suite struct ReaderSpecTests {
    @Test func specsAreRead() {
        #expect(ReaderSpec(parsing: "pcsc") == .pcsc(nameContains: nil))
        #expect(ReaderSpec(parsing: "pcsc:") == .pcsc(nameContains: nil))
        #expect(ReaderSpec(parsing: "pcsc:ACS ACR: 00") == .pcsc(nameContains: "ACS ACR: 00"))
        #expect(ReaderSpec(parsing: "sim:/tmp/a:b") == .simulated(file: "/tmp/a:b"))
    }

    @Test(arguments: ["", "sim", "sim:", "PCSC", "pcscX", "usb", ":", "simulator:x"])
    func anythingElseIsNone(_ text: String) {
        #expect(ReaderSpec(parsing: text) == nil)
    }
}
