import StripModel

extension BluetoothAddress {
    /// Those of the simulated strips.
    static let first = at(0x4065)
    static let second = at(0x4066)

    private static func at(_ tail: Int) -> BluetoothAddress {
        guard let address = BluetoothAddress("ffff385b" + String(tail, radix: 16)) else {
            preconditionFailure("twelve digits are an address")
        }
        return address
    }
}
