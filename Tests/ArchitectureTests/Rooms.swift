import Testing

/// What a target may import: the table of the design, as one explicit list. Arrows point down only.
struct Room: CustomTestStringConvertible {
    /// The target's folder below `Sources`.
    let folder: String
    /// Our own targets and packages that it may import and depend on.
    let doors: Set<String>
    /// Modules of the system that it may import.
    let system: Set<String>

    /// The folder's target in `Package.swift`.
    var target: String {
        switch folder {
        case "TapKitBenchmarks": "tapkit-benchmarks"
        case "TapKitFuzz": "tapkit-fuzz"
        default: folder
        }
    }

    var testDescription: String { folder }

    private init(_ folder: String, doors: Set<String> = [], system: Set<String> = []) {
        self.folder = folder
        self.doors = doors
        self.system = system
    }

    static let libraries: Set<String> = [
        "ExplainedErrors", "ByteCodec", "Bitcoin", "SmartCard", "CardReaders", "TapProtocol", "TapSimulator",
        "ChainData",
        "TapManager", "ReaderDoctor",
    ]

    static let all = [
        // Module map and header, no Swift.
        Room("CPCSC"),
        Room("CNFC"),
        Room("CSecp256k1"),
        Room("CNettle"),
        Room("CCurl"),
        Room("CQREncode"),
        Room("CPNG"),
        Room("CProcess"),
        Room("CFuzzer"),

        // What a thread of one's own takes; nothing that is ours.
        Room("Threads", system: ["Glibc"]),
        // A socket at a path, for its owner only; nothing that is ours.
        Room("LocalSockets", system: ["Glibc"]),
        // Starting other programs; nothing that is ours.
        Room("ChildPrograms", system: ["Glibc"]),
        // How every layer tells what went wrong; nothing else.
        Room("ExplainedErrors"),

        // Pure values; no Foundation.
        Room("ByteCodec"),
        Room(
            "Bitcoin", doors: ["ExplainedErrors", "ByteCodec", "CSecp256k1", "CNettle"],
            system: ["Glibc", "Synchronization"]),
        Room("SmartCard", doors: ["ExplainedErrors", "Threads"], system: ["Glibc", "Synchronization"]),

        Room(
            "CardReaders", doors: ["ExplainedErrors", "SmartCard", "Threads", "CPCSC", "CNFC"],
            system: ["Glibc", "Synchronization", "FoundationEssentials"]),
        Room(
            "TapProtocol", doors: ["ExplainedErrors", "SmartCard", "ByteCodec", "Bitcoin"],
            system: ["Glibc", "Synchronization", "FoundationEssentials"]),
        Room(
            "TapSimulator", doors: ["ExplainedErrors", "SmartCard", "Threads", "LocalSockets", "ByteCodec", "Bitcoin"],
            system: ["Glibc", "Synchronization", "FoundationEssentials"]),
        Room(
            "ChainData", doors: ["ExplainedErrors", "Threads", "ByteCodec", "Bitcoin", "CCurl"],
            system: ["Glibc", "Synchronization"]),
        Room(
            "TapManager",
            doors: libraries.subtracting(["CardReaders", "TapSimulator", "TapManager", "ReaderDoctor"])
                .union(["CProcess", "GRDB"]),
            system: ["Glibc", "Synchronization", "FoundationEssentials"]),

        // What stands between a person and a reader.
        Room(
            "ReaderDoctor", doors: ["ExplainedErrors", "SmartCard", "Threads", "CardReaders"],
            system: ["Glibc", "Synchronization"]),

        // What front ends are made of, whatever they show: pure text, and a terminal, which wipes what is secret.
        Room("TextLayout"),
        Room(
            "Terminal", doors: ["ExplainedErrors", "Threads", "Bitcoin", "TextLayout"],
            system: ["Glibc", "Synchronization"]),

        // What a person has set for every run: by options, by the environment, and in the configuration file.
        Room(
            "Settings", doors: libraries.subtracting(["ReaderDoctor"]).union(["Terminal"]), system: ["Glibc"]),

        // What every front end would say in the same words.
        Room("FrontEndText", doors: ["ExplainedErrors", "Bitcoin", "TapManager", "TextLayout"]),
        // What every front end would answer programs with: values as JSON.
        Room(
            "AnswerDocuments",
            doors: libraries.subtracting(["CardReaders", "TapSimulator"]).union(["TextLayout"])),
        // The manual, from the description of commands and from Markdown.
        Room("ManualPages"),
        // The way to the program of GnuPG's that asks in a window; what every front end draws, or shows, as QR codes.
        Room("Pinentry", doors: ["ChildPrograms", "Bitcoin", "TextLayout"], system: ["Glibc", "Synchronization"]),
        Room(
            "QRCodes", doors: ["ExplainedErrors", "ByteCodec", "Bitcoin", "CQREncode", "CPNG"], system: ["Glibc"]),
        Room("QRScreens", doors: ["Terminal", "QRCodes"], system: ["Glibc"]),
        // HWI's command line; what it has to know of the machine, its host tells it.
        Room(
            "TapKitHWI",
            doors: [
                "ExplainedErrors", "ByteCodec", "Bitcoin", "SmartCard", "TapProtocol", "TapManager", "TextLayout",
                "FrontEndText",
            ], system: ["Glibc", "Synchronization"]),

        // The manager behind JSON-RPC: one processor, and transports that bind it.
        Room(
            "TapKitService",
            doors: libraries.subtracting(["CardReaders", "TapSimulator", "ChainData", "ReaderDoctor"])
                .union(["Threads", "LocalSockets", "TextLayout", "AnswerDocuments", "FlyingFox"]),
            system: ["Glibc", "Synchronization", "Foundation"]),

        // The composition root, and what stands on it.
        Room(
            "TapKitCLI",
            doors: libraries.union([
                "Threads", "TextLayout", "Terminal", "Settings", "FrontEndText", "AnswerDocuments", "ManualPages",
                "Pinentry",
                "QRCodes",
                "QRScreens", "TapKitHWI", "TapKitService", "LocalSockets", "ChildPrograms",
                "CProcess",
                "ArgumentParser",
            ]),
            system: ["Glibc", "Synchronization", "Dispatch", "FoundationEssentials"]),
        Room("tapkit", doors: ["TapKitCLI"]),
        Room("TapKitBenchmarks", doors: libraries, system: ["Glibc", "Foundation", "FoundationEssentials"]),
        Room(
            "TapKitFuzz", doors: libraries.union(["Pinentry", "TapKitService", "CFuzzer"]),
            system: ["Glibc", "Synchronization", "Dispatch", "Foundation"]),
    ]
}
