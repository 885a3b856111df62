import CardReaders
import SmartCard

/// What the doctor can see of a computer: its files, its user, and what its PC/SC service answers.
///
/// A value, so that a check can be run on a made-up computer in a folder. Looking changes nothing and opens no device.
public struct Machine: HostFiles {
    /// The folder that stands for `/`; empty for the real one.
    package let root: String
    /// The user who runs the doctor.
    let user: MachineUser
    /// The environment variables.
    package let environment: [String: String]
    /// What the PC/SC service answers.
    let service: SmartCardService.Answer
    /// What backends answer about the kinds of reader that no other check is about.
    var backends: [ReaderKind: BackendAnswer] = [:]
}

/// The user who runs the doctor, as the system sees them when it decides about access to files.
struct MachineUser: Sendable {
    /// User id; 0 is root.
    let identifier: UInt32
    /// Every group of the process, primary and supplementary.
    let groups: Set<UInt32>
    /// The login name, for the commands in remedies.
    let name: String
    /// Whether this is the user of this process, so that the system itself can be asked.
    let isOfThisProcess: Bool
}
