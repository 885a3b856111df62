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
    /// Where text and codes end.
    private static let end = height - margin
    /// The most of each list that is shown.
    private static let (mostPaths, mostKeys) = (10, 8)
    /// How far the list of keys shortens that of the paths at most.
    private static let keysHeight = 48
    /// How many characters of a line have room, and how many of one in which all are equally wide.
    private static let (columns, wideColumns) = (108, 100)
    /// How many lines of descriptors may make the codes smaller.
    private static let mostDescriptorLines = 16
    /// The largest code that is easily read from paper, and the smallest side of one, in millimetres.
    private static let (largestVersion, smallestSide) = (25, 52)
    /// How many codes have room, and side by side.
    private static let (mostCodes, mostColumns) = (9, 3)

    /// The page as an SVG image.
    /// - Throws: `QRCodeError` only if a library fails.
    var svg: String {
        get throws {
            let codes = try self.codes()
            let keys = text.keys.map { "\($0.name)  \($0.holder)" }
            let asOf = [text.asOf].compactMap(\.self)
            // The lists end where the rest still has room.
            let keysEnd = Self.end - 2 * Page.headHeight - Page.height(of: [advice]) - Page.room(for: codes.count)
            let pathsEnd =
                keysEnd - Page.height(of: asOf) - Page.headHeight
                - min(Page.height(of: Array(keys.prefix(Self.mostKeys))) + Page.lineHeight, Self.keysHeight)
            var page = Page()
            page.add("The wallet \(text.title)", size: 6)
            page.add(text.origin, size: 3)
            for line in KitText.meaning { page.add(wrapped: line) }
            page.head("Who can spend")
            page.add(list: text.paths, most: Self.mostPaths, to: pathsEnd)
            for line in asOf { page.add(wrapped: line) }
            page.head("The keys")
            page.add(list: keys, most: Self.mostKeys, to: keysEnd)
            page.head("What to do")
            page.add(wrapped: advice)
            page.head("The descriptors")
            page.add(kit.wallet.descriptors.compactMap(\.text), codes)
            return page.svg
        }
    }

    private var advice: String {
        "The descriptors in these codes and the cards, or their backup files and backup keys, are all that it takes. "
            + (kit.neededGapLimit.map { "Programs have to search at least \($0) addresses (their gap limit). " } ?? "")
            + "The folder of this page has \(KitFile.Name.readMe.rawValue), which explains every step. "
            + KitText.warnings[0]
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

        /// The heights of a line of text, of a heading, and of the space above the codes.
        static let (lineHeight, headHeight, gap) = (4, 7, 3)
        /// The height of a code's caption.
        private static let captionHeight = 5
        /// The most that the lists leave to the codes.
        private static let mostRoom = 120

        /// What the codes take at least or, if that is too much, a line instead of them.
        static func room(for count: Int) -> Int {
            let rows = (count + KitPage.mostColumns - 1) / KitPage.mostColumns
            let room = gap + max(lineHeight, rows * (KitPage.smallestSide + captionHeight))
            return room <= mostRoom ? room : gap + lineHeight
        }

        /// How high some paragraphs are.
        static func height(of texts: [String]) -> Int {
            texts.reduce(0) { $0 + lines($1).count * lineHeight }
        }

        private static func lines(_ text: String) -> [String] {
            WrappedText.lines(text, width: KitPage.columns, rest: "   ")
        }

        mutating func head(_ text: String) {
            y += 2
            add(text, size: 4, style: #" font-weight="bold""#)
        }

        mutating func add(wrapped text: String) {
            for line in Self.lines(text) { add(line, size: 3) }
        }

        /// As much of a list as there is room for, and how much more there is.
        mutating func add(list: [String], most: Int, to end: Int) {
            let excerpts = (0...min(most, list.count)).map { count -> [String] in
                let more = "and \(list.count - count) more: see \(KitFile.Name.readMe.rawValue)"
                return Array(list.prefix(count)) + (count < list.count ? [more] : [])
            }
            let room = end - y
            let longest = excerpts.last { Self.height(of: $0) <= room }
            for item in longest ?? excerpts.first ?? [] { add(wrapped: item) }
        }

        /// The descriptors to copy by hand and the codes; or what of them has room, and where the rest is.
        mutating func add(_ descriptors: [String], _ codes: [(code: QRCode, caption: String)]) {
            let lines = descriptors.flatMap { Self.pieces(of: $0) }
            let bottom = y + lines.count * Self.lineHeight
            let isShort = lines.count <= KitPage.mostDescriptorLines
            if isShort, let grid = Self.grid(codes.count, from: bottom + Self.gap) {
                add(verbatim: lines)
                add(codes, grid)
            } else if let grid = Self.grid(codes.count, from: y + Self.gap) {
                add(codes, grid)
            } else if bottom + Self.gap + Self.lineHeight <= KitPage.end {
                add(verbatim: lines)
                add(wrapped: "The codes have no room here: keep \(KitFile.Name.descriptors.rawValue).")
            } else {
                add(wrapped: "The descriptors have no room here: keep \(KitFile.Name.descriptors.rawValue).")
            }
        }

        /// A text in lines of equally wide characters.
        private static func pieces(of text: String) -> [String] {
            var pieces: [String] = []
            var rest = text[...]
            while !rest.isEmpty {
                pieces.append(String(rest.prefix(KitPage.wideColumns)))
                rest = rest.dropFirst(KitPage.wideColumns)
            }
            return pieces
        }

        private mutating func add(verbatim lines: [String]) {
            for line in lines { add(line, size: 3, style: #" font-family="monospace""#) }
        }

        mutating func add(_ text: String, size: Int, style: String = "") {
            y += size + 1
            parts.append(
                #"<text x="\#(KitPage.margin)" y="\#(y)" font-size="\#(size)"\#(style)>\#(Self.escaped(text))</text>"#)
        }

        /// Codes side by side.
        private struct Grid {
            let columns: Int
            let side: Int
        }

        /// The largest codes that have room below a line; `nil`: none have.
        private static func grid(_ count: Int, from y: Int) -> Grid? {
            guard count > 0 else { return nil }
            let width = KitPage.width - 2 * KitPage.margin
            let grids = (1...KitPage.mostColumns).map { columns in
                let rows = (count + columns - 1) / columns
                return Grid(
                    columns: columns, side: min(width / columns, (KitPage.end - y) / rows - captionHeight, 120))
            }
            return grids.max { $0.side < $1.side }.flatMap { $0.side >= KitPage.smallestSide ? $0 : nil }
        }

        private mutating func add(_ codes: [(code: QRCode, caption: String)], _ grid: Grid) {
            y += Self.gap
            for (place, item) in codes.enumerated() {
                let x = KitPage.margin + place % grid.columns * grid.side
                let top = y + place / grid.columns * (grid.side + Self.captionHeight)
                parts.append(item.code.svgPart(x: x, y: top, side: grid.side))
                parts.append(
                    #"<text x="\#(x + grid.side / 2)" y="\#(top + grid.side + 2)" font-size="3" text-anchor="middle">"#
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
