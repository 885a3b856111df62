import Bitcoin
import TapManager
import TapProtocol

/// What HWI's command line needs of the machine that it runs on, and of the person there. Whoever composes the program knows
/// which readers, store, terminal and windows are real.
package protocol HWIHost: Sendable {
    // MARK: Answers and remarks

    /// Writes the answer, a line of JSON, where the caller reads it.
    func answer(_ line: String)

    /// Tells people something, in lines; never where the answer goes.
    func note(_ lines: [String])

    /// A text from outside in lines that cannot be taken for the program's own.
    func quoted(_ text: String) -> [String]

    /// Why something failed: an error of any layer, or one of the host's own.
    func explain(_ error: any Error) -> HWIExplanation

    // MARK: What was given

    /// The next line of standard input without its end; `nil` behind the last one.
    func nextLine() throws -> [UInt8]?

    /// What somebody types on the terminal, without echo, when asked for a device's password; `nil`: no terminal listens.
    func typedPassword() throws -> SecretBytes?

    /// The rules that let the person at the machine use readers without a service of their own.
    var udevRules: [UInt8] { get }

    /// Whether there can be a reader of this name.
    func isReader(_ path: String) -> Bool

    /// What one call works with: where it says that things are, and else where they are set to be. Resolved once, when the call
    /// begins; nothing is opened yet.
    /// - Throws: for a place that makes no sense, and for a setting that makes none.
    func equipment(at places: HWIPlaces) throws -> any HWIEquipment
}

/// The readers, store and CVCs of one call.
package protocol HWIEquipment: Sendable {
    /// What is set where the call says nothing.
    var settings: HWISettings { get }

    /// The CVCs in the file that was named; `nil`: none was.
    func givenCVCs() throws -> (any HWIGivenCVCs)?

    /// A manager that only looks at cards, and at what the local store remembers of them, where there is one: nothing is kept,
    /// and nobody is asked.
    func lookingManager() throws -> CardManager

    /// Does something with a manager over the local store, while people see what happens. Who is asked looks at the window
    /// of the program that called, not at a terminal.
    /// - Parameters:
    ///   - asking: what for, and whether anybody needs to be asked.
    ///   - wrap: stands between the manager and who is asked.
    /// - Throws: what the body throws, as it is or as the host tells it.
    func work<Result>(
        _ asking: HWIAsking, through wrap: (any Interaction) -> any Interaction,
        _ body: (CardManager) async throws -> Result
    ) async throws -> Result
}

/// What is set where a call says nothing.
package struct HWISettings: Sendable {
    /// The network; `nil`: HWI's own default.
    package let network: Network?
    /// Which card is meant.
    package let choice: CardChoice
    /// Whether the CVC is the next line of standard input.
    package let readsCVC: Bool

    /// Settings from their parts.
    package init(network: Network?, choice: CardChoice, readsCVC: Bool) {
        (self.network, self.choice, self.readsCVC) = (network, choice, readsCVC)
    }
}

/// How somebody is asked for CVCs.
package struct HWIAsking: Sendable {
    /// What one is for, behind “to”; the person may see no more than that.
    package let words: @Sendable (CVCPurpose) -> String
    /// A card's CVC, if it was given with the call: then nobody is asked for it, and nobody has seen what for.
    package let givenCVC: @Sendable (CardIdent) -> CVC?
}

/// CVCs that came with a call.
package protocol HWIGivenCVCs: Sendable {
    /// That of a card; `nil`: there is none for it.
    func cvc(of card: CardIdent) -> CVC?

    /// Whether there is one of this card, and not only one for any.
    func names(_ card: CardIdent) -> Bool
}

/// One CVC for every card, as callers give it.
struct HWISingleCVC: HWIGivenCVCs {
    let cvc: CVC

    func cvc(of card: CardIdent) -> CVC? { cvc }
    func names(_ card: CardIdent) -> Bool { false }
}
