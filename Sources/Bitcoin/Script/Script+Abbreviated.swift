import ByteCodec

extension Script {
    /// The script as a line for people: whole up to 100 bytes, otherwise its first 40 bytes and its length.
    public var abbreviated: String {
        guard bytes.count > 100 else { return description }
        return "\(Hex.encode(bytes.prefix(40)))… (\(bytes.count) bytes)"
    }
}
