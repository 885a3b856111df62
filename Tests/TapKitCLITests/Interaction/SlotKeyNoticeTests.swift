import AnswerDocuments
import Foundation
import TapManager
import Testing

@testable import TapKitCLI

/// What programs are told if somebody else may have the key of a slot that is swept.
@Suite struct SlotKeyNoticeTests {
    /// The page has no words of its own for it: they come with it.
    @Test(arguments: [true, false]) func aKeyThatAListenerMayHaveIsTold(_ isCertain: Bool) async throws {
        let sample = try await Sample()
        let text = JSONDocument.answer(NoticeDocument(.slotKeyExposed(sample.card, sample.slot, isCertain: isCertain)))
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(json["notice"] as? String == "slot_key_exposed" && json["card"] as? String != nil)
        #expect(json["slot"] as? Int == 3 && json["certain"] as? Bool == isCertain)
        let message = try #require(json["message"] as? String)
        #expect(message.hasPrefix(isCertain ? "The card sent the key of slot 3 " : "The card may have sent the key of"))
        #expect(message.contains("Broadcast the sweep at once"))
    }
}
