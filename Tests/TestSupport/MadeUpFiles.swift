import Foundation
import Glibc

/// A folder that stands for the root of a computer. Devices are pipes, which anybody can make.
public protocol MadeUpFiles: AnyObject {
    /// The folder.
    var folder: TemporaryFolder { get }
    /// How many USB devices have been plugged in so far.
    var deviceCount: Int { get set }
}

/// What kind of part a USB device has: its class and its protocol.
public enum USBPart {
    /// A smart-card reader.
    public static let ccid: (UInt8, UInt8) = (0x0B, 0)
    /// A keyboard.
    public static let keyboard: (UInt8, UInt8) = (0x03, 1)
    /// A mouse.
    public static let mouse: (UInt8, UInt8) = (0x03, 2)
    /// What no class describes.
    public static let vendorSpecific: (UInt8, UInt8) = (0xFF, 0)
}

extension MadeUpFiles {
    /// Writes a file, and makes its folder.
    public func write(_ path: String, _ text: String) {
        makeFolder(parent(path))
        try? Data(text.utf8).write(to: URL(fileURLWithPath: location(path)))
    }

    /// Makes a folder, and those that it is in.
    public func makeFolder(_ path: String) {
        try? FileManager.default.createDirectory(atPath: location(path), withIntermediateDirectories: true)
    }

    /// Makes a symbolic link.
    public func link(_ path: String, _ target: String) {
        makeFolder(parent(path))
        symlink(target, location(path))
    }

    /// Something that is a device, with these permissions.
    public func pipe(_ path: String, _ mode: mode_t) {
        makeFolder(parent(path))
        mkfifo(location(path), 0o600)
        chmod(location(path), mode)
    }

    /// Removes a file, or a folder with what is in it.
    public func remove(_ path: String) { try? FileManager.default.removeItem(atPath: location(path)) }

    /// A file of the repository.
    public func copy(_ source: String, _ path: String) {
        let data = try? Data(contentsOf: Vectors.root.appendingPathComponent(source))
        write(path, data.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }

    /// Where a file of this computer really is.
    public func location(_ path: String) -> String { folder.url.path + path }

    private func parent(_ path: String) -> String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

    /// Every file, with its content or target and its permissions.
    public func snapshot() -> [String: String] {
        var entries: [String: String] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: folder.url.path) ?? .init() {
            var status = stat()
            lstat(location("/\(name)"), &status)
            let isFile = status.st_mode & S_IFMT == S_IFREG
            let text =
                isFile
                ? (try? Data(contentsOf: URL(fileURLWithPath: location("/\(name)"))))?.base64EncodedString() : nil
            entries[name] = "\(status.st_mode) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(text ?? "")"
        }
        return entries
    }
}

/// Hardware and programs.
extension MadeUpFiles {
    /// Plugs a USB device in.
    /// - Parameters:
    ///   - id: `072f:2200`.
    ///   - release: `bcdDevice`, as the kernel writes it.
    ///   - mode: the permissions of its file below `/dev/bus/usb`.
    ///   - serialPort: the port that its driver makes, such as `ttyUSB0`.
    public func plug(
        _ id: String, _ part: (UInt8, UInt8) = USBPart.ccid, release: String = "0214", driver: String? = nil,
        mode: mode_t = 0o664, serialPort: String? = nil, named product: String = "Reader"
    ) {
        deviceCount += 1
        let folder = "/sys/bus/usb/devices/1-\(deviceCount)"
        let numbers = id.components(separatedBy: ":")
        for (name, text) in [
            ("idVendor", numbers[0]), ("idProduct", numbers[1]), ("bcdDevice", release), ("manufacturer", "Maker"),
            ("product", product), ("busnum", "1"), ("devnum", "\(deviceCount)"),
        ] { write("\(folder)/\(name)", text + "\n") }
        write("\(folder):1.0/bInterfaceClass", String(part.0, radix: 16) + "\n")
        write("\(folder):1.0/bInterfaceProtocol", "0\(part.1)\n")
        if let driver { claim(driver) }
        if let serialPort { makeFolder("\(folder):1.0/\(serialPort.hasPrefix("ttyACM") ? "tty/" : "")\(serialPort)") }
        pipe("/dev/bus/usb/001/00\(deviceCount)", mode)
    }

    /// Lets a driver claim the last device; `usbfs` is that of programs.
    public func claim(_ driver: String) {
        link("/sys/bus/usb/devices/1-\(deviceCount):1.0/driver", "../../../bus/usb/drivers/\(driver)")
    }

    /// A PN532 board on a CH340 bridge: `/dev/ttyUSB0`.
    public func plugBoard(mode: mode_t = 0o660) {
        plug("1a86:7523", USBPart.vendorSpecific, driver: "ch341", serialPort: "ttyUSB0")
        pipe("/dev/ttyUSB0", mode)
    }

    /// Lets a program run.
    public func run(_ name: String, process: Int, holding path: String? = nil) {
        write("/proc/\(process)/comm", name + "\n")
        if let path { link("/proc/\(process)/fd/7", path) }
    }
}
