/// A constant of the C library: an enumeration's case in glibc, a number elsewhere.
func number<Constant: RawRepresentable>(_ constant: Constant) -> Int32 where Constant.RawValue: BinaryInteger {
    Int32(constant.rawValue)
}

func number(_ constant: Int32) -> Int32 { constant }
