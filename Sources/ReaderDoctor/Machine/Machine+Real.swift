import CardReaders
import Glibc
import SmartCard

extension Machine {
    /// The computer that this process runs on, as its user sees it.
    /// - Parameter service: what its PC/SC service answered; see `SmartCardService.ask`.
    public static func real(service: SmartCardService.Answer) -> Machine {
        let host = Host()
        return Machine(root: host.root, user: .current, environment: host.environment, service: service)
    }

    /// The computer that this process runs on, with the answers of whatever must be asked about the requested readers: the
    /// PC/SC service, and backends of which the doctor knows only what they answer.
    /// - Parameter backends: the program's backends, by the kind of their readers.
    public static func real(
        for wanted: WantedReader, asking backends: [ReaderKind: any ReaderBackend]
    ) async -> Machine {
        // Asking the service starts it, and then it takes the readers that libnfc needs.
        var machine = real(service: wanted.allowsPCSC ? await SmartCardService.ask() : .notAsked)
        for kind in wanted.kindsToAsk {
            if let backend = backends[kind] { machine.backends[kind] = await BackendAnswer.ask(backend) }
        }
        return machine
    }
}

extension MachineUser {
    /// The user of this process.
    static var current: MachineUser {
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = getgroups(Int32(groups.count), &groups)
        let all = Set(groups.prefix(max(0, Int(count)))).union([getegid()])
        return MachineUser(
            identifier: geteuid(), groups: all, name: loginName(geteuid()), isOfThisProcess: true)
    }

    private static func loginName(_ identifier: uid_t) -> String {
        guard let record = getpwuid(identifier), let name = record.pointee.pw_name else { return String(identifier) }
        return String(cString: name)
    }
}
