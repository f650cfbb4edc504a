/// Colours that are given by hue or by temperature, turned into channels.
extension Color {
    static let kelvinRange = 1000...40000

    /// Hue in degrees, saturation and value in percent.
    init(hue: Int, saturation: Int, value: Int) {
        let value = Double(value) / 100
        let chroma = value * Double(saturation) / 100
        self.init(hue: hue, chroma: chroma, base: value - chroma)
    }

    /// Hue in degrees, saturation and lightness in percent.
    init(hue: Int, saturation: Int, lightness: Int) {
        let lightness = Double(lightness) / 100
        let chroma = (1 - (2 * lightness - 1).magnitude) * Double(saturation) / 100
        self.init(hue: hue, chroma: chroma, base: lightness - chroma / 2)
    }

    private init(hue: Int, chroma: Double, base: Double) {
        let sector = Double(hue % 360) / 60
        let second = chroma * (1 - (sector.truncatingRemainder(dividingBy: 2) - 1).magnitude)
        let (red, green, blue) =
            switch Int(sector) {
            case 0: (chroma, second, 0.0)
            case 1: (second, chroma, 0.0)
            case 2: (0.0, chroma, second)
            case 3: (0.0, second, chroma)
            case 4: (second, 0.0, chroma)
            default: (chroma, 0.0, second)
            }
        func channel(_ part: Double) -> UInt8 { UInt8(min(255, max(0, ((part + base) * 255).rounded()))) }
        self.init(red: channel(red), green: channel(green), blue: channel(blue))
    }

    /// The colour of a black body, its brightest channel full, between the nearest two of `blackBody`. Between them it
    /// goes evenly by the reciprocal of the temperature, as the eye does.
    init(kelvin: Int) {
        let kelvin = min(max(kelvin, Color.kelvinRange.lowerBound), Color.kelvinRange.upperBound)
        let upper = max(1, Color.blackBody.firstIndex { $0.kelvin >= kelvin } ?? 1)
        let (cooler, hotter) = (Color.blackBody[upper - 1], Color.blackBody[upper])
        let way = { (kelvin: Int) in 1 / Double(cooler.kelvin) - 1 / Double(kelvin) }
        let share = way(kelvin) / way(hotter.kelvin)
        func channel(_ from: UInt8, _ to: UInt8) -> UInt8 {
            UInt8((Double(from) + (Double(to) - Double(from)) * share).rounded())
        }
        self.init(
            red: channel(cooler.color.0, hotter.color.0), green: channel(cooler.color.1, hotter.color.1),
            blue: channel(cooler.color.2, hotter.color.2))
    }

    /// Planck's law, weighed with the CIE 1931 colour matching functions (in the analytic fit of Wyman, Sloan and Shirley,
    /// 2013) and put into sRGB with its own white and transfer curve.
    private static let blackBody: [(kelvin: Int, color: (UInt8, UInt8, UInt8))] = [
        (1000, (255, 47, 0)), (1200, (255, 76, 0)), (1500, (255, 106, 0)), (1700, (255, 122, 0)),
        (1900, (255, 135, 0)), (2000, (255, 141, 21)), (2200, (255, 152, 47)), (2500, (255, 166, 74)),
        (2700, (255, 174, 89)), (3000, (255, 185, 110)), (3500, (255, 200, 140)), (4000, (255, 212, 165)),
        (4500, (255, 222, 188)), (5000, (255, 231, 208)), (5500, (255, 238, 225)), (6000, (255, 244, 241)),
        (6500, (255, 249, 254)), (7000, (244, 242, 255)), (8000, (227, 231, 255)), (9000, (214, 223, 255)),
        (10000, (205, 217, 255)), (12000, (192, 209, 255)), (15000, (181, 201, 255)), (20000, (171, 193, 255)),
        (30000, (162, 187, 255)), (40000, (159, 184, 255)),
    ]
}
