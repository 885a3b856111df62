import SmartCard

extension SimulatedBackend {
    /// How the user names a simulated card: always by its file.
    package static let family = ReaderFamily(
        .sim, [.init("sim:FILE", "a simulated card whose state is FILE; never genuine")], survey: nil
    ) { file in file.map { SimulatedBackend(path: $0) } }
}
