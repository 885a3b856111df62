/// Bytes as four-letter words, of which only the first and last letters are written.
///
/// Spec: BCR-2020-012.
public enum Bytewords {
    /// The bytes and their CRC-32, two lower-case letters per byte.
    ///
    /// Spec: BCR-2020-012, "Checksum" and the minimal encoding.
    public static func minimal(_ bytes: [UInt8]) -> String {
        let letters = (bytes + CRC32.checksum(bytes).bigEndianBytes).flatMap { ends[Int($0)] }
        return String(decoding: letters, as: UTF8.self)
    }

    /// The first and the last letter of each byte's word.
    private static let ends: [[UInt8]] = words.split(separator: " ").map { word in
        [word.utf8.first, word.utf8.last].compactMap(\.self)
    }

    private static let words = """
        able acid also apex aqua arch atom aunt away axis back bald barn belt beta bias \
        blue body brag brew bulb buzz calm cash cats chef city claw code cola cook cost \
        crux curl cusp cyan dark data days deli dice diet door down draw drop drum dull \
        duty each easy echo edge epic even exam exit eyes fact fair fern figs film fish \
        fizz flap flew flux foxy free frog fuel fund gala game gear gems gift girl glow \
        good gray grim guru gush gyro half hang hard hawk heat help high hill holy hope \
        horn huts iced idea idle inch inky into iris iron item jade jazz join jolt jowl \
        judo jugs jump junk jury keep keno kept keys kick kiln king kite kiwi knob lamb \
        lava lazy leaf legs liar limp lion list logo loud love luau luck lung main many \
        math maze memo menu meow mild mint miss monk nail navy need news next noon note \
        numb obey oboe omit onyx open oval owls paid part peck play plus poem pool pose \
        puff puma purr quad quiz race ramp real redo rich road rock roof ruby ruin runs \
        rust safe saga scar sets silk skew slot soap solo song stub surf swan taco task \
        taxi tent tied time tiny toil tomb toys trip tuna twin ugly undo unit urge user \
        vast very veto vial vibe view visa void vows wall wand warm wasp wave waxy webs \
        what when whiz wolf work yank yawn yell yoga yurt zaps zero zest zinc zone zoom
        """
}
