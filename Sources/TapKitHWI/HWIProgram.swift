import TapManager

/// HWI's command line instead of tapkit's own: its arguments, JSON and exit statuses.
///
/// Spec: HWI 3.2.0, `hwilib/_cli.py`; Bitcoin Core, "Support for signing transactions outside of Bitcoin Core".
package struct HWIProgram {
    /// The name of the program, and of the verb.
    package static let name = HWIGrammar.hwi.name
    /// The answer to `--version`: callers parse the number, so nothing may follow it.
    package static let version = "\(name) 3.2.0"
    /// HWI's exit status for an invalid command line. Everything else is reported in JSON, with status 0.
    private static let usageStatus: Int32 = 2

    /// Every command, in the order of the help text.
    static let all: [any HWICommand.Type] = [
        HWIEnumerate.self, HWIGetMasterXpub.self, HWISignTx.self, HWIGetXpub.self, HWISignMessage.self,
        HWIGetKeypool.self, HWIGetDescriptors.self, HWIDisplayAddress.self, HWISetup.self, HWIWipe.self,
        HWIRestore.self, HWIBackup.self, HWIPromptPin.self, HWITogglePassphrase.self, HWISendPin.self,
        HWIRegisterDescriptor.self, HWIInstallUdevRules.self,
    ]
    /// The same, for help texts. Converting the array as a whole would look up each conformance at run time, which every
    /// start of the command would pay for.
    package static var commands: [any HWIDescribed.Type] { all.map { $0 } }

    private let host: any HWIHost

    /// A program on a host.
    package init(_ host: any HWIHost) { self.host = host }

    /// Runs the command in the arguments, each given as its bytes.
    /// - Returns: the process's exit status.
    package func run(_ given: [[UInt8]]) async -> Int32 {
        do {
            var words = given
            let marker = "--\(HWIGlobals.readsWords.key)"
            if given.contains(Array(marker.utf8)) { words += try wordsOfInput() }
            switch try HWIParser.request(words) {
            case .version: host.answer(Self.version)
            case .help(let command):
                // Standard output is for JSON.
                host.note(HWIHelpText(command).lines)
                write(HWIError(.helpText, "Help text requested"))
            case .command(let command, let values): try await run(command, values)
            }
            return 0
        } catch let error as HWIUsageError {
            return report(error)
        } catch {
            return report(HWIError(unexpected: error, host))
        }
    }

    private func run<Command: HWICommand>(_ command: Command.Type, _ values: HWIValues) async throws {
        let session = try HWISession(HWIGlobals(values), host, needsCVC: Command.needsCVC)
        write(try await Command(values).answer(session))
    }

    /// The words on standard input, up to an empty line.
    private func wordsOfInput() throws -> [[UInt8]] {
        var words: [[UInt8]] = []
        while let line = try host.nextLine(), !line.isEmpty {
            do { words += try ShellWords.split(line) } catch {
                throw HWIError(.missingArguments, "Standard input: unterminated quotation.")
            }
        }
        return words
    }

    private func write(_ answer: some Encodable) { host.answer(JSONDocument.answer(answer)) }

    private func report(_ error: HWIError) -> Int32 {
        write(error)
        host.note(error.lines(after: "\(Self.name): "))
        return error.code == .missingArguments ? Self.usageStatus : 0
    }

    private func report(_ error: HWIUsageError) -> Int32 {
        let message = "\(error.program): error: \(error.message)"
        let command = Self.all.first { $0.grammar.name == error.command }?.grammar
        host.note(["usage: \(HWIHelpText.usage(command))", message])
        write(HWIError(.missingArguments, message))
        return Self.usageStatus
    }
}
