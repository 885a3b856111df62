import Bitcoin

extension PSBT {
    /// Says of all inputs what these say, one for each.
    public mutating func setInputs(_ inputs: [Input]) {
        precondition(inputs.count == self.inputs.count)
        for (index, input) in inputs.enumerated() { self[input: index] = input }
    }

    /// Says of all outputs what these say, one for each.
    public mutating func setOutputs(_ outputs: [Output]) {
        precondition(outputs.count == self.outputs.count)
        for (index, output) in outputs.enumerated() { self[output: index] = output }
    }
}
