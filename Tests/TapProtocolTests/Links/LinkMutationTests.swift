import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

/// Every small edit of a valid link is refused, or leaves the same link.
@Suite struct LinkMutationTests {
    /// One character's edit.
    private enum Edit: CaseIterable {
        case replace, changeCase, delete, swap, insert

        /// The edited text; `nil` where the edit changes nothing.
        func apply(to text: [UInt8], at place: Int, using random: inout SeededGenerator) -> [UInt8]? {
            var edited = text
            switch self {
            case .replace: edited[place] = Self.character(using: &random)
            case .changeCase:
                guard text[place] | 0x20 >= 0x61, text[place] | 0x20 <= 0x7A else { return nil }
                edited[place] ^= 0x20
            case .delete: edited.remove(at: place)
            case .swap:
                guard place + 1 < text.count else { return nil }
                edited.swapAt(place, place + 1)
            case .insert: edited.insert(Self.character(using: &random), at: place)
            }
            return edited == text ? nil : edited
        }

        private static func character(using random: inout SeededGenerator) -> UInt8 {
            // Half of them are such as links are made of.
            let likely = Array("0123456789abcdef&=#USEtuocrns \n".utf8)
            return Bool.random(using: &random)
                ? likely.randomElement(using: &random) ?? 0 : .random(in: 0x20...0x7E, using: &random)
        }
    }

    @Test func everyEditIsRefusedOrMeansTheSame() throws {
        var random = SeededGenerator()
        var (refused, same) = (0, 0)
        for row in try CardVectors.rows("url") {
            let url = try row.text("url")
            let link = try TapLink(verifying: url)
            let text = Array(url.utf8)
            let fragment = try #require(text.firstIndex(of: UInt8(ascii: "#"))) + 1
            for place in text.indices {
                for edit in Edit.allCases + [.replace, .insert] {
                    guard let edited = edit.apply(to: text, at: place, using: &random) else { continue }
                    let words = String(decoding: edited, as: UTF8.self)
                    guard let found = try? TapLink(verifying: words) else {
                        refused += 1
                        continue
                    }
                    same += 1
                    #expect(found.meaning == link.meaning, "\(edit) at \(place): \(words)")
                    // In the fragment only a line break does no harm.
                    let isBroken = edit == .insert && edited[place] == 0x0A
                    #expect(place < fragment || isBroken, "\(edit) at \(place): \(words)")
                }
            }
        }
        print("edits of links: \(refused) refused, \(same) the same link")
        #expect(refused > 10_000 && same > 100)
    }

    @Test func severalEditsAtOnce() throws {
        var random = SeededGenerator()
        let urls = try CardVectors.rows("url").map { try $0.text("url") }
        for _ in 0..<3_000 {
            let url = try #require(urls.randomElement(using: &random))
            let words = String(decoding: random.damaged(Array(url.utf8)), as: UTF8.self)
            guard let found = try? TapLink(verifying: words) else { continue }
            #expect(found.meaning == (try TapLink(verifying: url).meaning), "\(words)")
        }
    }

    /// Anybody can turn a signature into its twin with the other S. Both give the same keys, so the link says the same.
    @Test func theTwinOfASignatureProvesTheSame() throws {
        let order = try Hex.decode("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
        for row in try CardVectors.rows("url") {
            let url = try row.text("url")
            let s = try Hex.decode(String(url.suffix(64)))
            var twin = [UInt8](repeating: 0, count: 32)
            var borrow = 0
            for index in twin.indices.reversed() {
                let difference = Int(order[index]) - Int(s[index]) - borrow
                borrow = difference < 0 ? 1 : 0
                twin[index] = UInt8(truncatingIfNeeded: difference)
            }
            let (link, other) = (
                try TapLink(verifying: url), try TapLink(verifying: url.dropLast(64) + Hex.encode(twin))
            )
            #expect(other.text != link.text)
            #expect(other.meaning.dropLast() == link.meaning.dropLast())
        }
    }
}
