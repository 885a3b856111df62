import Bitcoin
import ByteCodec
import ExplainedErrors
import QRCodes
import TapManager
import Testing

@testable import ChainData
@testable import TapProtocol

/// What exceeds a bound is refused with the bound.
@Suite struct BoundTests {
    private struct NotRefused: Error {}

    private static let errors: [(Int, any Error)] = [
        (3_600, MiniscriptError.scriptTooLong(3_601, limit: 3_600)), (201, MiniscriptError.tooManyOperations(202)),
        (100, MiniscriptError.tooManyItems(101)), (1_000, MiniscriptError.tooManyStackItems(1_001)),
        (10_000, ScriptFailure.scriptTooLong), (520, ScriptFailure.itemTooLong), (201, ScriptFailure.tooManyOperations),
        (1_000, ScriptFailure.tooManyItems), (80_000, ScriptFailure.tooManySignatureChecks),
        (20, ScriptFailure.keyCount), (4, ScriptFailure.numberTooLong), (5, ScriptFailure.numberTooLong),
        (64, LabelFault.tooDeep), (64, LabelFault.endlessLetter),
        (200_000, WalletFile.Fault.excess(.valueCount)), (32, WalletFile.Fault.excess(.depth)),
        (16 << 20, WalletFile.Fault.excess(.length)), (256, WalletFile.Fault.excess(.keyLength)),
        (64, WalletFile.Fault.excess(.endlessLetter)),
        (32, refusal { try WalletFile(parsing: "{\"accounts\":" + String(repeating: "[", count: 40), network: nil) }),
        (16, refusal { try ResponseFields(command: "status", encoded: [UInt8](repeating: 0x81, count: 40)) }),
        (100, refusal { try EsploraSource.text([UInt8](repeating: 0x31, count: 101)) }),
        (2_331, refusal { try QRCode(String(repeating: "a", count: 3_000)) }),
        (64, KitError.tooManyPaths), (50_000, KitError.tooManyPaths), (12, KitError.excess(.core, .depth)),
        (1_295, QRCodeError.tooManyCodes(bytes: 9_999_999)),
    ]

    private static func refusal(_ body: () throws -> some Any) -> any Error {
        do {
            _ = try body()
            return NotRefused()
        } catch { return error }
    }

    @Test(arguments: errors) func isNamed(_ bound: Int, _ error: any Error) {
        let text = (error as? any ExplainedError)?.message ?? "\(error)"
        #expect(text.split { !$0.isNumber }.contains("\(bound)"), "\(text)")
    }
}
