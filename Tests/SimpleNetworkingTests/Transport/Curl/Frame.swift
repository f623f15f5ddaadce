#if canImport(CLibcurl) && os(Linux)
    import Foundation

    /// Makes frames.
    enum Frame {
        static let headers: UInt8 = 1
        static let settings = frame(4, stream: 0)
        /// A response with the status 200 and two bytes of content.
        static let response = whole("ok")
        /// A response with two of five bytes.
        static let short = frame(headers, flags: 4, [0x88, 0x0F, 0x0D, 1, 0x35]) + frame(0, Array("ok".utf8))

        /// A response with the status 200 and a length.
        static func whole(_ content: String, stream: UInt8 = 1) -> Data {
            fields(["content-length: \(content.utf8.count)"], stream: stream) + data(content, stream: stream)
        }

        /// Says that streams behind this one were not processed.
        static func goAway(after last: UInt8 = 0, error: UInt8 = 0) -> Data {
            frame(7, stream: 0, [0, 0, 0, last, 0, 0, 0, error])
        }

        static func reset(_ error: UInt8, stream: UInt8 = 1) -> Data { frame(3, stream: stream, [0, 0, 0, error]) }

        /// The fields of a response, each with its name in front of a colon and a blank, in as many frames as they need.
        ///
        /// They are not compressed, so that they are as large on the wire as they are.
        static func fields(
            _ lines: [String] = [],
            status: String? = "200",
            stream: UInt8 = 1,
            endsStream: Bool = false
        ) -> Data {
            var block = Data()
            for (name, value) in (status.map { [(":status", $0)] } ?? []) + lines.map(split) {
                block += [0] + integer(name.utf8.count) + Data(name.utf8) + integer(value.utf8.count) + Data(value.utf8)
            }
            var frames = Data()
            repeat {
                let (isFirst, isLast) = (frames.isEmpty, block.count <= largest)
                let flags: UInt8 = (isLast ? 4 : 0) | (isFirst && endsStream ? 1 : 0)
                frames += frame(isFirst ? headers : 9, flags: flags, stream: stream, Array(block.prefix(largest)))
                block = Data(block.dropFirst(largest))
            } while !block.isEmpty
            return frames
        }

        /// Content in as many frames as it needs.
        static func data(_ content: String, stream: UInt8 = 1, endsStream: Bool = true) -> Data {
            var rest = Data(content.utf8)
            var frames = Data()
            repeat {
                let flags: UInt8 = endsStream && rest.count <= largest ? 1 : 0
                frames += frame(0, flags: flags, stream: stream, Array(rest.prefix(largest)))
                rest = Data(rest.dropFirst(largest))
            } while !rest.isEmpty
            return frames
        }

        static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt8 = 1, _ bytes: [UInt8] = []) -> Data {
            let length = [UInt8(bytes.count >> 16), UInt8(bytes.count >> 8 & 0xFF), UInt8(bytes.count & 0xFF)]
            return Data(length + [type, flags, 0, 0, 0, stream] + bytes)
        }

        private static let largest = 16384

        /// RFC 7541 §5.1, with seven bits in the first byte.
        private static func integer(_ value: Int) -> [UInt8] {
            guard value >= 127 else { return [UInt8(value)] }
            var (bytes, rest) = ([UInt8(127)], value - 127)
            while rest >= 128 {
                bytes.append(UInt8(rest % 128) | 128)
                rest /= 128
            }
            return bytes + [UInt8(rest)]
        }

        /// A pseudo-header field begins with a colon.
        private static func split(_ line: String) -> (String, String) {
            let place = line.range(of: ": ")
            return place.map { (String(line[..<$0.lowerBound]), String(line[$0.upperBound...])) } ?? (line, "")
        }
    }
#endif
