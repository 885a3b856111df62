/// What is known about the sending of a stored transaction, whether with its PSBT or in a list.
package protocol StoredSending {
    /// When a chain server accepted it; `nil`: not sent yet.
    var sent: UnixTime? { get }
    /// When it was first given to a chain server, whatever that answered, or first reported by one; `nil`: not yet, as
    /// far as is known.
    var offered: UnixTime? { get }
}

extension StoredSending {
    /// When others may first have seen it complete; `nil`: no chain server had it, as far as is
    /// known.
    package var leftHere: UnixTime? { offered ?? sent }
}
