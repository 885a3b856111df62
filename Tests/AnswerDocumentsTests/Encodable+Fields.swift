import Foundation
import TapManager
import Testing

extension Encodable {
    /// The document's keys and values, as a program reads them.
    func fields() throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: Data(JSONDocument.answer(self).utf8))
        return try #require(json as? [String: Any])
    }
}
