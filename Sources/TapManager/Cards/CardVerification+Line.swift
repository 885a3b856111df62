import TapProtocol

extension CardVerification {
    /// One proof and what came of it.
    public struct Line: Sendable, Equatable {
        /// Which proof: `Proof`'s raw value; `tampered`; or what nothing proves: `backup_count`, `unproven_slot`,
        /// `opened_slots`, `path`, `cvc_length`.
        public let name: String
        /// Whether it held; true also where there is nothing to hold.
        public let holds: Bool
        /// Whether the card proved it. False for a proof that failed, and for what no command can prove, or none was
        /// asked to: that is said, so that nobody takes it for proven.
        public let isProven: Bool
        /// What it means, or why it failed.
        public let detail: String

        init(_ name: String, holds: Bool = true, _ detail: String) {
            self.name = name
            self.holds = holds
            isProven = holds
            self.detail = detail
        }

        /// What nothing proves.
        init(unproven name: String, _ detail: String) {
            self.name = name
            holds = true
            isProven = false
            self.detail = detail
        }

        init(_ proof: Proof, holds: Bool = true, _ detail: String) {
            self.init(proof.rawValue, holds: holds, detail)
        }

        /// A proof that holds, and proves something of the card only where its certified key vouches for what it is about.
        init(_ proof: Proof, isProven: Bool, _ detail: String) {
            name = proof.rawValue
            holds = true
            self.isProven = isProven
            self.detail = detail
        }
    }
}
