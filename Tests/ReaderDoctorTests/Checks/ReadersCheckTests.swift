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

    /// The only slot of a Touchatag that the service reaches is for a module, and always seems to have a card.
    @Test func aTouchatagIsForLibnfc() throws {
        let made = try MadeUpMachine()
        made.isInGroup = true
        made.plug("072f:90cc", driver: "usbfs")
        made.run("pcscd", process: 4)
        let slot = SmartCardService.Reader(name: "ACS ACR 38U-CCID 00 00", card: .present)
        made.service = .readers([slot])
        for wanted in [WantedReader.any, .pcsc(), .pcsc(nameContains: "38U")] {
            let findings = made.findings(of: ReadersCheck.self, for: wanted)
            #expect(findings.isProblem("only its slot for a module", remedy: "with libnfc (nfc): sudo systemctl stop"))
            #expect(!made.diagnosis(for: wanted).isUsable && made.diagnosis(for: wanted).code == .noReader)
        }
        let conflict = made.findings(of: NFCConflictCheck.self, for: .nfc())
        #expect(conflict.isProblem("pcscd is using") && conflict[0].remedy?.hasPrefix("sudo systemctl stop") == true)
        made.service = .readers([slot, .init(name: "OMNIKEY 01 00", card: .absent)])
        let findings = made.findings(of: ReadersCheck.self)
        #expect(findings.map(\.weight) == [.note, .fine] && made.diagnosis().isUsable)
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
