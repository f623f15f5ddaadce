// is only available in
import Foundation

#if os(visionOS)
    let number: Int128 = 1
#else
    let file = URL(filePath: "/tmp")
#endif
