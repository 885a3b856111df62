import TestSupport
import Testing

@testable import TapSimulator

/// Every published difference between versions is one that the simulator makes, at that version and not before.
@Suite struct AppletVersionTests {
    /// What changed with a published version, asked of one of ours.
    private static let changes: [String: @Sendable (AppletVersion) -> Bool] = [
        "1.0.0": {
            $0.checkCoversSlotKey && !$0.certsCarryNonce && !$0.losesNonceOnError && !$0.tampersOnSubpath
        },
        "1.0.1": { $0.wantsDigitsInCVC },
        "1.0.2": { $0.countsWrongLength },
        "1.0.3": { $0.dumpShowsUnsealedKey },
    ]

    @Test func everyPublishedChangeIsMade() throws {
        let rows = try VectorCard.rows("applet_version")
        #expect(rows.count == 4)
        for row in rows {
            let version = try row.text("version")
            let isMade = try #require(Self.changes[version], "\(row)")
            for ours in AppletVersion.allCases {
                // Versions of three one-digit numbers compare as text.
                #expect(isMade(ours) == (ours.rawValue >= version), "\(ours.rawValue): \(row)")
            }
        }
    }

    /// Both rows are about what readers must put up with; the card's side of the first is in `SlotLifeTests`.
    @Test func theNotesAreKnown() throws {
        let rows = try VectorCard.rows("note")
        #expect(
            try rows.map { try $0.text("about") } == ["dump.master_pk and unseal.master_pk", "URL parsing in Cove"])
    }
}
