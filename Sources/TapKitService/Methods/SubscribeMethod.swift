import AnswerDocuments
import ByteCodec
import TapManager

/// `subscribe`: what is known now, and then everything that happens, with nothing missed in between.
struct SubscribeMethod: ServiceMethod {
    static let name = "subscribe"
    static let summary =
        "What is known now, as by snapshot; then each event as a notification event, until unsubscribe. Nothing is missed "
        + "in between; the same event may be in both. The event cut_off ends a subscription whose client fell "
        + "too far behind: subscribe again."
    static let result = "subscription: its number, and snapshot."
    private static let readers = Parameter.flag(
        "readers",
        "Whether readers are watched, and reported first as they are. While one is watched through libnfc, no other "
            + "program can use it.")
    static let parameters: [any ParameterDescription] = [readers]

    private struct Document: Encodable {
        let subscription: Int
        let snapshot: SnapshotDocument
    }

    private struct Event: Encodable {
        let subscription: Int
        let event: ManagerEventDocument
    }

    private struct CutOff: Encodable {
        struct Event: Encodable { let event = "cut_off" }

        let subscription: Int
        let event = Event()
    }

    private let watchesReaders: Bool

    init(_ arguments: Arguments) throws { watchesReaders = try arguments.optional(Self.readers) ?? false }

    func run(_ call: ServiceCall) throws -> ServiceAnswer {
        try call.client.requireSubscriptionRoom()
        let manager = call.manager
        let (now, events) = manager.observe(watchingReaders: watchesReaders)
        let number = call.processor.nextSubscription()
        let document = Document(subscription: number, snapshot: try SnapshotDocument(now, of: manager))
        return ServiceAnswer(json: ServiceAnswer(document).json) { client in
            client.subscribe(number) {
                await withTaskCancellationHandler {
                    for await event in events {
                        let document = Event(subscription: number, event: ManagerEventDocument(event))
                        client.tell("event", .verbatim(JSONDocument.answer(document)))
                        // The stream keeps what comes meanwhile, and is cut off if that is too much.
                        await client.room()
                    }
                    guard events.isCutOff else { return }
                    client.tell("event", .verbatim(JSONDocument.answer(CutOff(subscription: number))))
                } onCancel: {
                    events.end()
                }
            }
        }
    }
}

/// `unsubscribe`: no more events.
struct UnsubscribeMethod: ServiceMethod {
    static let name = "unsubscribe"
    static let summary = "End a subscription. Events that are on their way still come."
    static let result = "unsubscribed: whether there was such a subscription."
    private static let subscription = Parameter.number("subscription", 1...Int(Int32.max), "Its number.").required
    static let parameters: [any ParameterDescription] = [subscription]

    private struct Document: Encodable { let unsubscribed: Bool }

    private let number: Int

    init(_ arguments: Arguments) throws { number = try arguments.required(Self.subscription) }

    func run(_ call: ServiceCall) -> ServiceAnswer {
        ServiceAnswer(Document(unsubscribed: call.client.unsubscribe(number)))
    }
}
