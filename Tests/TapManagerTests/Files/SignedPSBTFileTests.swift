import Bitcoin
import ExplainedErrors
import Glibc
import TestSupport
import Testing

@testable import TapManager

/// What a file for a signed PSBT has from earlier runs is neither overlooked nor lost.
@Suite struct SignedPSBTFileTests {
    private let folder: TemporaryFolder
    private let path: String
    private let psbt: PSBT
    private let cosigners: [SampleWallet]

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("tx.signed.psbt")
        (psbt, cosigners) = try StoreSample.multisig()
    }

    private func signed(by index: Int) throws -> PSBT {
        let signer = cosigners[index]
        let derivation = try #require(psbt.inputs[0].derivations.first { $0.fingerprint == signer.fingerprint })
        let digest = try psbt.spending(ofInput: 0).digest(.all, using: SighashCache(psbt.unsignedTransaction))
        let key = try signer.master.descendant(derivation.path).privateKey
        var result = psbt
        result.addPartialSignature(
            PartialSignature(key.signGrindingLowR(digest: digest), by: key.publicKey), toInput: 0)
        return result
    }

    private func content() throws -> PSBT {
        try PSBT(fileContent: #require(AtomicFile.content(of: path, limit: PSBT.maximumFileSize)))
    }

    private func signatureCount(_ psbt: PSBT) -> Int { psbt.inputs[0].partialSignatures.count }

    @Test(arguments: [
        ("tx.psbt", "tx.signed.psbt"), ("tx", "tx.signed"), ("a.b/tx", "a.b/tx.signed"),
        ("a.b/tx.psbt.txt", "a.b/tx.psbt.signed.txt"), (".psbt", ".psbt.signed"), ("a/.psbt", "a/.psbt.signed"),
        ("/x.psbt", "/x.signed.psbt"), ("tx.", "tx.signed."),
    ])
    func signedComesBeforeTheEnding(_ input: String, _ output: String) {
        #expect(SignedPSBTFile.usualPath(forSigned: input) == output)
    }

    @Test func whatAnEarlierRunSignedCounts() throws {
        let file = SignedPSBTFile(path: path)
        #expect(try file.combined(psbt).serialized() == psbt.serialized())
        try file.write(signed(by: 0))
        #expect(try signatureCount(file.combined(psbt)) == 1)
        #expect(try signatureCount(file.combined(signed(by: 1))) == 2)
        // Reading changes nothing.
        #expect(try signatureCount(content()) == 1)
        // Two runs at once: each signs what was there before, and none loses what the other one wrote.
        try file.write(signed(by: 1))
        #expect(try signatureCount(content()) == 2)
        // Nothing is added to what has all signatures.
        let whole = try file.combined(psbt)
        try file.write(whole)
        #expect(try content().serialized() == whole.serialized())
    }

    /// Whoever can write the file cannot have a false signature taken for what another run signed.
    @Test func falseSignaturesThatCameMeanwhileAreLeftOut() throws {
        let file = SignedPSBTFile(path: path)
        try file.write(psbt.adding(try StoreSample.signature(psbt, input: 0, by: cosigners[0])))
        try file.write(signed(by: 1))
        #expect(try content().inputs[0].partialSignatures == signed(by: 1).inputs[0].partialSignatures)
        // Nor one by a key that has signed.
        try SignedPSBTFile(path: path, overwriting: true).write(
            psbt.adding(try StoreSample.signature(psbt, input: 0, by: cosigners[1])))
        try file.write(signed(by: 1))
        #expect(try content().inputs[0].partialSignatures == signed(by: 1).inputs[0].partialSignatures)
    }

    /// What has become something else in the meantime stays, unless the user wants it replaced.
    @Test func whatCameMeanwhileIsNotReplaced() throws {
        for content in [Array("precious".utf8), try SampleWallet(seed: 9).psbt().encoded(as: .base64)] {
            try AtomicFile.write(content, to: path, mode: 0o600)
            #expect(throws: OverwritingError.notSignedForm(path)) {
                try SignedPSBTFile(path: path).write(signed(by: 0))
            }
            #expect(try AtomicFile.holds(content, path) == true)
            try SignedPSBTFile(path: path, overwriting: true).write(signed(by: 0))
            #expect(try signatureCount(self.content()) == 1)
        }
    }

    /// Another PSBT, something else, or more than a PSBT can be: it stays, unless the user wants it replaced.
    @Test func otherContentIsNotTakenForASignedForm() throws {
        let other = try SampleWallet(seed: 9).psbt()
        let contents = [
            Array("precious".utf8), [], other.encoded(as: .base64),
            [UInt8](repeating: 0x20, count: PSBT.maximumFileSize + 1),
        ]
        for content in contents {
            try AtomicFile.write(content, to: path, mode: 0o600)
            #expect(throws: OverwritingError.notSignedForm(path)) { try SignedPSBTFile(path: path).combined(psbt) }
            #expect(try SignedPSBTFile(path: path, overwriting: true).combined(psbt).serialized() == psbt.serialized())
            #expect(try AtomicFile.holds(content, path) == true)
        }
    }

    @Test func onlyWhatIsKeptElsewhereMayBeReplaced() throws {
        let file = SignedPSBTFile(path: path)
        try file.requireReplaceable()
        try file.write(psbt)
        #expect(throws: OverwritingError.exists(path)) { try file.requireReplaceable() }
        #expect(throws: OverwritingError.exists(path)) {
            try file.requireReplaceable { $0.serialized() != psbt.serialized() }
        }
        try file.requireReplaceable { $0.serialized() == psbt.serialized() }
        try SignedPSBTFile(path: path, overwriting: true).requireReplaceable()
        // Of what is no PSBT, nobody can say that it is kept elsewhere.
        try folder.write("precious", to: "tx.signed.psbt")
        #expect(throws: OverwritingError.exists(path)) { try file.requireReplaceable { _ in true } }
    }

    /// A pipe that nobody writes to is not read.
    @Test func pipesHoldNoEarlierResult() throws {
        try #require(mkfifo(path, 0o600) == 0)
        let file = SignedPSBTFile(path: path)
        #expect(try file.combined(psbt).serialized() == psbt.serialized())
        try file.requireReplaceable()
        #expect(AtomicFile.content(of: path, limit: 100) == nil)
    }

    /// Nor does standard output hold one, though it is a file.
    @Test func standardOutputHoldsNoEarlierResult() throws {
        let descriptor = open(try folder.write("precious", to: "log"), O_WRONLY | O_APPEND)
        defer { close(descriptor) }
        try #require(descriptor >= 0 && symlink("/proc/self/fd/\(descriptor)", path) == 0)
        let file = SignedPSBTFile(path: path)
        #expect(try file.combined(psbt).serialized() == psbt.serialized())
        try file.requireReplaceable()
        try file.write(psbt)
        let written = Array("precious".utf8) + psbt.encoded(as: psbt.fileForm)
        #expect(try AtomicFile.holds(written, folder.path("log")) == true)
    }

    @Test(arguments: PSBT.FileForm.allCases) func theFormIsTheWantedOne(_ form: PSBT.FileForm) throws {
        let file = SignedPSBTFile(path: path, form: form)
        try file.write(psbt)
        #expect(try content().fileForm == form)
        var information = stat()
        try #require(stat(path, &information) == 0)
        #expect(information.st_mode & 0o7777 == 0o600)
        // Without a wanted one, that of what is written.
        try SignedPSBTFile(path: path).write(psbt)
        #expect(try content().fileForm == psbt.fileForm)
    }

    @Test func aMissingFolderIsFoundBeforeSigning() {
        let file = SignedPSBTFile(path: folder.path("none/tx"))
        #expect(throws: WritingError.self) { try file.checkWritable() }
    }
}
