@testable import Settings

extension SettingError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self {
        SettingError(.usage, "Unknown network “moon”.", remedy: "Choose from: main, test, testnet4, signet, regtest.")
    }

    func next(_ sample: Sample) -> Self? { nil }

    static func others(_ sample: Sample) -> [Self] {
        let setting = Setting(configured: "floppy", key: .reader)
        let reader = setting.invalid("Unknown reader “floppy”.", advice: .readers)
        return [
            reader, reader.saved(.reader, in: "/home/config.json"),
            Setting(configured: " ", key: .rootKey).invalid("It has no key.").saved(.rootKey, in: "/home/config.json"),
            SettingError(.badConfiguration, "/home/config.json: others can write to it.", advice: .file),
            SettingError(.badConfiguration, "/home/config.json: the key “reader” appears more than once.")
                .saved(repeated: "reader"),
            SettingError(
                .badEnvironment, "There is no home folder for the local store.", advice: .storeFolder),
        ]
    }
}
