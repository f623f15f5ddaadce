// runtime support for typed throws function types is only available in
func isThere(_ function: (() throws(CancellationError) -> Void)?) -> Bool { function != nil }
