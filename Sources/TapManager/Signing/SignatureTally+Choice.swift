import Bitcoin

extension SignatureTally {
    /// How many of those who can sign still have to, if any such group will do; `nil` if all of them must, or if that
    /// differs between the inputs.
    package var choiceCount: Int? {
        guard let first = openInputs.first, first.choice == nil, (first.groups?.count ?? 1) == 1,
            first.missing < first.able.count,
            openInputs.allSatisfy({ $0.missing == first.missing && $0.able == first.able }),
            first.able.values.allSatisfy({ $0 == 1 })
        else { return nil }
        return first.missing
    }
}
