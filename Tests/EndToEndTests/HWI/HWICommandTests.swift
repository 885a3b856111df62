import Bitcoin
import Foundation
import TestSupport
import Testing

/// What HWI's commands answer, judged by HWI's own code.
@Suite(.fewAtATime) struct HWICommandTests {
    private func judged(_ request: [String: Any]) async throws -> [String: Any] {
        try await PythonEnvironment.shared().run("hwi_answers.py", request)
    }

    /// An address that nobody would find is proven, and said to be one.
    @Test(
        arguments: [
            ("m/84h/1h/0h/0/2147483647", "The address has the index 2147483647. Wallets do not look that far."),
            ("m/84h/1h/0h/2/0", "Wallets do not look at m/84h/1h/0h/2/0: "),
            ("m/84h/1h/0h/1/999", nil), ("m/84h/1h/0h/0/1000", "The address has the index 1000. "),
            ("m/84h/1h/0h", "Wallets do not look at m/84h/1h/0h: "),
            ("m/84h/1h/0h/5", "Wallets do not look at m/84h/1h/0h/5: "),
        ] as [(String, String?)])
    func anAddressThatNobodyLooksAt(_ path: String, _ words: String?) async throws {
        let hwi = try await HWICommandLine.withCard()
        let run = try await hwi.run(["displayaddress", "--path", path]).succeeded()
        #expect(run.errorText.contains("WARNING: \(words ?? "")") == (words != nil), "\(run.errorText)")
    }

    @Test func enumerate() async throws {
        let hwi = HWICommandLine(workshop: try await Workshop())
        let devices = try await hwi.list("enumerate")
        let device = try #require(devices.first)
        #expect(devices.count == 1)
        device.expectKeys("type model label path needs_pin_sent needs_passphrase_sent fingerprint")
        #expect(device["type"] as? String == "tapsigner" && device["model"] as? String == "tapsigner_simulator")
        #expect(device["path"] as? String == "sim:\(hwi.workshop.cardFile)")
        #expect(device["fingerprint"] as? String == "\(try await hwi.workshop.wallet().fingerprint)")
        // Simulated cards are not shown to whoever does not ask for them.
        #expect(try await HWICommandLine(workshop: hwi.workshop, options: []).list("enumerate").isEmpty)
        // Its path and type find it again.
        let byPath = HWICommandLine(
            workshop: hwi.workshop, options: ["-t", "tapsigner", "-d", "sim:\(hwi.workshop.cardFile)"])
        #expect(try await byPath("getxpub", "m/84h/1h/0h", environment: ["TAPKIT_READER": nil])["xpub"] != nil)
        let byType = HWICommandLine(workshop: hwi.workshop, options: ["--emulators", "-t", "tapsigner"])
        #expect(try await byType("getxpub", "m/84h/1h/0h")["xpub"] != nil)
    }

    @Test func extendedKeys() async throws {
        let hwi = try await HWICommandLine.withCard()
        let wallet = try await hwi.workshop.wallet()
        let paths = ["m/84h/1h/0h", "m/49'/1'/2'", "m/44h/1h/0h/1/7", "m", "m/0/1", "m/0h/1h/2h/3h/4h/5h/6h/7h"]
        var xpubs: [String] = []
        for path in paths { xpubs.append(try await hwi("getxpub", path).text("xpub")) }
        let decoded = try await judged(["xpubs": xpubs]).field("xpubs", as: [[String: Any]].self)
        for (path, fields) in zip(paths, decoded) {
            let path = try DerivationPath(parsing: path)
            #expect(fields["pubkey"] as? String == "\(try wallet.publicKey(path))", "\(path)")
            #expect(fields["depth"] as? Int == path.steps.count && fields["testnet"] as? Bool == true, "\(path)")
        }
        // Expert mode tells what HWI decodes.
        let expert = try await hwi("--expert", "getxpub", paths[2])
        expert.expectKeys("xpub testnet private depth parent_fingerprint child_num chaincode pubkey")
        for (key, value) in decoded[2] { #expect("\(expert[key] ?? "")" == "\(value)", "\(key)") }
        // The network is the caller's choice.
        #expect(try await hwi("--chain", "main", "getxpub", paths[0]).text("xpub").hasPrefix("xpub"))
        let standard = try await hwi("getmasterxpub", "--addr-type", "sh_wit", "--account", "2")
        #expect(try standard.text("xpub") == xpubs[1])
        #expect(try await hwi("getmasterxpub").text("xpub") == xpubs[0])
        #expect(try await hwi.workshop.cardPath() == "m/84h/1h/0h")
    }

    @Test func descriptors() async throws {
        let hwi = try await HWICommandLine.withCard(chain: "regtest")
        let wallet = try await hwi.workshop.wallet()
        let answer = try await hwi("getdescriptors", "--account", "0")
        answer.expectKeys("receive internal")
        let pool = try await hwi.list("getkeypool", "0", "9", "--all")
        let texts = try answer.field("receive", as: [String].self) + answer.field("internal", as: [String].self)
        let pooled = try pool.map { try $0.text("desc") }
        #expect(Set(pooled) == Set(texts) && texts.count == 6)
        for item in pool {
            item.expectKeys("desc range timestamp internal keypool active watchonly")
            #expect(item["range"] as? [Int] == [0, 9] && item["timestamp"] as? String == "now")
            #expect(item["watchonly"] as? Bool == true && item["active"] as? Bool == true)
            #expect(item["internal"] as? Bool == (try item.text("desc").contains("/1/*)")))
        }
        let read = try await judged(["descriptors": texts]).field("descriptors", as: [[String: Any]].self)
        let kinds: [SampleWallet.Kind] = [.p2pkh, .p2wpkh, .p2shP2WPKH]
        for (number, fields) in read.enumerated() {
            #expect(fields["checksum"] as? Bool == true)
            let scripts = try fields.field("scripts", as: [String].self)
            for (index, script) in scripts.enumerated() {
                let path = try wallet.path(kinds[number % 3], branch: UInt32(number / 3), index: UInt32(index))
                #expect(script == "\(SampleWallet.script(kinds[number % 3], try wallet.publicKey(path)))")
            }
        }
        let change = try await hwi.list("getkeypool", "--nokeypool", "--internal", "--addr-type", "legacy", "5", "8")
        #expect(change.count == 1 && change[0]["keypool"] as? Bool == false && change[0]["active"] as? Bool == false)
        #expect(try change[0].text("desc").hasPrefix("pkh(["))
        let elsewhere = try await hwi.list("getkeypool", "--path", "m/84h/1h/7h/3/*", "0", "1")
        #expect(try elsewhere[0].text("desc").contains("/84h/1h/7h]") && elsewhere[0].text("desc").contains("/3/*)#"))
        try await hwi.expectError(-7, "Path must start with m/", "getkeypool", "--path", "84h/*", "0", "1")
        try await hwi.expectError(-7, "Path must end with /*", "getkeypool", "--path", "m/84h", "0", "1")
        try await hwi.expectError(-9, "Taproot", "getkeypool", "--addr-type", "tap", "0", "1")
        try await hwi.expectError(-7, "range", "getkeypool", "7", "3")
        try await hwi.expectError(-2, "", "getkeypool", "--all", "--addr-type", "wit", "0", "1")
    }

    @Test func addresses() async throws {
        let hwi = try await HWICommandLine.withCard(chain: "regtest")
        let wallet = try await hwi.workshop.wallet()
        let path = try wallet.path(.p2shP2WPKH, branch: 0, index: 3)
        let key = try wallet.publicKey(path)
        let wanted = try #require(Address(scriptPubKey: SampleWallet.script(.p2shP2WPKH, key), network: .regtest))
        let account = try wallet.accountPath(.p2shP2WPKH)
        let xpub = try wallet.extendedKey(account)
        let origin = "\(wallet.fingerprint)\("\(account)".dropFirst())"
        let run = try await hwi.run(["displayaddress", "--path", "\(path)", "--addr-type", "sh_wit"]).succeeded()
        #expect(try run.json().text("address") == "\(wanted)" && run.errorText.contains("\(wanted)"))
        for text in [
            "sh(wpkh([\(origin)/0/3]\(key)))", "sh(wpkh([\(origin)]\(xpub.text)/0/3))",
            "sh(wpkh([\(origin)]\(xpub.written(for: .main).text)/0/3))",
            // HWI reads steps behind a key without a chain code, and takes them from the device.
            "sh(wpkh([\(origin)]\(xpub.publicKey)/0/3))",
            "sh(wpkh([\(origin)/0]\(try xpub.descendant(DerivationPath(parsing: "m/0")).publicKey)/3))",
        ] {
            #expect(try await hwi("displayaddress", "--desc", text).text("address") == "\(wanted)", "\(text)")
        }
        // A cosigner among others.
        let other = try SampleWallet(seed: 9)
        let multisig = "wsh(sortedmulti(2,[\(origin)/0/3]\(key),\(try other.publicKey(path))))"
        let shared = try #require(
            Address(scriptPubKey: try Descriptor(parsing: multisig).script(), network: .regtest))
        #expect(try await hwi("displayaddress", "--desc", multisig).text("address") == "\(shared)")
        for (code, words, text) in [
            (-7, "fingerprint does not match", "wpkh([00000000/84h/1h/0h/0/0]\(key))"),
            (-7, "Key in descriptor does not match", "wpkh([\(origin)/0/4]\(key))"),
            (-7, "Key in descriptor does not match", "wpkh([\(origin)/0/3]\(xpub.publicKey)/0/3)"),
            (-7, "Not a descriptor", "wpkh([\(origin)]\(xpub.publicKey)/0h/3)"),
            (-7, "its checksum", "wpkh([\(origin)]\(xpub.publicKey)/0/3)#aaaaaaaa"),
            (-7, "Key in descriptor does not match", "wpkh([\(origin)]\(try other.extendedKey(account).text)/0/3)"),
            (-7, "missing origin", "wpkh(\(key))"), (-7, "Not a descriptor", "wpkh(nonsense)"),
            (-7, "Not a descriptor", "wpkh([\(origin)/0/3]\(key))#aaaaaaaa"),
            (-9, "Taproot", "tr([\(origin)/0/3]\(key))"), (-7, "", "addr(\(wanted))"),
        ] {
            try await hwi.expectError(code, words, "displayaddress", "--desc", text)
        }
        try await hwi.expectError(-2, "required", "displayaddress")
        try await hwi.expectError(-2, "not allowed", "displayaddress", "--desc", "x", "--path", "m/0h")
        try await hwi.expectError(-9, "Taproot", "displayaddress", "--path", "m/86h/1h/0h/0/0", "--addr-type", "tap")
    }

    /// Versions of Bitcoin Core have written to standard input in several ways, and paths with two marks.
    @Test func everyWayOfCores() async throws {
        let hwi = try await HWICommandLine.withCard(chain: "regtest")
        let wallet = try await hwi.workshop.wallet()
        let given = try wallet.psbt()
        let text = String(decoding: given.encoded(as: .base64), as: UTF8.self)
        for line in ["signtx \"\(text)\"", "signtx \(text)", "signtx \(text)\n"] {
            var psbt = try PSBT(fileContent: Array(try await hwi("--stdin", input: line).text("psbt").utf8))
            #expect(psbt.unsignedTransaction == given.unsignedTransaction)
            #expect(psbt.inputs.allSatisfy { $0.partialSignatures.count == 1 && !$0.isFinal })
            try psbt.finalizeInputs()
            try await psbt.expectVerified()
        }
        try await hwi.expectError(-5, "", "--stdin", input: "signtx AAAA")
        for words in [["enumerate"], ["getdescriptors", "--account", "0"]] {
            let line = words.joined(separator: " ") + "\n\n"
            let given = try await hwi.run(["--stdin"], input: line).succeeded().text
            let named = try await hwi.run(words).succeeded().text
            #expect(given == named)
        }
        let path = try wallet.path(.p2wpkh, branch: 0, index: 5)
        let key = try wallet.publicKey(path)
        let wanted = try #require(Address(scriptPubKey: SampleWallet.script(.p2wpkh, key), network: .regtest))
        for mark in ["h", "'"] {
            let steps = "\(path)".dropFirst(2).replacingOccurrences(of: "h", with: mark)
            let single = "wpkh([\(wallet.fingerprint)/\(steps)]\(key))"
            let line = "displayaddress --desc \"\(single)#\(try DescriptorChecksum.checksum(of: single))\""
            #expect(try await hwi("--stdin", input: line).text("address") == "\(wanted)", "\(single)")
        }
    }

    @Test func messages() async throws {
        let hwi = try await HWICommandLine.withCard()
        let wallet = try await hwi.workshop.wallet()
        var entries: [[String: String]] = []
        for (message, path) in [
            ("Hello World", "m/84h/1h/0h/0/0"), ("Grüße, “alle”", "m/44h/1h/3h/1/2"), ("", "m/5h"), ("-1", "m/5h"),
            ("-a b", "m/5h"),
        ] {
            let signature = try await hwi("signmessage", message, path).text("signature")
            let key = try wallet.publicKey(DerivationPath(parsing: path))
            entries.append(["message": message, "signature": signature, "public_key": "\(key)"])
        }
        #expect(
            try await judged(["messages": entries]).field("messages", as: [Bool].self) == [
                true, true, true, true, true,
            ])
        try await hwi.expectError(-7, "", "signmessage", "x", "m/0h/1/2/3")
        #expect(try await hwi.workshop.cardPath() == "m/84h/1h/0h")
    }

    @Test func transactions() async throws {
        let hwi = try await HWICommandLine.withCard()
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, .p2pkh, .p2shP2WPKH]
        let given = try await hwi.workshop.wallet().psbt(recipe)
        let text = String(decoding: given.encoded(as: .base64), as: UTF8.self)
        let run = try await hwi.run(["signtx", text]).succeeded()
        let answer = try run.json()
        answer.expectKeys("psbt signed")
        #expect(answer["signed"] as? Bool == true)
        #expect(run.errorText.contains("You pay 0.00050000 ") && run.errorText.contains("Fee:"))
        let signed = try answer.text("psbt")
        let read = try await judged(["psbts": [signed]]).field("psbts", as: [[String: Any]].self)
        #expect(read[0]["signatures"] as? [Int] == [1, 1, 1] && read[0]["same"] as? Bool == true)
        // A signature that is stored is no answer to a PSBT that does not call the input the card's.
        var silent = given
        silent[input: 0] = PSBT.Input()
        silent[input: 0].nonWitnessUTXO = given.inputs[0].nonWitnessUTXO
        silent[input: 0].witnessUTXO = given.inputs[0].witnessUTXO
        let partly = try await hwi("signtx", String(decoding: silent.encoded(as: .base64), as: UTF8.self))
        let asked = try PSBT(fileContent: Array(partly.text("psbt").utf8))
        #expect(asked.inputs.map(\.partialSignatures.count) == [0, 1, 1])
        // Signed again, nothing is added.
        #expect(try await hwi("signtx", signed)["signed"] as? Bool == false)
        // Somebody else's transaction comes back as it was.
        let foreign = try SampleWallet(seed: 9).psbt()
        let untouched = String(decoding: foreign.encoded(as: .base64), as: UTF8.self)
        let other = try await hwi("signtx", untouched)
        #expect(other["signed"] as? Bool == false && other["psbt"] as? String == untouched)
        try await hwi.expectError(-5, "", "signtx", "nonsense")
        try await hwi.expectError(-5, "", "signtx", String(text.dropLast(40)))
        // A lie about an amount is refused with its name.
        var lying = given
        lying[input: 0].witnessUTXO = TransactionOutput(
            value: 200_000, scriptPubKey: try #require(given.inputs[0].witnessUTXO).scriptPubKey)
        try await hwi.expectError(
            -5, "the witness UTXO claims", "signtx", String(decoding: lying.encoded(as: .base64), as: UTF8.self))
    }
}
