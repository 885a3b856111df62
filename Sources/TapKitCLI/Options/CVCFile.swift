import Bitcoin
import TapManager
import TapProtocol
import Terminal

/// The CVCs in a file, for runs with several cards. The first line is the CVC of any card; lines `IDENT CVC`, where
/// IDENT is the start of a card's ident, are for single cards; below the CVC of any card, at least 5 characters of it.
struct CVCFile: GivenCVCs {
    private let general: CVC?
    private let named: [(beginning: String, cvc: CVC)]

    /// The CVC of a card, by the longest matching start of its ident; `nil` if the file has none for it.
    func cvc(of card: CardIdent) -> CVC? {
        let text = card.text.filter { $0 != "-" }
        return named.filter { text.hasPrefix($0.beginning) }.max { $0.beginning.count < $1.beginning.count }?.cvc
            ?? general
    }

    /// Whether there is a CVC for this card, not only one for any card.
    func names(_ card: CardIdent) -> Bool {
        let text = card.text.filter { $0 != "-" }
        return named.contains { text.hasPrefix($0.beginning) }
    }

    /// One CVC for all.
    init(_ cvc: CVC) { (general, named) = (cvc, []) }

    /// Reads a file of at most 64 KiB. A terminal is refused.
    init(path: String) throws(Failure) {
        var bytes: [UInt8]
        do throws(Failure) { bytes = try InputFile.read(path, limit: 1 << 16, isSecret: true) } catch {
            throw error.prefixed("The CVC file ")
        }
        defer { bytes.wipe() }
        try self.init(bytes, of: path)
        ExposedFile.warn(about: path, name: "CVC file")
    }

    /// A CVC file, as messages name it.
    static func source(_ path: String) -> SecretFile {
        SecretFile(path: path, subject: .cvc, option: "--cvc-file or TAPKIT_CVC_FILE")
    }

    /// Parses the content of a file. The first line that is not empty must be a CVC or `IDENT CVC`. Further lines that
    /// are neither are comments; but after the start of an ident in capitals, there must be a CVC. If the first line is
    /// one, a start of fewer than 5 characters, or a colon and then anything but digits, makes a comment, too.
    /// - Throws: `Failure.badCVC`.
    init(_ content: [UInt8], of path: String) throws(Failure) {
        var general: CVC?
        var named: [(beginning: String, cvc: CVC)] = []
        var isFirst = true
        let file = Self.source(path)
        let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in zip(1..., lines) {
            var words = line.split(whereSeparator: Self.separators.contains).map(Array.init)
            defer { for index in words.indices { words[index].wipe() } }
            guard !words.isEmpty else { continue }
            defer { isFirst = false }
            if words.count == 2, let beginning = Self.beginning(words[0]) {
                guard general == nil || beginning.count >= Self.identifying else { continue }
                do throws(TapError) { named.append((beginning, try CVC(SecretBytes(words[1])))) } catch {
                    let isNumber = words[1].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                    let isComment =
                        words[0].contains { Self.lowerCase.contains($0) } || (line.contains(Self.colon) && !isNumber)
                    if general == nil || !isComment { throw file.failure(error, inLine: number) }
                }
            } else if isFirst {
                guard words.count == 1 else {
                    throw file.failure(
                        .badCVC, "This is neither a CVC nor a card's ident with its CVC.", inLine: number)
                }
                do throws(TapError) { general = try CVC(SecretBytes(words[0])) } catch {
                    throw file.failure(error, inLine: number)
                }
            }
        }
        guard general != nil || !named.isEmpty else {
            throw file.failure(.badCVC, "It is empty.")
        }
        self.general = general
        self.named = named
    }

    private static let colon = UInt8(ascii: ":")
    private static let separators: Set<UInt8> = [0x20, 0x09, 0x0D, colon]
    private static let lowerCase = UInt8(ascii: "a")...UInt8(ascii: "z")

    /// How many characters of an ident, dashes not counted, a line below the CVC of any card must have.
    private static let identifying = 5

    /// The word as the start of an ident, in upper case and without dashes; `nil` if it has anything but letters, the
    /// digits 2 to 7 and dashes, or only dashes.
    private static func beginning(_ word: [UInt8]) -> String? {
        let text = String(decoding: word, as: UTF8.self).uppercased().filter { $0 != "-" }
        guard !text.isEmpty else { return nil }
        return text.allSatisfy { ("A"..."Z").contains($0) || ("2"..."7").contains($0) } ? text : nil
    }
}
