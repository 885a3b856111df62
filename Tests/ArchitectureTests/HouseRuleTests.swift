import Foundation
import TestSupport
import Testing

/// Rules of the house that a machine can hold.
@Suite struct HouseRuleTests {
    @Test func theTopLevelHoldsOnlyWhatTheDesignNames() async throws {
        let named: Set = ["Package.swift", "Sources", "Tests", "Vectors", "udev", "README.md", "LICENSE"]
        let entries = Set(try await Repository.files().map { String($0.prefix { $0 != "/" }) })
        let others = entries.subtracting(named).filter { !$0.hasPrefix(".") }
        #expect(others.isEmpty, "not named by the design: \(others.sorted())")
    }

    @Test func noFileIsLongerThanOneIdea() async throws {
        for file in try await SourceFile.all() {
            #expect(file.lines.count <= 400, "\(file.path) has \(file.lines.count) lines")
        }
    }

    /// In debug builds the parser checks a group again for each check of a group that contains it: one level is enough.
    @Test func optionGroupsHaveNoGroups() async throws {
        let group = /[:,] ParsableArguments\b/
        for file in try await SourceFile.all() where file.code.contains(where: { $0.contains(group) }) {
            #expect(!file.code.contains { $0.contains("@OptionGroup") }, "\(file.path)")
        }
    }

    @Test func nothingTrapsOnPurpose() async throws {
        let traps = /\btry!|\bas!|\bfatalError\(|\bunsafeBitCast\(/
        for file in try await SourceFile.all() {
            for (number, line) in file.code(matching: traps, with: ["try!", "as!", "fatalError(", "unsafeBitCast("]) {
                Issue.record("\(file.path):\(number) can trap: \(line)")
            }
        }
    }

    /// A library never ends the process that it serves, and a front end in one way only, not in the parser's own either;
    /// benchmarks and fuzz targets are nobody's front end.
    @Test func theProcessEndsInOnePlace() async throws {
        let ends = /(^|\W)(_?exit|_Exit|quick_exit|pthread_exit|raise)\(|(^|\W)(?!EntryPoint\.)\w+\.main\(/
        for file in try await SourceFile.all() {
            guard !["TapKitBenchmarks", "TapKitFuzz"].contains(file.folder),
                file.path != "Sources/TapKitCLI/ProcessExit.swift"
            else { continue }
            for (number, line) in file.code(matching: ends, with: ["exit(", "_Exit(", "raise(", ".main("]) {
                Issue.record("\(file.path):\(number) ends the process by itself: \(line)")
            }
        }
    }

    /// What a library says is said by every front end, also by one that has no command line: it names no command, option or
    /// variable of ours. The terminal adds its own by code and subject (`CommandHint`).
    @Test func librariesNameNoCommand() async throws {
        // What a person types to mend his machine is of other programs, or of the script beside the rules of udev.
        let others = ["--now", "--disable-polkit", "--reinstall", "--kill", "setup.sh --serial"]
        // No words for people: what a simulated card is made of, and how its file begins.
        let marks = ["\"tapkit simulated card"]
        let names = /\btapkit [a-z]|--[a-z]|\bTAPKIT_/
        for file in try await SourceFile.all() where Room.libraries.contains(file.folder) {
            for (number, line) in file.code(matching: names, with: ["tapkit ", "--", "TAPKIT_"]) {
                let rest = (others + marks).reduce(String(line)) { $0.replacingOccurrences(of: $1, with: "") }
                if rest.contains(names) { Issue.record("\(file.path):\(number) names a command: \(line)") }
            }
        }
    }

    /// Nor does it name what mends a machine; only the doctor does, whose answers are about that.
    @Test func librariesNameNoShellCommand() async throws {
        let words = ["sudo", "systemctl", "apt-get", "adduser", "lsusb", "init.d", "chmod ", "ls /"]
        let names = /\b(sudo|systemctl|apt-get|adduser|lsusb|init\.d)\b|\bchmod [a-z]|\bls \//
        for file in try await SourceFile.all()
        where Room.libraries.contains(file.folder) && file.folder != "ReaderDoctor" {
            for (number, line) in file.code(matching: names, with: words) {
                Issue.record("\(file.path):\(number) names a shell command: \(line)")
            }
        }
    }

    /// What was typed is read where verbs are, and resolved once: all else is given values.
    @Test func optionsAreResolvedOnce() async throws {
        let options = /\bGlobalOptions\b/
        let places = ["Verbs/", "Options/", "Manual/", "Composition/Invocation"].map { "Sources/TapKitCLI/\($0)" }
        for file in try await SourceFile.all() where !places.contains(where: file.path.hasPrefix) {
            for (number, line) in file.code(matching: options, with: ["GlobalOptions"]) {
                Issue.record("\(file.path):\(number) carries the options of the command line: \(line)")
            }
        }
    }

    /// A second front end writes only what differs for its people.
    @Test func aSecondFrontEndIsSmall() async throws {
        let files = try await Repository.files().filter { $0.hasPrefix("Tests/FrontEndTests/") }
        let lines = try files.reduce(0) {
            $0 + (try Data(contentsOf: Vectors.root.appendingPathComponent($1)).count { $0 == UInt8(ascii: "\n") })
        }
        #expect((1...300).contains(lines), "\(lines) lines")
    }

    /// Composition is what a run is put together of, and nothing that asks, shows or writes.
    @Test func compositionStaysSmall() async throws {
        let files = try await SourceFile.all().map(\.path).filter { $0.hasPrefix("Sources/TapKitCLI/Composition/") }
        #expect(files.count <= 10, "\(files)")
    }

    /// A code is looked for by the compiler: a text that names none is no reason to take another.
    @Test func noErrorCodeIsMadeOfAText() async throws {
        let conversion = /ErrorCode\(rawValue:/
        for file in try await SourceFile.all() where file.folder != "ExplainedErrors" {
            for (number, line) in file.code(matching: conversion, with: ["ErrorCode(rawValue:"]) {
                Issue.record("\(file.path):\(number) makes an error code of a text: \(line)")
            }
        }
    }

    /// JSON from elsewhere is read by `JSONReader`, with bounds; what is our own is read and written by `JSONDocument`. The
    /// simulator's card files are read without the code that they test.
    @Test func jsonIsReadAndWrittenInOnePlace() async throws {
        let coding = /JSON(Encoder|Decoder|Serialization)\b/
        let places = [
            "Sources/TapManager/Files/JSONDocument.swift",
            "Sources/TapSimulator/State/SimulatedCardState+Coding.swift",
        ]
        for file in try await SourceFile.all() where !places.contains(file.path) && file.folder != "TapKitFuzz" {
            for (number, line) in file.code(matching: coding, with: ["JSON"]) {
                Issue.record("\(file.path):\(number) reads or writes JSON by itself: \(line)")
            }
        }
    }

    /// A public declaration says more than its name.
    @Test func publicDeclarationsSayMoreThanTheirNames() async throws {
        for file in try await SourceFile.all() where Room.libraries.contains(file.folder) {
            for (number, comment) in file.emptyComments {
                Issue.record("\(file.path):\(number) says nothing that its name does not: \(comment)")
            }
        }
    }

    /// What a program needs of the manager, and no more: flows, gates, journals and what stores are made of are the package's own.
    @Test func theManagerShowsWhatAProgramNeeds() async throws {
        let publicDeclaration = #/^\s*((@\w+|nonisolated) )*public /#
        var count = 0
        for file in try await SourceFile.all() where file.folder == "TapManager" {
            let lines = file.code.filter { $0.contains(publicDeclaration) }
            count += lines.count
            guard
                file.path.contains(
                    /Flows\/(\w+Flow|CardDriver)\b|Journal\/Flow(Journal|State)|Store\/SQLite\//)
            else {
                continue
            }
            for line in lines { Issue.record("\(file.path) shows programs what is the package's own: \(line)") }
        }
        #expect((1...400).contains(count), "\(count) public declarations")
    }

    @Test(arguments: [
        ("/// A coin from its parts.\npublic init() {}", true), ("/// What `Store` says.\npublic func save() {}", true),
        ("/// The locking script.\n    public let lockingScript: Script", true),
        ("/// Its name.\npublic var name: String", true),
        ("/// The path\n/// of the file.\npublic let path: String", false),
        ("/// The name that people gave it.\npublic let name: String", false),
        ("/// The name.\nlet name: String", false), ("/// A coin from its parts.\n\npublic init() {}", false),
    ])
    func findsAnEmptyComment(_ text: String, _ isEmpty: Bool) {
        #expect(SourceFile(path: "Sources/X/x.swift", text: text).emptyComments.isEmpty != isEmpty)
    }

    @Test func everyLibraryHasAPageOfItsOwn() async throws {
        let files = Set(try await Repository.files())
        for library in Room.libraries {
            #expect(files.contains("Sources/\(library)/\(library).docc/\(library).md"), "\(library)")
        }
    }

    @Test func cTargetsHoldNoLogic() async throws {
        let files = try await Repository.files().filter {
            $0.hasPrefix("Sources/C") && $0.starts(with: /Sources\/C[A-Z]/)
        }
        for folder in Set(files.map { $0.split(separator: "/")[1] }) {
            let names = files.filter { $0.hasPrefix("Sources/\(folder)/") }.map {
                $0.split(separator: "/").dropFirst(2)
            }
            #expect(Set(names.map { $0.joined(separator: "/") }) == ["module.modulemap", "shim.h"])
        }
    }
}
