extension Duration {
    /// In whole milliseconds for a C call: from 0 to the largest that it takes, whatever the duration.
    public func milliseconds(_ rule: FloatingPointRoundingRule) -> Int32 {
        guard self > .zero else { return 0 }
        guard self < .milliseconds(Int32.max) else { return .max }
        return Int32((self / .milliseconds(1)).rounded(rule))
    }
}
