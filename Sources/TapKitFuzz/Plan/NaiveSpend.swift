import Bitcoin
import ByteCodec

/// How an input of a PSBT is spent: a second, deliberately simple implementation to compare plans with.
struct NaiveSpend {
    let coin: TransactionOutput
    /// The script that signatures cover.
    let code: Script
    let isSegwit: Bool

    /// `nil` if what is spent is unknown, or its script is missing.
    init?(_ psbt: PSBT, input index: Int) {
        guard let coin = Self.coin(psbt, input: index) else { return nil }
        let input = psbt.inputs[index]
        self.coin = coin
        var script = coin.scriptPubKey.bytes
        if script.count == 23, script[0] == 0xA9, script[22] == 0x87 {
            guard let redeem = input.redeemScript, script[2..<22].elementsEqual(Hash160.hash(redeem.bytes)) else {
                return nil
            }
            script = redeem.bytes
        }
        if script.count == 22, script.starts(with: [0x00, 0x14]) {
            code = Script([0x76, 0xA9, 0x14] + script[2...] + [0x88, 0xAC])
            isSegwit = true
        } else if script.count == 34, script.starts(with: [0x00, 0x20]) {
            guard let witness = input.witnessScript, script[2...].elementsEqual(SHA256.hash(witness.bytes)) else {
                return nil
            }
            code = witness
            isSegwit = true
        } else {
            guard input.nonWitnessUTXO != nil else { return nil }
            code = Script(script)
            isSegwit = false
        }
    }

    /// What an input spends; `nil` if it is unknown or contradictory.
    static func coin(_ psbt: PSBT, input index: Int) -> TransactionOutput? {
        let claimed = psbt.inputs[index].witnessUTXO
        guard let previous = psbt.inputs[index].nonWitnessUTXO else { return claimed }
        let outpoint = psbt.unsignedTransaction.inputs[index].outpoint
        guard let transaction = try? Transaction(serialized: previous.bytes), transaction.id == outpoint.transactionID,
            transaction.outputs.indices.contains(Int(outpoint.index))
        else { return nil }
        let coin = transaction.outputs[Int(outpoint.index)]
        return claimed == nil || claimed == coin ? coin : nil
    }

    /// Whether the script contains the key or its hash.
    func names(_ key: PublicKey) -> Bool {
        code.bytes.firstRange(of: key.bytes) != nil || code.bytes.firstRange(of: key.hash160) != nil
    }

    /// The digest that is signed.
    ///
    /// Spec: BIP-143; Bitcoin Core, `SignatureHash`.
    func digest(_ transaction: Transaction, input index: Int, type: UInt32) -> Digest {
        Digest(doubleHashing: isSegwit ? segwit(transaction, index, type) : legacy(transaction, index, type))
    }

    private func legacy(_ transaction: Transaction, _ index: Int, _ type: UInt32) -> [UInt8] {
        var copy = transaction
        for other in copy.inputs.indices {
            copy.inputs[other].scriptSig = other == index ? code.withoutSeparators : Script()
            copy.inputs[other].witness = []
            if other != index, type & 0x1F == 2 || type & 0x1F == 3 { copy.inputs[other].sequence = 0 }
        }
        if type & 0x1F == 2 { copy.outputs = [] }
        if type & 0x1F == 3 {
            copy.outputs = Array(copy.outputs.prefix(index + 1))
            for other in 0..<index { copy.outputs[other] = TransactionOutput(value: -1, scriptPubKey: Script()) }
        }
        if type & 0x80 != 0 { copy.inputs = [copy.inputs[index]] }
        var bytes = copy.serialized(.withoutWitnesses)
        bytes.appendLittleEndian(type)
        return bytes
    }

    private func segwit(_ transaction: Transaction, _ index: Int, _ type: UInt32) -> [UInt8] {
        let zero = [UInt8](repeating: 0, count: 32)
        let (outputs, isAlone) = (type & 0x1F, type & 0x80 != 0)
        let points = transaction.inputs.map { input in
            var bytes = input.outpoint.transactionID.bytes
            bytes.appendLittleEndian(input.outpoint.index)
            return bytes
        }
        let sequences = transaction.inputs.map { Self.littleEndian($0.sequence) }
        let paid = transaction.outputs.map { output in
            var bytes = Self.littleEndian(output.value)
            bytes.appendSized(output.scriptPubKey.bytes)
            return bytes
        }
        func hash(_ parts: [[UInt8]]) -> [UInt8] { SHA256.hash(SHA256.hash(parts.flatMap { $0 })) }
        var bytes = Self.littleEndian(transaction.version)
        bytes += isAlone ? zero : hash(points)
        bytes += isAlone || outputs == 2 || outputs == 3 ? zero : hash(sequences)
        bytes += points[index]
        bytes.appendSized(code.bytes)
        bytes += Self.littleEndian(coin.value) + sequences[index]
        switch outputs {
        case 2: bytes += zero
        case 3: bytes += paid.indices.contains(index) ? hash([paid[index]]) : zero
        default: bytes += hash(paid)
        }
        return bytes + Self.littleEndian(transaction.lockTime) + Self.littleEndian(type)
    }

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(value)
        return bytes
    }
}

extension Script {
    /// The script without `OP_CODESEPARATOR`, which occurs only in unknown scripts that a plan signs.
    fileprivate var withoutSeparators: Script {
        guard let elements, elements.contains(where: { $0.opcode.rawValue == 0xAB }) else { return self }
        var bytes: [UInt8] = []
        var iterator = ScriptElementIterator(self)
        var start = 0
        while let element = iterator.next() {
            if element.opcode.rawValue != 0xAB { bytes += self.bytes[start..<iterator.offset] }
            start = iterator.offset
        }
        return Script(bytes)
    }
}
