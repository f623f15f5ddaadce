// windows: cannot convert value of type 'Int32'
import WinSDK

func end(_ descriptor: Int32) -> Bool { CloseHandle(descriptor) }
