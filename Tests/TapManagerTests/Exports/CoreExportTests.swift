import Bitcoin
import TapManager
import Testing

@Suite struct CoreExportTests {
    @Test func everyBranchIsARequest() throws {
        let source = try ExportSamples.source("m/84h/0h/0h")
        let requests = try CoreExport(source, start: .now).text.jsonObjects()
        #expect(requests.count == 2)
        for (request, branch) in zip(requests, AccountDescriptor.Branch.allCases) {
            let text = try #require(request["desc"] as? String)
            #expect(text.hasPrefix("wpkh([73c5da0a/84h/0h/0h]xpub"))
            #expect(try DescriptorChecksum.verify(text).hasSuffix("/\(branch.rawValue)/*)") && text.contains("#"))
            #expect(request["internal"] as? Bool == (branch == .change))
            #expect(request["active"] as? Bool == true && request["timestamp"] as? String == "now")
            #expect(request["range"] as? [Int] == [0, 999])
        }
    }

    @Test func theCardsBirthIsWhereCoreBegins() throws {
        let source = try ExportSamples.source("m/84h/0h/0h", birthHeight: 840_000)
        let start = RescanStart(birthHeight: source.birthHeight)
        let request = try #require(try CoreExport(source, start: start).text.jsonObjects().first)
        let timestamp = try #require(request["timestamp"] as? Int)
        // Block 840 000 was mined at 1713571767.
        #expect(timestamp < 1_713_571_767 && timestamp > 1_713_571_767 - 120 * 86_400)
        // A card for test networks tells a height of another chain.
        #expect(try ExportSamples.source("m/84h/1h/0h", network: .signet).birthHeight == nil)
    }

    /// Core has one active descriptor for each type of address and branch.
    @Test func onlyTheFirstOfATypeIsActive() throws {
        let key = AccountKey(try ExportSamples.account("m/84h/0h/0h")).description
        let source = try ExportSamples.source(
            descriptors: ["wpkh(\(key)/<0;1>/*)", "wpkh(\(key)/<2;3>/*)", "pkh(\(key)/<0;1>/*)"])
        let requests = try CoreExport(source, start: .now).text.jsonObjects()
        #expect(requests.map { $0["active"] as? Bool } == [true, true, false, false, true, true])
        #expect(requests.map { $0["internal"] as? Bool } == [false, true, false, true, false, true])
    }

    /// Core would deactivate the first by the second, which is not active.
    @Test(arguments: [["<0;1>", "0"], ["<0;1>", "1"], ["0", "<0;1>"]])
    func whatComesTwiceIsWrittenOnce(_ branches: [String]) throws {
        let key = AccountKey(try ExportSamples.account("m/84h/0h/0h")).description
        let source = try ExportSamples.source(descriptors: branches.map { "wpkh(\(key)/\($0)/*)" })
        let requests = try CoreExport(source, start: .now).text.jsonObjects()
        #expect(requests.count == 2 && requests.allSatisfy { $0["active"] as? Bool == true })
        #expect(Set(requests.compactMap { $0["desc"] as? String }).count == 2)
        #expect(requests.map { $0["internal"] as? Bool } == [false, true])
    }

    @Test func whatHasOneScriptHasNoRange() throws {
        let key = "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"
        let source = try ExportSamples.source(descriptors: ["wpkh(\(key))"])
        let request = try #require(try CoreExport(source, start: .now).text.jsonObjects().first)
        #expect(request["range"] == nil && request["active"] as? Bool == false)
    }
}

@Suite struct RescanStartTests {
    /// Heights and times of blocks of bitcoin's chain.
    @Test(arguments: [(700_000, 1_631_333_672), (800_000, 1_690_168_629), (840_000, 1_713_571_767)])
    func neverTooLate(_ height: Int, _ time: Int64) throws {
        guard case .time(let start) = RescanStart(birthHeight: height) else { throw WrongStart() }
        #expect(start.seconds <= time && start.seconds > time - 120 * 86_400)
    }

    @Test(arguments: [nil, 0, 699_999, Int.max]) func unknownIsTheBeginning(_ height: Int?) {
        #expect(RescanStart(birthHeight: height) == .time(UnixTime(seconds: 0)))
    }

    @Test func days() {
        #expect(UnixTime(utcDate: "2024-05-01")?.seconds == 1_714_521_600)
        #expect(UnixTime(utcDate: "1970-01-01")?.seconds == 0)
        for text in [
            "", "2024-5-1", "2024-02-30", "2024-13-01", "1969-12-31", "2024-05-01T", "+024-05-01", "٢٠٢٤-05-01",
        ] {
            #expect(UnixTime(utcDate: text) == nil, "\(text)")
        }
    }

    private struct WrongStart: Error {}
}
