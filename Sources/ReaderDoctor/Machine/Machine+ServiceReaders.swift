import CardReaders

extension Machine {
    /// The names under which the PC/SC service lists USB devices, by the devices' ports.
    ///
    /// The service names the model, not the port. Of several devices of a model, it is those that a program has
    /// claimed; it is never one that the kernel's NFC driver or another program has.
    var namesInService: [String: String] {
        var unseen = (service.readers ?? []).map(\.name)
        guard !unseen.isEmpty else { return [:] }
        let entries = cardDrivers.flatMap(\.entries)
        let devices = usbDevices.filter {
            KernelModuleCheck.driver(of: $0) == nil && holder(of: $0)?.isSeenToBeOther != true
        }
        var names: [String: String] = [:]
        for device in devices.filter(\.isClaimedByProgram) + devices.filter({ !$0.isClaimedByProgram }) {
            guard let entry = entries.first(where: { $0.identifier == device.identifier }),
                let index = unseen.firstIndex(where: { $0.hasPrefix(entry.name) })
            else { continue }
            names[device.port] = unseen.remove(at: index)
        }
        return names
    }
}
