import Bitcoin

extension StoredLabel {
    /// The stored form of a line of a label file, without loss.
    package init(_ label: Label) {
        self.init(
            type: label.kind.rawValue, reference: label.reference, label: label.text, isSpendable: label.isSpendable,
            origin: label.origin ?? "", line: label.otherFields.isEmpty ? nil : label.line)
    }

    /// The line of a label file; `nil` for an unknown type.
    var fileLabel: Label? {
        let others = line.flatMap { try? Label(line: Array($0.utf8)[...]) }?.otherFields ?? []
        return Label.Kind(rawValue: type).map {
            Label(
                $0, reference, text: label, origin: origin.isEmpty ? nil : origin, isSpendable: isSpendable,
                otherFields: others)
        }
    }
}
