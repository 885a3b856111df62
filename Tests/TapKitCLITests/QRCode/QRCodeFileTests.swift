import Foundation
import QRCodes
import TestSupport
import Testing

@testable import TapKitCLI

@Suite struct QRCodeFileTests {
    @Test(arguments: [
        ("a.png", QRCodeFile.Format.png), ("A.PNG", .png), ("a.svg", .svg), ("a.b.Svg", .svg), ("x.png/a.svg", .svg),
        ("/tmp/ä.pNg", .png),
    ])
    func theEndingTellsTheFormat(_ path: String, _ format: QRCodeFile.Format) throws {
        #expect(try QRCodeFile(path: path).format == format)
    }

    @Test(arguments: [
        "", "-", "a", "a.", "png", ".png", "x/.svg", "a.png/b", "a.png/", "a.jpg", "a.svgz", "a.png ", "a.svg.gz",
    ])
    func anyOtherEndingIsAUsageError(_ path: String) {
        let failure = #expect(throws: Failure.self) { try QRCodeFile(path: path) }
        #expect(failure?.code == .usage && failure?.exitStatus == .usage)
        #expect(failure?.message == "\(path): a QR code is saved as .png or .svg.")
    }

    @Test func theImageIsWrittenWhole() throws {
        let folder = try TestSupport.TemporaryFolder()
        let code = try QRCode("HELLO")
        try folder.write("something longer than nothing", to: "a.PNG")
        for (name, bytes) in [("a.PNG", try code.png()), ("a.svg", Array(code.svg().utf8))] {
            let file = try QRCodeFile(path: folder.path(name))
            try file.checkWritable()
            try file.write(code)
            #expect(try Data(contentsOf: folder.url.appendingPathComponent(name)) == Data(bytes))
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["a.PNG", "a.svg"])
    }

    @Test func aFolderThatIsNotThereIsSaid() throws {
        let folder = try TestSupport.TemporaryFolder()
        let file = try QRCodeFile(path: folder.path("no/a.png"))
        let code = try QRCode("HELLO")
        #expect(#expect(throws: Failure.self) { try file.checkWritable() }?.code == .cannotWrite)
        #expect(#expect(throws: Failure.self) { try file.write(code) }?.code == .cannotWrite)
    }

    @Test func filesAreNumberedBeforeTheirEnding() throws {
        for (path, first) in [
            ("out.png", "out-001.png"), ("a.b/x.y.SVG", "a.b/x.y-001.SVG"), ("ä.svg", "ä-001.svg"),
        ] {
            #expect(try QRCodeFile(path: path).numbered(1).path == first)
        }
        #expect(try QRCodeFile(path: "out.png").numbered(1295).path == "out-1295.png")
    }
}
