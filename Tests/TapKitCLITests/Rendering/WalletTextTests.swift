import AnswerDocuments
import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapKitCLI
@testable import TapManager

/// What people and programs read of the locks of a wallet's spending paths.
@Suite struct WalletTextTests {
    private static let synchronized = UnixTime(seconds: 1_800_000_000)
    private static let height = 1_000
    private static let day: Int64 = 86_400

    /// A wallet with one coin, whose second path has a lock.
    /// - Parameters:
    ///   - confirmed: the height of the coin's block.
    ///   - mined: when that was mined, in seconds before the synchronization; `nil`: the server did not say.
    ///   - later: how many days after the synchronization it is looked at.
    ///   - knowsUnconfirmed: whether the server looked for what waits for a block.
    private func view(
        _ lock: String, confirmed: Int, mined: Int64? = nil, later: Int64 = 0, knowsUnconfirmed: Bool = true
    ) throws -> WalletOverview {
        let policy = SamplePolicy(
            "or_d(pk(#A),and_v(v:pkh(#a),\(lock)))", [try SampleWallet(seed: 1), try SampleWallet(seed: 2)])
        let text = try #require(DescriptorText(policy.descriptor()))
        let opened = try OpenedWallet(
            StoredWallet(name: "w", network: .test, descriptors: [text], created: Self.synchronized), network: nil)
        let place = opened.wallet.branches[0].place(0)
        let funding = try SampleWallet.funding(opened.wallet.script(at: place), amount: 5_000, salt: 1)
        let chain = WalletChain(
            network: .test, server: "s", height: Self.height, time: Self.synchronized, hasHistory: true,
            knowsUnconfirmed: knowsUnconfirmed, scripts: [],
            transactions: [
                WalletTransaction(
                    transaction: funding, id: funding.id, height: confirmed,
                    time: mined.map { UnixTime(seconds: Self.synchronized.seconds - $0) })
            ],
            coins: [
                WalletCoin(
                    outpoint: Outpoint(transactionID: funding.id, index: 1), output: funding.outputs[1], place: place,
                    height: confirmed, isCoinbase: false)
            ])
        let now = UnixTime(seconds: Self.synchronized.seconds + later * Self.day)
        return try WalletOverview(opened, chain, in: MemoryStore(), at: now)
    }

    /// The line of the path, and what the coin's line says of it.
    private func lines(_ view: WalletOverview) throws -> (path: String, coin: String?) {
        let lines = WalletText(view).lines
        let path = try #require(lines.first { $0.contains("open to ") }).drop { $0 == " " }
        let coin = try #require(lines.first { $0.contains(" at tb1") })
        return (String(path), coin.components(separatedBy: " · ").first { $0.hasPrefix("path 2") })
    }

    /// Only a server that looked knows that nothing waits for a block.
    @Test func whatNobodyLookedForIsUnknown() throws {
        for knows in [true, false] {
            let view = try view("older(10)", confirmed: 995, knowsUnconfirmed: knows)
            let json = try JSONReader.value(Array(JSONDocument.answer(WalletDocument(view)).utf8))
            #expect(json["confirmed_sat"]?.integer == 5_000)
            #expect(json["unconfirmed_sat"]?.integer == (knows ? 0 : nil))
            let line = try #require(WalletText(view).lines.first { $0.contains("Unconfirmed:") })
            #expect(line.contains("unknown: the server did not check") == !knows)
        }
    }

    @Test func blocksAreCounted() throws {
        let soon = try lines(view("older(10)", confirmed: 995))
        #expect(soon.path == "open to 0 of 1 coin; opens to the next coin from block 1005, about 2027-01-15")
        #expect(soon.coin == "path 2 opens in 4 blocks, about 40 minutes")
        let open = try lines(view("older(10)", confirmed: 991))
        #expect(open.path == "open to 1 of 1 coin" && open.coin == "path 2 is open")
        let far = try lines(view("older(52560)", confirmed: 991))
        #expect(far.path.hasSuffix("from block 53551, about 2028-01-15") && far.coin == nil)
    }

    /// Blocks that came since then are not known.
    @Test func whatWasExpectedSinceIsNotCalledClosed() throws {
        let lines = try lines(view("older(10)", confirmed: 995, later: 1))
        let remedy = "tapkit wallet sync w"
        #expect(lines.path == "open to 0 of 1 coin; the next has probably opened by now: \(remedy)")
    }

    /// Time passes without a synchronization, too.
    @Test func whetherATimeHasPassedIsAnEstimate() throws {
        let date = "after(1800864000)"
        let before = try lines(view(date, confirmed: 995))
        #expect(before.path == "open to 0 of 1 coin; opens to the next coin from about 2027-01-25")
        #expect(before.coin == "path 2 opens around 2027-01-25")
        let after = try lines(view(date, confirmed: 995, later: 11))
        #expect(after.path == "probably open to 1 of 1 coin" && after.coin == "path 2 is probably open")
    }

    /// 168 units of 512 seconds: just under a day, from when the server says that the coin's block was mined.
    @Test func anAgeCountsFromTheBlock() throws {
        let age = "older(4194472)"
        #expect(try lines(view(age, confirmed: 995)).coin == "path 2 opens around 2027-01-16")
        #expect(try lines(view(age, confirmed: 995, mined: Self.day)).coin == "path 2 is probably open")
    }

    /// For programs: a lock of time has no blocks.
    @Test(
        arguments: [
            ("older(10)", 995, 4, "2027-01-15T08:50:00Z"), ("older(10)", 991, 0, nil),
            ("after(1800864000)", 991, nil, "2027-01-25T09:00:00Z"),
        ] as [(String, Int, Int64?, String?)])
    func programsReadTheSame(_ lock: String, _ confirmed: Int, _ blocks: Int64?, _ time: String?) throws {
        let text = try JSONDocument.text(
            WalletDocument(view(lock, confirmed: confirmed)), keys: .snakeCase, .lines)
        let json = try JSONReader.value(Array(text.utf8))
        let opening = try #require(json["utxos"]?.array?.first?["openings"]?.array?.first)
        #expect(opening["path"]?.integer == 2 && opening["blocks"]?.integer == blocks)
        #expect(opening["opens_at"]?.string == time)
        let path = try #require(json["paths"]?.array?.last)
        #expect(path["next_at"]?.string == time && path["open_coins"]?.integer == (time == nil ? 1 : 0))
    }
}
