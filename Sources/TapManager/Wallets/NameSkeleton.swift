/// What people see of a name when they compare it with another: letters and digits, and of those that look alike, one.
///
/// Spec: UTS 39, section 4, with some of its confusable characters: of Cyrillic, Greek and Armenian letters those that look
/// like Latin ones, Latin ones that look like others, and digits that look like letters.
struct NameSkeleton {
    /// As it is written, whatever the case.
    private let plain: String
    /// The same with what a capital I looks like.
    private let capital: String

    init(_ text: String) {
        // Characters are compared as Unicode does: an accent may be part of a letter, or follow it.
        let letters = String(text.filter { $0.isLetter || $0.isNumber }.map { Self.latin[$0] ?? $0 })
        plain = Self.merged(letters)
        capital = Self.merged(String(letters.map { $0 == "I" ? "l" : $0 }))
    }

    /// Whether one of them can be taken for the other.
    func isLike(_ other: Self) -> Bool { [other.plain, other.capital].contains(where: [plain, capital].contains) }

    /// Whether a name seems to be in it; of a name of one or two letters, whether it seems to be that.
    func imitates(_ name: Self) -> Bool {
        name.plain.count > 2
            ? [name.plain, name.capital].contains { plain.contains($0) || capital.contains($0) } : isLike(name)
    }

    private static func merged(_ letters: String) -> String {
        String(letters.lowercased().map { digits[$0] ?? $0 }).replacing("rn", with: "m").replacing("vv", with: "w")
    }

    /// Letters, capital and small, that look like Latin ones.
    private static let latin: [Character: Character] = {
        let pairs = [
            "АAаaВBвbЕEеeЗ3з3КKкkМMмmНHнhОOоoРPрpСCсcТTтtУYуyХXхxЬbьbЅSѕsІIіiЈJјjԌGԍgԀDԁdҺhһhԚQԛqԜWԝwӀIӏlЁËёëЇÏїïГrгr",
            "ΑAαaΒBβbΓrΕEεeΖZζzΗHηnΙIιiΚKκkΜMμuΝNνvΟOοoΡPρpΤTτtΥYυuΧXχxωwγyσoςcΆÁάáΈÉέéΊÍίíϊïΌÓόóΎÝύúώẃ",
            "ՏSսuոnՈUօoՕOցgհhՀhզqյjլlԼL", "ıiƖlꜱsꜰf", "ϹCϲcϱpѴVѵvҮYүy",
        ]
        var letters: [Character: Character] = [:]
        for pair in pairs {
            let characters = Array(pair)
            for index in stride(from: 0, to: characters.count, by: 2) {
                letters[characters[index]] = characters[index + 1]
            }
        }
        return letters
    }()

    private static let digits: [Character: Character] = ["0": "o", "1": "l"]
}
