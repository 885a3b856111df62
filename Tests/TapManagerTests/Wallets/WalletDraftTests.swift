import Bitcoin
import TapManager
import TestSupport
import Testing

/// Which wallets can be watched.
@Suite struct WalletDraftTests {
    private let key: String
    private let origin: String
    private let main: String

    init() throws {
        let wallet = try SampleWallet(seed: 3)
        let path = try wallet.accountPath(.p2wpkh)
        key = try wallet.extendedKey(path).text
        origin = KeyOrigin(fingerprint: wallet.fingerprint, path: path).description
        main = try ExtendedPrivateKey(seed: SecretBytes([UInt8](repeating: 3, count: 32)), network: .main).neutered.text
    }

    private func draft(_ descriptors: [String], name: String = "w", network: Network? = nil) throws -> WatchWallet {
        try WalletDraft(name: WalletName(parsing: name), network: network, descriptors: descriptors).wallet
    }

    @Test func branchesKnowWhatTheyAreFor() throws {
        let multipath = try draft(["wpkh(\(key)/<0;1>/*)"])
        #expect(multipath.branches.map(\.isChange) == [false, true])
        #expect(multipath.receivingBranch?.number == 0 && multipath.changeBranch?.number == 1)
        let pair = try draft(["wpkh(\(key)/1/*)", "wpkh(\(key)/0/*)"])
        #expect(pair.receivingBranch?.descriptor == 1 && pair.changeBranch?.descriptor == 0)
        // Alone, the branch for change is the one there is.
        let alone = try draft(["wpkh(\(key)/1/*)"])
        #expect(alone.branches.map(\.isChange) == [false])
        #expect(alone.changeBranch == alone.receivingBranch)
        let single = try draft(["wpkh(\(key)/0/7)"])
        #expect(single.branches.map(\.isRanged) == [false])
        let place = try #require(multipath.branches.last).place(5)
        #expect(
            try multipath.script(at: place)
                == draft(["wpkh(\(key)/1/*)"]).script(at: .init(descriptor: 0, branch: 0, index: 5)))
    }

    @Test func everyScriptOfComboIsWatched() throws {
        let wallet = try draft(["combo(\(key)/<0;1>/*)"])
        #expect(wallet.descriptors.count == 4)
        let scripts = Set(
            try wallet.descriptors.indices.map { try wallet.script(at: .init(descriptor: $0, branch: 1, index: 2)) })
        #expect(scripts == Set(try Descriptor(parsing: "combo(\(key)/1/*)").scripts(index: 2)))
    }

    @Test func networksAreTold() throws {
        #expect(try draft(["wpkh(\(key)/0/*)"]).network == .test)
        #expect(try draft(["wpkh(\(key)/0/*)"], network: .regtest).network == .regtest)
        #expect(try draft(["wpkh(\(main)/0/*)"]).network == .main)
        #expect(throws: WalletError.otherNetwork(1, wanted: .signet)) {
            try draft(["wpkh(\(main)/0/*)"], network: .signet)
        }
        #expect(throws: WalletError.self) { try draft(["wpkh(\(main)/0/*)", "wpkh(\(key)/0/*)"]) }
    }

    @Test(
        arguments: [
            ("wpkh(KEY/0h/*)", WalletError.descriptor(1, .hardenedStep)),
            ("wpkh(KEY/0/*h)", .descriptor(1, .hardenedStep)),
            ("wpkh(KEY/0/*)#aaaaaaaa", .descriptor(1, .checksum(.mismatch))),
            ("wpkh(KEY/0/*", .descriptor(1, .malformed)),
            ("wpkh(cTKi6qqpkcuYpKTz8wHnQz6rjvUqKxzYpWSDjnbmpHpTgGJkL6Rf)", nil),
            ("", nil), ("hello", nil),
        ] as [(String, WalletError?)])
    func whatCannotBeWatchedIsRefused(_ text: String, _ error: WalletError?) throws {
        let text = text.replacingOccurrences(of: "KEY", with: key)
        do throws(WalletError) {
            _ = try WalletDraft(name: WalletName(parsing: "w"), network: nil, descriptors: [text])
            Issue.record("taken: \(text)")
        } catch let found {
            if let error { #expect(found == error) }
        }
    }

    @Test func privateKeysAreRefused() throws {
        let wallet = try SampleWallet(seed: 3)
        let secret = wallet.master.text
        #expect(throws: WalletError.privateKeys(2)) {
            try draft(["wpkh(\(key)/0/*)", "wpkh(\(secret)/0/*)"])
        }
        // They do not get as far as a manager.
        #expect(throws: WalletError.privateKeys(2)) {
            _ = try CardManager.WalletSource.parsing(["wpkh(\(key)/0/*)", "wpkh(\(secret)/0/*)"])
        }
    }

    /// What is given for a wallet is kept with a checksum, whether it had one or not.
    @Test func whatPeopleWriteIsReadOnce() throws {
        let text = "wpkh(\(key)/0/*)"
        let whole = try #require(try Descriptor(parsing: text).text)
        guard case .descriptors(let read) = try CardManager.WalletSource.parsing([text]) else {
            Issue.record("no descriptors")
            return
        }
        #expect(read.map(\.description) == [whole] && whole.hasPrefix(text + "#"))
        for texts in [[], Array(repeating: whole, count: 101)] {
            #expect(throws: WalletError.descriptorCount(limit: 100)) {
                _ = try CardManager.WalletSource.parsing(texts)
            }
        }
    }

    @Test func theSameDescriptorTwiceIsRefused() throws {
        #expect(throws: WalletError.sameDescriptor(2)) {
            try draft([
                "wpkh(\(origin)\(key)/0/*)", "wpkh(\(origin.replacingOccurrences(of: "h", with: "'"))\(key)/0/*)",
            ])
        }
        #expect(throws: WalletError.self) { try draft([]) }
    }

    @Test(arguments: ["", " w", "w ", "-w", "a\nb", "a\u{1B}[2J", "a\u{202E}b", String(repeating: "x", count: 65)])
    func badNamesAreRefused(_ name: String) throws {
        #expect(throws: WalletError.badName(name)) { try draft(["wpkh(\(key)/0/*)"], name: name) }
    }

    @Test func originsAreWholePaths() throws {
        let wallet = try draft(["wpkh(\(origin)\(key)/<0;1>/*)"])
        let origins = wallet.origins(of: .init(descriptor: 0, branch: 1, index: 9))
        #expect(origins.map(\.path.description) == ["m/84h/1h/0h/1/9"])
    }
}
