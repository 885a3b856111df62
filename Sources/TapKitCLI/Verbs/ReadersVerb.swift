import ArgumentParser
import CardReaders
import SmartCard
import TapProtocol

/// `tapkit readers`: readers and what lies on them.
struct ReadersVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readers", abstract: "The readers, and what lies on them.")

    @OptionGroup var options: GlobalOptions

    private struct Answer: Encodable {
        struct Reader: Encodable {
            struct Card: Encodable {
                let product: String
                let ident: String
            }

            let spec: String
            let name: String
            let backend: String
            let card: Card?
            let problem: String?
        }

        let readers: [Reader]
    }

    func run() async throws {
        let finder = try CardFinder(
            spec: options.readerSpec(), identFilter: nil, trace: options.isTracing ? Trace.write : nil)
        var rows: [Answer.Reader] = []
        for reader in try finder.readers() { rows.append(await row(for: reader, finder: finder)) }
        guard !rows.isEmpty else { throw Failure(PCSCBackend.noReader) }
        if options.isJSON {
            JSONAnswer.write(Answer(readers: rows))
        } else {
            for row in rows { options.console.say(line(row)) }
        }
    }

    private func row(for reader: any CardReader, finder: CardFinder) async -> Answer.Reader {
        var card: Answer.Reader.Card?
        var problem: String?
        do throws(Failure) {
            card = try await finder.look(at: reader).map {
                .init(product: $0.status.product.rawValue, ident: $0.status.ident.description)
            }
        } catch {
            problem = TerminalText.neutralized(error.message)
        }
        return Answer.Reader(
            spec: reader.spec, name: TerminalText.neutralized(reader.name), backend: reader.backend.rawValue,
            card: card,
            problem: problem)
    }

    private func line(_ row: Answer.Reader) -> String {
        let content = row.card.map { "\($0.product.uppercased()) \($0.ident)" } ?? row.problem ?? "no card"
        return "\(row.spec)\n  \(content)"
    }
}
