import QRCodes
import TapKitService
import TapManager
import Terminal

extension ServiceProcessor {
    /// The processor of a program that serves others, with the person, the doctor and the QR codes of the command.
    convenience init(serving manager: CardManager, _ options: GlobalOptions) {
        self.init(
            manager, desk: DeskPerson(options.console), version: Version.text,
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
