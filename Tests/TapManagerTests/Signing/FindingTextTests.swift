import Bitcoin
import TapManager
import Testing

/// A PSBT can have thousands of inputs that lie, or signers: what is written of them stays readable.
@Suite struct FindingTextTests {
    private func findings(_ code: FindingCode, count: Int) -> [Finding] {
        (0..<count).map { Finding(.refusal, code, .output($0), "says nothing.") }
    }

    private func fingerprints(_ count: UInt8) throws -> [Fingerprint] {
        try (0..<count).map { try #require(Fingerprint([0, 0, 0, $0])) }
    }

    @Test func ofEachKindTheFirstFiveAreWrittenOut() {
        let lines = FindingText.lines(findings(.outputDust, count: 5) + findings(.changeMismatch, count: 5_000))
        #expect(lines.count == 11)
        #expect(lines.first == "Output 0: says nothing." && lines[9] == "Output 4: says nothing.")
        #expect(lines.last == "… and 4995 more of the kind change_mismatch")
    }

    /// Whoever makes a PSBT chooses its order: the costliest finding is not hidden behind cheap ones.
    @Test func theLargestStakesAreWrittenOut() {
        let lines = FindingText.lines(findings(.changePathUnusual, count: 9)) { finding in
            [.output(6), .output(8)].contains(finding.subject) ? Amount(satoshis: 90_000) : .zero
        }
        #expect(lines.prefix(3).map { $0.prefix(9) } == ["Output 6:", "Output 8:", "Output 0:"])
        #expect(lines.count == 6)
    }

    /// What one hash type gives away does not stand for what another one does; nor is a program's own check like another.
    @Test(arguments: [FindingCode.sighashNotAll, .policy])
    func noOtherMeaningIsHiddenBehindMany(_ code: FindingCode) {
        let many = (0..<9).map { Finding(.warning, code, .output($0), "leaves inputs open.") }
        let worst = Finding(.warning, code, .output(9), "leaves all outputs open.")
        #expect(FindingText.lines(many + [worst]).last == worst.message)
    }

    @Test func ofFingerprintsTheFirstFiveAreWrittenOut() throws {
        #expect(FindingText.list(try fingerprints(2)) == "00000000, 00000001")
        #expect(FindingText.list(try fingerprints(5)).hasSuffix(", 00000004"))
        #expect(FindingText.list(try fingerprints(200)).hasSuffix(", 00000004 and 195 more"))
    }

    @Test func whereNothingCanBeSignedTooItIsShort() throws {
        let error = FlowError.nothingToSign(
            card: try fingerprints(1)[0], named: try fingerprints(200),
            findings: findings(.derivationMismatch, count: 5_000))
        #expect(error.message.hasSuffix(" and 195 more.") && error.details.count == 6)
    }
}
