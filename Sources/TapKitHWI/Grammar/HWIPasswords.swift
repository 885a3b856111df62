/// Finds passwords in a command line, so that they can be erased where other programs can see them.
package enum HWIPasswords {
    /// The first byte of each password, by the index of its word.
    ///
    /// Looks at each word by itself: what only looks like a password is erased as well, and so is a password that the
    /// parser would not reach.
    package static func places(in words: [[UInt8]]) -> [Int: Int] {
        var places: [Int: Int] = [:]
        var isNext = false
        for (index, word) in words.enumerated() {
            if isNext { places[index] = 0 }
            let options = try? HWIOptionWord(word, [HWIGlobals.all])
            let isPassword = options?.options.last?.isSecret == true
            if isPassword, !isNext, let start = options?.valueStart { places[index] = start }
            isNext = isPassword && options?.valueStart == nil
        }
        return places
    }
}
