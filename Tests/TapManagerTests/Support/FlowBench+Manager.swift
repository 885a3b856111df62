import FlowSupport
import SmartCard
import TapProtocol
import TapSimulator

@testable import TapManager

extension FlowBench {
    /// A manager of a program that finds this card, and knows what earlier programs stored.
    func manager(_ person: any Interaction, patience: Patience? = nil) throws -> CardManager {
        CardManager(
            store: mortal, readers: [SimulatedBackend([reader])], interaction: person, patience: patience,
            acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 7) })
    }

    /// What the card was asked for.
    var asked: Set<String> { Set(reader.exchangeCounts.filter { $0.value > 0 }.keys) }

    /// What is asked for to find a card.
    static let finding: Set<String> = ["select", "status"]
}
