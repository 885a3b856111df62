import SmartCard

/// A channel that answers from a list, one answer per command, and keeps the commands.
final class ScriptedChannel: CardChannel {
    private(set) var commands: [[UInt8]] = []
    private var answers: [[UInt8]]

    init(_ answers: [[UInt8]]) { self.answers = answers }

    func transmit(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
        commands.append(command)
        guard !answers.isEmpty else { throw ReaderError(.cardRemoved, "The script is over.") }
        return answers.removeFirst()
    }

    func beginTransaction() {}
    func endTransaction() {}
    func reconnect() {}
    func disconnect() {}
}
