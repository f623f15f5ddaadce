#if !canImport(Darwin)
    /// Writes EUC-JP in another form, for a Foundation that does not know it.
    enum JapaneseEUC {
        /// Writes the text as ISO-2022-JP-2 (RFC 1554): the same bytes without their high bits, behind escapes that name
        /// the set.
        ///
        /// - Returns: The bytes; nil if these are no EUC-JP, or hold escapes of their own.
        static func iso2022(_ data: Data) -> Data? {
            var output = Data(capacity: data.count + data.count / 2)
            var current = ascii
            var bytes = data.makeIterator()
            while let byte = bytes.next() {
                let (set, followers): ([UInt8], Int)
                switch byte {
                case 0x1B, 0x0E, 0x0F: return nil
                case 0..<0x80: (set, followers) = (ascii, 0)
                case 0x8E: (set, followers) = (katakana, 1)
                case 0x8F: (set, followers) = (jis0212, 2)
                case 0xA1...0xFE: (set, followers) = (jis0208, 1)
                default: return nil
                }
                if set != current { output.append(contentsOf: set) }
                current = set
                // These two only name the set.
                if byte != 0x8E, byte != 0x8F { output.append(byte & 0x7F) }
                for _ in 0..<followers {
                    guard let next = bytes.next(), (0xA1...(byte == 0x8E ? 0xDF : 0xFE)).contains(next) else {
                        return nil
                    }
                    output.append(next & 0x7F)
                }
            }
            if current != ascii { output.append(contentsOf: ascii) }
            return output
        }

        private static let ascii = Array("\u{1B}(B".utf8)
        private static let katakana = Array("\u{1B}(I".utf8)
        private static let jis0208 = Array("\u{1B}$B".utf8)
        private static let jis0212 = Array("\u{1B}$(D".utf8)
    }
#endif
