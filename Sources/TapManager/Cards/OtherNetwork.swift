import Bitcoin
import ExplainedErrors

/// Something is for bitcoin and a test network was requested, or the reverse.
package struct OtherNetwork: Error, Sendable, Equatable {
    /// What has a network of its own.
    package enum Thing: Sendable, CaseIterable {
        /// A backup's keys.
        case backup
        /// The address in a tap link.
        case link
    }

    private let thing: Thing
    private let own: KeyNetwork
    private let asked: Network

    /// - Parameter own: the keys' network.
    package init(of thing: Thing, _ own: KeyNetwork, asked: Network) {
        (self.thing, self.own, self.asked) = (thing, own, asked)
    }
}

extension OtherNetwork: ExplainedError {
    /// `wrong_network`.
    package var code: ErrorCode { .wrongNetwork }

    /// Both networks, in one sentence.
    package var message: String {
        "The \(thing == .backup ? "backup" : "link's address") is for "
            + "\(own == .main ? "bitcoin" : "the test networks"), not for \(asked.nameInTexts)."
    }

    /// The backup or the link.
    package var subject: ErrorSubject? { thing == .backup ? .backup : .choice(.link) }
}

extension Network {
    /// The network as sentences name it: the main one is bitcoin.
    var nameInTexts: String { self == .main ? "bitcoin" : description }
}
