import TapProtocol

extension CardVerification {
    /// One proof and its result.
    public struct Line: Sendable, Equatable {
        /// What a line is about. Its description is its name in JSON, which never changes.
        public enum Name: Sendable, Hashable, CustomStringConvertible {
            /// A proof, or what a proof would be about: named by the proof's raw value.
            case proof(Proof)
            /// Whether the card reports that it was tampered with.
            case tampered
            /// How many backups the card says were made; nothing proves it.
            case backupCount
            /// SATSCARD: the active slot, if the card does not prove that it is sealed.
            case unprovenSlot
            /// SATSCARD: what the card reports about unsealed slots, without the CVC that lets it prove them.
            case openedSlots
            /// That the CVC is so long that whoever knows it can make the proofs of keys.
            case cvcLength

            /// The name in JSON: lower snake case.
            public var description: String {
                switch self {
                case .proof(let proof): proof.rawValue
                case .tampered: "tampered"
                case .backupCount: "backup_count"
                case .unprovenSlot: "unproven_slot"
                case .openedSlots: "opened_slots"
                case .cvcLength: "cvc_length"
                }
            }
        }

        /// What it is about.
        public let name: Name
        /// Whether it is valid; also true if there is nothing to verify.
        public let holds: Bool
        /// Whether the card proved it. False for a failed proof, and for what no command can prove, or none was asked
        /// to; it is listed so that nobody mistakes it for proven.
        public let isProven: Bool
        /// What it means, or why it failed.
        public let detail: String

        /// Whether the card could prove it with its CVC, which was not given.
        package var needsCVC: Bool { !isProven && holds && [.proof(.account), .openedSlots].contains(name) }

        /// The card reports that it was tampered with.
        init(tampered detail: String) { (name, holds, isProven, self.detail) = (.tampered, false, false, detail) }

        /// Something that nothing proves.
        init(unproven name: Name, _ detail: String) {
            (self.name, holds, isProven, self.detail) = (name, true, false, detail)
        }

        init(_ proof: Proof, holds: Bool = true, _ detail: String) {
            (name, self.holds, isProven, self.detail) = (.proof(proof), holds, holds, detail)
        }

        /// A valid proof, which proves something about the card only if its certified key vouches for the subject.
        init(_ proof: Proof, isProven: Bool, _ detail: String) {
            (name, holds, self.isProven, self.detail) = (.proof(proof), true, isProven, detail)
        }
    }
}
