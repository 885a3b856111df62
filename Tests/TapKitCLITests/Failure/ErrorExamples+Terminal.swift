import Glibc

@testable import Terminal

extension InputError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .interrupted }

    func next(_ sample: Sample) -> Self? { nil }

    static func others(_ sample: Sample) -> [Self] {
        errno = ENOENT
        let missing = unreadable(file: "/home/payment.psbt")
        errno = EIO
        return [
            missing, unreadable(stream: "The line"), tooLarge("Standard input is larger than 9 bytes."),
            terminal(file: "The CVC file /dev/tty"),
        ]
    }
}
