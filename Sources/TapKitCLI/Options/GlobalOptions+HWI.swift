import TapKitHWI

extension HWIPlaces {
    /// The options of tapkit's own verbs that say the same.
    func options() throws -> GlobalOptions {
        var options = try GlobalOptions.parse([])
        options.readerText = devicePath.flatMap { ReaderSpec(parsing: $0) == nil ? nil : $0 } ?? reader
        options.cardText = card
        options.cvcOptions.path = cvcFile
        options.dataFolderText = dataFolder
        options.rootKeyTexts = rootKeys
        options.isJSON = true
        options.isTracing = isTracing
        return options
    }
}
