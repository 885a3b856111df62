import ExplainedErrors
import Glibc
import Testing

@testable import ChainData
@testable import TapManager

/// What is said if there is no room for a file, whichever it is.
@Suite struct FullDiskTests {
    @Test(arguments: [
        (ENOSPC, ErrorCode.diskFull), (EDQUOT, .diskFull), (EROFS, .cannotWrite), (EEXIST, .wouldOverwrite),
    ])
    func aFullDiskIsCalledThat(_ number: Int32, _ code: ErrorCode) {
        let error = WritingError(path: "/f", errorNumber: number)
        #expect(error.code == code && error.remedy.contains("another disk") == (code == .diskFull))
        #expect(StoreCopyError.file(error).code == code && BackupFileError.writing(error).code == code)
        #expect(FlowError.backupNotSaved(BackupFile(path: "/f"), errorNumber: number).code == code)
    }

    /// How servers prove their identity, in a file that cannot be written.
    private struct UnstoredPins: CertificatePins {
        let errorNumber: Int32

        func trust(in server: String) -> ServerTrust? { nil }

        func save(_ trust: ServerTrust, in server: String) throws {
            throw WritingError(path: "/data/servers.json", errorNumber: errorNumber)
        }
    }

    /// It is not the server's fault.
    @Test(arguments: [(ENOSPC, ErrorCode.diskFull), (EACCES, .cannotWrite)])
    func aServerIsNotBlamedForIt(_ number: Int32, _ code: ErrorCode) {
        let error = #expect(throws: ChainError.self) {
            try UnstoredPins(errorNumber: number).require(.authority, of: "a:1", isLocal: false)
        }
        #expect(error?.code == code && error?.message.contains("/data/servers.json cannot be written") == true)
        #expect(error?.remedy.isEmpty == false)
    }
}
