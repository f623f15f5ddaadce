import Foundation
import SimpleNetworking
import Synchronization
import Testing

@testable import playground

/// What is shown of a download's progress, at any time and width.
struct ProgressTests {
    @Test(arguments: [
        (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1 << 20, "1.0 MiB"), ((1 << 20) - 1, "1.0 MiB"),
        (5_000_000, "4.8 MiB"), (3 << 30, "3.0 GiB"), (Int.max, "8388608.0 TiB"),
    ])
    func sizesHaveTheUnitThatFits(bytes: Int, text: String) {
        #expect(ProgressText.size(bytes) == text)
    }

    @Test(arguments: [
        (0.04, "0.0 s"), (9.94, "9.9 s"), (59.4, "59 s"), (61, "1:01 min"), (3599, "59:59 min"), (7260, "2:01 h"),
        (1e300, "99:59 h"),
    ])
    func timesHaveTheUnitThatFits(seconds: Double, text: String) {
        #expect(ProgressText.time(seconds) == text)
    }

    @Test
    func theRateIsThatOfTheLastSecondsAndStartsOverWithTheBytes() {
        var rate = TransferRate()
        #expect(rate.perSecond == nil)
        // Fast for ten seconds, then slow.
        for step in 0...1000 { rate.add(step * 10_000, at: Double(step) / 100) }
        #expect(rate.perSecond.map { abs($0 - 1_000_000) < 1 } == true)
        for step in 1...100 { rate.add(10_000_000 + step * 10, at: 10 + Double(step) / 10) }
        #expect(rate.perSecond.map { abs($0 - 100) < 1 } == true)
        rate.add(0, at: 21)
        #expect(rate.perSecond == nil)
    }

    private func progress(_ bytes: Int, of total: Int?) -> TransferProgress {
        TransferProgress(bytesReceived: bytes, bytesToReceive: total)
    }

    @Test
    func aLineSaysWhatIsKnown() {
        #expect(ProgressText.line(progress(1024, of: 4096), nil) == " 25 %  1.0 KiB of 4.0 KiB")
        #expect(ProgressText.line(progress(1024, of: 4096), 512) == " 25 %  1.0 KiB of 4.0 KiB  512 B/s  6.0 s left")
        #expect(ProgressText.line(progress(4096, of: 4096), 512) == "100 %  4.0 KiB of 4.0 KiB  512 B/s")
        #expect(ProgressText.line(progress(1024, of: nil), 512) == "1.0 KiB  512 B/s")
        #expect(ProgressText.line(progress(1024, of: 4096), 0) == " 25 %  1.0 KiB of 4.0 KiB")
    }

    @Test(arguments: 0...120)
    func aBarIsAsWideAsTheTerminalLessOneColumn(width: Int) {
        for bytes in [0, 1024, 4096] {
            let bar = ProgressText.bar(progress(bytes, of: 4096), 512, width: width)
            #expect(bar.count == max(width - 1, 0))
            let (done, rest) = (bar.count { $0 == "#" }, bar.count { $0 == "." })
            guard bar.hasPrefix("[") else { continue }
            #expect(bytes != 4096 || bar.contains("#] 100 %") && done >= 10)
            #expect(bytes != 0 || done == 0 && rest >= 10)
        }
    }

    @Test
    func aTerminalIsDrawnAtMostTenTimesASecond() {
        let time = Mutex(0.0)
        let written = Mutex<[String]>([])
        let report = ProgressReport(isTerminal: true, now: { time.withLock { $0 } }) { text in
            written.withLock { $0.append(text) }
        }
        for step in 1...999 {
            time.withLock { $0 = Double(step - 1) / 1000 }
            report.show(progress(step, of: 1000))
        }
        #expect(written.withLock { $0.count } == 10)
        #expect(written.withLock { $0.allSatisfy { $0.hasPrefix("\r[") } })
        report.stop("Stopped.")
        #expect(written.withLock { $0.suffix(2) } == ["\n", "Stopped.\n"])
    }

    @Test(arguments: [true, false])
    func whatArrivesAtOnceHasNoProgress(isTerminal: Bool) {
        let written = Mutex<[String]>([])
        let report = ProgressReport(isTerminal: isTerminal, now: { 7 }) { text in written.withLock { $0.append(text) } }
        report.show(progress(0, of: 9))
        report.show(progress(9, of: 9))
        report.end("Saved x", resumedAt: nil)
        #expect(written.withLock { $0 }.last == "Saved x: 9 B in 0.0 s.\n")
        #expect(written.withLock { $0.count } == 1)
    }
}
