/// What people see of a name when they compare it with another: letters and digits, and of those that look alike, one.
///
/// Spec: UTS 39, section 4, with some of its confusable characters: of Cyrillic, Greek and Armenian letters those that look
/// like Latin ones, and digits that look like letters.
enum NameSkeleton {
    /// The skeleton of a text. Two texts with the same one can be taken for each other.
    static func of(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { latin[$0] ?? $0 })).lowercased()
            .filter { $0.isLetter || $0.isNumber }
            .map { like[$0].map(String.init) ?? String($0) }.joined()
    }

    /// Letters of other scripts, capital and small, that look like Latin ones.
    private static let latin: [Unicode.Scalar: Unicode.Scalar] = {
        let pairs = [
            "АAаaВBвbЕEеeЗ3з3КKкkМMмmНHнhОOоoРPрpСCсcТTтtУYуyХXхxЬbьbЅSѕsІIіiЈJјjԌGԍgԀDԁdҺhһhԚQԛqԜWԝwӀIӏlЁEёeЇIїiГrгr",
            "ΑAαaΒBβbΓrΕEεeΖZζzΗHηnΙIιiΚKκkΜMμuΝNνvΟOοoΡPρpΤTτtΥYυuΧXχxωwγyσoςc",
            "ՏSսuոnՈUօoՕOցgհhՀhզqյjլlԼL",
        ]
        var letters: [Unicode.Scalar: Unicode.Scalar] = [:]
        for pair in pairs {
            let scalars = Array(pair.unicodeScalars)
            for index in stride(from: 0, to: scalars.count, by: 2) { letters[scalars[index]] = scalars[index + 1] }
        }
        return letters
    }()

    /// Of Latin letters and digits, in small letters, those that look like others: a capital i is a small L.
    private static let like: [Character: Character] = ["0": "o", "1": "l", "i": "l"]
}
