import QRCodes
import TapManager
import TextLayout

/// A kit as a page to print: A4, with QR codes of the descriptors.
struct KitPage {
    private let kit: WalletKit
    private let text: KitText

    init(_ kit: WalletKit, _ text: KitText) { (self.kit, self.text) = (kit, text) }

    /// Millimetres.
    private static let (width, height, margin) = (210, 297, 14)
    /// The most of each list that there is room for.
    private static let (mostPaths, mostKeys) = (10, 8)
    /// How many characters of a line have room, and how many of one in which all are equally wide.
    private static let (columns, wideColumns) = (108, 100)
    /// How many lines of descriptors have room beside the codes.
    private static let mostDescriptorLines = 16
    /// The largest code that is easily read from paper, and the smallest side of one, in millimetres.
    private static let (largestVersion, smallestSide) = (25, 52)
    /// How many codes have room.
    private static let mostCodes = 9

    /// The page as an SVG image.
    /// - Throws: `QRCodeError` only if a library fails.
    var svg: String {
        get throws {
            var page = Page()
            page.add("The wallet \(text.title)", size: 6)
            page.add(text.origin, size: 3)
            for line in KitText.meaning { page.add(wrapped: line) }
            page.head("Who can spend")
            page.add(list: text.paths, most: Self.mostPaths)
            if let asOf = text.asOf { page.add(wrapped: asOf) }
            page.head("The keys")
            page.add(list: text.keys.map { "\($0.name)  \($0.holder)" }, most: Self.mostKeys)
            page.head("What to do")
            page.add(
                wrapped:
                    "The descriptors in these codes and the cards, or their backup files and backup keys, are all that "
                    + "it takes. The folder of this page has \(KitFile.Name.readMe.rawValue), which says every step. "
                    + KitText.warnings[0])
            page.head("The descriptors")
            page.add(verbatim: kit.wallet.descriptors.compactMap(\.text), most: Self.mostDescriptorLines)
            page.add(try codes(), to: Self.height - Self.margin, width: Self.width - 2 * Self.margin)
            return page.svg
        }
    }

    /// One code for each descriptor or, if there are many or one is long, those of all of them in parts.
    private func codes() throws -> [(code: QRCode, caption: String)] {
        let descriptors = kit.wallet.descriptors.compactMap(\.text)
        let single = descriptors.compactMap { try? QRCode($0) }
        if single.count == descriptors.count, single.count <= 4,
            single.allSatisfy({ QRCode.version(ofSize: $0.size) <= Self.largestVersion })
        {
            return single.enumerated().map { ($1, "Descriptor \($0 + 1) of \(single.count)") }
        }
        let content = QRContent(text: descriptors.joined(separator: "\n"))
        guard let sequence = try? QRSequence(content, .bbqr, limit: QRSequence.largestVersion),
            sequence.count <= Self.mostCodes
        else { return [] }
        return try (0..<sequence.count).map { (try sequence.code($0), sequence.caption($0)) }
    }

    /// The page while it is written, from its upper edge to the lower one.
    private struct Page {
        private var parts: [String] = []
        private var y = KitPage.margin

        mutating func head(_ text: String) {
            y += 2
            add(text, size: 4, style: #" font-weight="bold""#)
        }

        mutating func add(wrapped text: String) {
            for line in WrappedText.lines(text, width: KitPage.columns, rest: "   ") { add(line, size: 3) }
        }

        /// Texts to copy by hand, if there is room for all of them.
        mutating func add(verbatim texts: [String], most: Int) {
            var lines: [Substring] = []
            for text in texts {
                var rest = text[...]
                while !rest.isEmpty {
                    lines.append(rest.prefix(KitPage.wideColumns))
                    rest = rest.dropFirst(KitPage.wideColumns)
                }
            }
            guard lines.count <= most else { return }
            for line in lines { add(String(line), size: 3, style: #" font-family="monospace""#) }
        }

        mutating func add(list: [String], most: Int) {
            for item in list.prefix(most) { add(wrapped: item) }
            if list.count > most {
                add(wrapped: "and \(list.count - most) more: see \(KitFile.Name.readMe.rawValue)")
            }
        }

        mutating func add(_ text: String, size: Int, style: String = "") {
            y += size + 1
            parts.append(
                #"<text x="\#(KitPage.margin)" y="\#(y)" font-size="\#(size)"\#(style)>\#(Self.escaped(text))</text>"#)
        }

        /// As large as there is room for, side by side.
        mutating func add(_ codes: [(code: QRCode, caption: String)], to end: Int, width: Int) {
            y += 3
            let best = (1...3).map { columns in
                let rows = max(1, (codes.count + columns - 1) / columns)
                return (columns: columns, side: min(width / columns, (end - y) / rows - 5, 120))
            }.max { $0.side < $1.side }
            guard let best, !codes.isEmpty, best.side >= KitPage.smallestSide else {
                add(wrapped: "The descriptors have no room here: keep \(KitFile.Name.descriptors.rawValue).")
                return
            }
            for (place, item) in codes.enumerated() {
                let x = KitPage.margin + place % best.columns * best.side
                let top = y + place / best.columns * (best.side + 5)
                parts.append(item.code.svgPart(x: x, y: top, side: best.side))
                parts.append(
                    #"<text x="\#(x + best.side / 2)" y="\#(top + best.side + 2)" font-size="3" text-anchor="middle">"#
                        + "\(Self.escaped(item.caption))</text>")
            }
        }

        var svg: String {
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="\(KitPage.width)mm" height="\(KitPage.height)mm" \
            viewBox="0 0 \(KitPage.width) \(KitPage.height)" font-family="sans-serif">
            <rect width="\(KitPage.width)" height="\(KitPage.height)" fill="#ffffff"/>
            \(parts.joined(separator: "\n"))
            </svg>

            """
        }

        /// Spec: XML 1.0, "Character Data and Markup".
        private static func escaped(_ text: String) -> String {
            TerminalText.neutralized(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
                .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
        }
    }
}
