import QRCodes
import TapKitService
import TapManager

extension ServiceProcessor {
    /// What this command serves to other programs and to its page.
    /// - Throws: `Failure` for unusable settings, and what opening the store throws.
    convenience init(_ options: GlobalOptions) throws(Failure) {
        let invocation = try Invocation(options, to: .storing, asksChain: true)
        self.init(
            invocation.manager, desk: DeskPerson(options.console), version: Version.text,
            network: try options.network(),
            doctor: {
                do throws(Failure) {
                    return ServiceAnswer(DoctorVerb.Answer(try await DoctorVerb.examine(options)))
                } catch { throw DeskRefusal(error) }
            },
            qrCode: { text in
                let code = try QRCode(text)
                return QRMatrix(size: code.size) { code[$0, $1] }
            })
    }
}
