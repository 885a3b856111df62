/// A device as udev hands it to rules.
struct UdevDevice {
    var action = "add"
    var subsystem = "usb"
    var environment = ["DEVTYPE": "usb_device"]
    /// Its own attributes first, then its parents'.
    var attributes: [[String: String]]

    /// A device on USB.
    static func usb(_ vendor: String, _ product: String) -> UdevDevice {
        UdevDevice(attributes: [["idVendor": vendor, "idProduct": product], hub])
    }

    /// The serial port of such a device: the port, the USB interface, the device, the hub.
    static func serialPort(_ vendor: String, _ product: String) -> UdevDevice {
        UdevDevice(
            subsystem: "tty", environment: [:],
            attributes: [[:], ["bInterfaceClass": "ff"], ["idVendor": vendor, "idProduct": product], hub])
    }

    private static let hub = ["idVendor": "1d6b", "idProduct": "0002"]
}

/// What rules made of a device.
struct UdevOutcome: Equatable {
    var tags: Set<String> = []
    var group: String?
    var mode: String?
    var environment: [String: String] = [:]
}

extension UdevRules {
    /// What the rules do with a device, in the order of the file, as udev(7) says.
    func outcome(for device: UdevDevice) -> UdevOutcome {
        var outcome = UdevOutcome()
        var index = 0
        while index < rules.count {
            let items = rules[index]
            index += 1
            guard matches(items, device, outcome) else { continue }
            for item in items where !item.isMatch {
                switch item.key {
                case "TAG": outcome.tags.insert(item.value)
                case "GROUP": outcome.group = item.value
                case "MODE": outcome.mode = item.value
                case "ENV": outcome.environment[item.attribute ?? ""] = item.value
                case "GOTO":
                    index =
                        rules.firstIndex { $0.first?.key == "LABEL" && $0.first?.value == item.value } ?? rules.count
                default: break
                }
            }
        }
        return outcome
    }

    private func matches(_ items: [Item], _ device: UdevDevice, _ outcome: UdevOutcome) -> Bool {
        let tests = items.filter(\.isMatch)
        let own = tests.filter { $0.key != "ATTRS" }.allSatisfy { item in
            let value: String? =
                switch item.key {
                case "ACTION": device.action
                case "SUBSYSTEM": device.subsystem
                case "ENV": outcome.environment[item.attribute ?? ""] ?? device.environment[item.attribute ?? ""] ?? ""
                case "ATTR": device.attributes[0][item.attribute ?? ""]
                case "TAG": outcome.tags.contains(item.value) ? item.value : ""
                default: nil
                }
            // An attribute that is not there matches nothing, not even "!=".
            guard let value else { return false }
            return item.value.split(separator: "|").contains { $0 == value } == (item.operator == "==")
        }
        // All ATTRS of a rule must hold for one and the same device of the chain.
        let chain = tests.filter { $0.key == "ATTRS" }
        let parents =
            chain.isEmpty
            || device.attributes.contains { attributes in
                chain.allSatisfy { item in
                    guard let value = attributes[item.attribute ?? ""] else { return false }
                    return item.value.split(separator: "|").contains { $0 == value } == (item.operator == "==")
                }
            }
        return own && parents
    }
}
