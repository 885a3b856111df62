import Testing

@testable import ReaderDoctor

/// What the PC/SC service names, and what lies on it.
@Suite struct ReadersCheckTests {
    @Test(arguments: [
        (SmartCardService.Card.absent as SmartCardService.Card?, "there is no card on it"),
        (.present, "; there is a card on it"),
        (nil, "answers"),
    ])
    func readersAreNamed(_ card: SmartCardService.Card?, _ words: String) throws {
        let made = try MadeUpMachine()
        made.service = .reader("OMNIKEY 00 00", card)
        let findings = made.findings(of: ReadersCheck.self)
        #expect(findings.isFine && findings[0].evidence.contains("“OMNIKEY 00 00”"))
        #expect(findings[0].evidence.contains(words))
        #expect(made.diagnosis().isUsable)
    }

    @Test func aMuteCardIsNoted() throws {
        let made = try MadeUpMachine()
        made.service = .reader("OMNIKEY 00 00", .mute)
        #expect(made.findings(of: ReadersCheck.self).isNote("does not", remedy: "flat"))
        #expect(made.diagnosis().isUsable)
    }

    @Test func aCardThatAnotherProgramHoldsIsFoundOut() throws {
        let made = try MadeUpMachine()
        made.service = .reader("OMNIKEY 00 00", .held)
        #expect(made.findings(of: ReadersCheck.self).isProblem("another program", remedy: "scdaemon"))
        #expect(!made.diagnosis(for: .pcsc()).isUsable)
        #expect(made.diagnosis(for: .pcsc()).code == .readerBusy)
    }

    @Test func noReaderIsFoundOut() throws {
        let made = try MadeUpMachine()
        #expect(made.findings(of: ReadersCheck.self).isProblem("no reader"))
        made.service = .noService
        #expect(made.findings(of: ReadersCheck.self).isEmpty)
    }

    /// A reader may have a slot inside for a module, which the service lists as another reader.
    @Test func aSlotForAModuleTakesNoCard() throws {
        let made = try MadeUpMachine()
        let slot = SmartCardService.Reader(
            name: "ACS ACR1252 Dual Reader [ACR1252 Dual Reader SAM] 00 00", card: .absent)
        made.service = .readers([slot])
        #expect(made.findings(of: ReadersCheck.self).isProblem("only slots for modules"))
        #expect(!made.diagnosis().isUsable)
        made.service = .readers([
            slot, .init(name: "ACS ACR1252 Dual Reader [ACR1252 Dual Reader PICC] 01 00", card: .present),
        ])
        for wanted in [WantedReader.any, .pcsc(nameContains: "ACR1252")] {
            let findings = made.findings(of: ReadersCheck.self, for: wanted)
            #expect(findings.count == 1 && findings.isFine && findings[0].evidence.contains("PICC"))
        }
        #expect(made.findings(of: ReadersCheck.self, for: .pcsc(nameContains: "sam"))[0].evidence.contains("SAM"))
    }

    @Test func theNameMustFit() throws {
        let made = try MadeUpMachine()
        made.service = .readers([
            .init(name: "ACS ACR1252 00 00", card: .absent), .init(name: "OMNIKEY 01 00", card: .present),
        ])
        #expect(made.findings(of: ReadersCheck.self, for: .pcsc(nameContains: "omni")).map(\.evidence).count == 1)
        #expect(made.diagnosis(for: .pcsc(nameContains: "omni")).isUsable)
        let wrong = made.findings(of: ReadersCheck.self, for: .pcsc(nameContains: "uTrust"))
        #expect(wrong.isProblem("“uTrust”", "“OMNIKEY 01 00”", remedy: "these: pcsc:TEXT"))
        #expect(made.diagnosis(for: .pcsc(nameContains: "uTrust")).code == .noReader)
        #expect(!made.diagnosis(for: .pcsc(nameContains: "uTrust")).isUsable)
    }
}
