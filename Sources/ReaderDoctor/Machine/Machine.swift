/// What the doctor can see of a computer: its files, its user, and what its PC/SC service says.
///
/// A value, so that a check can be shown a made-up computer in a folder. Looking changes nothing and opens no device.
public struct Machine: Sendable {
    /// The folder that stands for `/`; empty for the real one.
    let root: String
    /// Who asks.
    let user: MachineUser
    /// The environment's variables.
    let environment: [String: String]
    /// What the PC/SC service says.
    let service: SmartCardService.Answer
}

/// Who asks the doctor, as the system decides about access to files.
struct MachineUser: Sendable {
    /// User id; 0 is root.
    let identifier: UInt32
    /// Every group of the process, the first one and the supplementary ones.
    let groups: Set<UInt32>
    /// The login name, for the commands in remedies.
    let name: String
    /// Whether it is the user of this process, for whom the system itself can be asked.
    let isOfThisProcess: Bool
}
