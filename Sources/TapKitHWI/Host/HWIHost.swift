import Bitcoin
import TapManager
import TapProtocol

/// What HWI's command line needs from the machine and the user. The program that composes it provides the actual
/// readers, store, terminal and windows.
package protocol HWIHost: Sendable {
    // MARK: Answers and remarks

    /// Writes the answer, one line of JSON, for the caller.
    func answer(_ line: String)

    /// Shows lines to the user; never on the stream of the answer.
    func note(_ lines: [String])

    /// Why something failed: an error of any layer, or of the host.
    func explain(_ error: any Error) -> HWIExplanation

    // MARK: What was given

    /// The next line of standard input without its line end; `nil` after the last one.
    func nextLine() throws -> [UInt8]?

    /// Whether there is a terminal, whatever standard input is: then whoever offered to type the CVC is asked for it when
    /// it is needed, after what it is for was shown.
    var hasTypist: Bool { get }

    /// The udev rules that let the user at the machine use readers that have no service of their own.
    var udevRules: [UInt8] { get }

    /// Whether this is a valid reader name.
    func isReader(_ path: String) -> Bool

    /// The equipment of one call, from its options and otherwise from the settings. Resolved once, at the start of the
    /// call; nothing is opened yet.
    /// - Throws: for invalid options and settings.
    func equipment(at places: HWIPlaces) throws -> any HWIEquipment
}

/// The readers, store and CVCs of one call.
package protocol HWIEquipment: Sendable {
    /// The settings that apply unless the call overrides them.
    var settings: HWISettings { get }

    /// The CVCs in the named file; `nil`: none was named.
    func givenCVCs() throws -> (any GivenCVCs)?

    /// A manager that only looks at cards, and at the local store if it exists: nothing is stored, and the user is not
    /// asked.
    func lookingManager() throws -> CardManager

    /// Uses a manager with the local store, while its progress is shown. The user looks at the caller's window, not at
    /// a terminal.
    /// - Parameters:
    ///   - asking: what CVCs are for, and whether the user must be asked.
    ///   - wrap: wraps the interaction with the user.
    /// - Throws: what the body throws, unchanged or as explained by the host.
    func work<Result>(
        _ asking: HWIAsking, through wrap: (any Interaction) -> any Interaction,
        _ body: (CardManager) async throws -> Result
    ) async throws -> Result
}

/// The settings that apply unless a call overrides them.
package struct HWISettings: Sendable {
    /// The network; `nil`: HWI's own default.
    package let network: Network?
    /// The requested card.
    package let choice: CardChoice
    /// Whether the CVC is the next line of standard input.
    package let readsCVC: Bool

    /// Settings from their parts.
    package init(network: Network?, choice: CardChoice, readsCVC: Bool) {
        (self.network, self.choice, self.readsCVC) = (network, choice, readsCVC)
    }
}

/// How the user is asked for CVCs.
package struct HWIAsking: Sendable {
    /// What a CVC is for, after “to”; the user may see nothing else.
    package let words: @Sendable (CVCPurpose) -> String
    /// The CVCs that were given with the call: for their cards the user is not asked, and has not seen what they are
    /// for.
    package let given: (any GivenCVCs)?
}

/// One CVC for every card, as callers give it.
struct HWISingleCVC: GivenCVCs {
    let cvc: CVC

    func cvc(of card: CardIdent) -> CVC? { cvc }
    func names(_ card: CardIdent) -> Bool { false }
}
