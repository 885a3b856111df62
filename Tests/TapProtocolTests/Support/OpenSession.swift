import SmartCard

@testable import TapProtocol

/// What a session with a script was told, and the script.
struct OpenSession {
    let session: TapSession
    let channel: ScriptedChannel

    /// Opens a session: the first answer is the one to SELECT.
    init(
        _ answers: ScriptedChannel.Answer..., random: any RandomNumberGenerator = ScriptedRandom(),
        trace: (@Sendable (TraceEvent) -> Void)? = nil
    ) throws {
        try self.init(answers: answers, random: random, trace: trace)
    }

    init(
        answers: [ScriptedChannel.Answer], random: any RandomNumberGenerator = ScriptedRandom(),
        trace: (@Sendable (TraceEvent) -> Void)? = nil
    ) throws {
        channel = ScriptedChannel(answers)
        let connection = CardConnection(reader: ScriptedReader(channel), trace: trace)
        _ = try connection.begin()
        session = try TapSession(connection: connection, random: random, trace: trace)
    }
}
