import TapProtocol

extension CardVerification {
    /// One proof and its result.
    public struct Line: Sendable, Equatable {
        /// Which proof: `Proof`'s raw value; `tampered`; or what nothing proves: `backup_count`, `unproven_slot`,
        /// `opened_slots`, `path`, `cvc_length`.
        public let name: String
        /// Whether it is valid; also true if there is nothing to verify.
        public let holds: Bool
        /// Whether the card proved it. False for a failed proof, and for what no command can prove, or none was asked
        /// to; it is listed so that nobody mistakes it for proven.
        public let isProven: Bool
        /// What it means, or why it failed.
        public let detail: String

        /// Whether the card could prove it with its CVC, which was not given.
        package var needsCVC: Bool { !isProven && holds && ["account", "opened_slots"].contains(name) }

        init(_ name: String, holds: Bool = true, _ detail: String) {
            self.name = name
            self.holds = holds
            isProven = holds
            self.detail = detail
        }

        /// Something that nothing proves.
        init(unproven name: String, _ detail: String) {
            self.name = name
            holds = true
            isProven = false
            self.detail = detail
        }

        init(_ proof: Proof, holds: Bool = true, _ detail: String) {
            self.init(proof.rawValue, holds: holds, detail)
        }

        /// A valid proof, which proves something about the card only if its certified key vouches for the subject.
        init(_ proof: Proof, isProven: Bool, _ detail: String) {
            name = proof.rawValue
            holds = true
            self.isProven = isProven
            self.detail = detail
        }
    }
}
