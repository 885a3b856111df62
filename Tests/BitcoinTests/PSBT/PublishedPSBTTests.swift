import Bitcoin
import TestSupport
import Testing

/// PSBTs of other projects' test suites, role by role.
@Suite struct PublishedPSBTTests {
    @Test func bitcoinCore() async throws {
        var psbts = try PublishedPSBTs(.corePSBTs)
        #expect(
            psbts.lists == [
                "invalid", "invalid_with_msg", "valid", "creator", "signer", "combiner", "finalizer", "extractor",
            ])
        try psbts.refuse("invalid")
        try psbts.refuse("invalid_with_msg")
        try psbts.read("valid")
        try psbts.create("creator")
        try psbts.sign("signer")
        try psbts.combine("combiner")
        try psbts.finalize("finalizer")
        try psbts.extract("extractor")
        psbts.ledger.close(count: 144)
        try await psbts.jury.agree()
    }

    @Test func hwi() async throws {
        var psbts = try PublishedPSBTs(.hwiPSBTs)
        #expect(
            psbts.lists == [
                "invalid", "valid", "locktimes", "conflicting_locktimes", "creator", "signer", "combiner", "finalizer",
                "extractor",
            ])
        try psbts.refuse("invalid")
        try psbts.read("valid")
        try psbts.computeLockTimes("locktimes")
        try psbts.refuse("conflicting_locktimes")
        try psbts.create("creator")
        try psbts.sign("signer")
        try psbts.combine("combiner")
        try psbts.finalize("finalizer")
        try psbts.extract("extractor")
        psbts.ledger.close(count: 137)
        try await psbts.jury.agree()
    }

    @Test func libwally() async throws {
        var psbts = try PublishedPSBTs(.libwallyPSBTs)
        #expect(
            psbts.lists == [
                "invalid", "valid", "creator", "signer", "invalid_signer", "combiner", "finalizer", "extractor",
            ])
        try psbts.refuse("invalid", key: "psbt")
        try psbts.read("valid", key: "psbt")
        try psbts.create("creator")
        try psbts.sign("signer")
        try psbts.refuseToSign("invalid_signer")
        try psbts.combine("combiner", key: "psbts")
        try psbts.finalize("finalizer", key: "psbt")
        try psbts.extract("extractor", key: "psbt")
        psbts.ledger.close(count: 275)
        try await psbts.jury.agree()
    }
}
