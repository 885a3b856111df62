import Testing

@testable import TapKitCLI
@testable import TapManager

/// What is said about the keys of an address that no card has proven.
@Suite struct AddressProofTextTests {
    private func warning(_ unproven: Int, of count: Int, fewest: Int?, isRegistered: Bool = false) -> String? {
        AddressProof(
            cards: [], keyCount: count, unprovenKeyCount: unproven, fewestOthers: fewest, othersNeedLock: false,
            isRegistered: isRegistered
        ).warning
    }

    @Test func whoCanSpendWithoutTheCardsIsTold() {
        #expect(
            warning(2, of: 3, fewest: 1)
                == "2 of its 3 keys are not verified, and one of these is enough to spend: whoever holds it can take the "
                + "money.")
        #expect(
            warning(2, of: 3, fewest: 2)
                == "2 of its 3 keys are not verified, and 2 of these are enough to spend: whoever holds them can take the "
                + "money.")
        #expect(
            warning(1, of: 2, fewest: nil)
                == "1 of its 2 keys is not verified. The money cannot be spent without the verified keys.")
    }

    @Test func nothingIsSaidAboutWhatIsProven() {
        #expect(warning(0, of: 3, fewest: nil) == nil && warning(2, of: 3, fewest: 1, isRegistered: true) == nil)
    }
}
