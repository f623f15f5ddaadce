// overflows when stored into 'Int'
#if os(watchOS)
    let longest: Int = 2_147_483_648
#else
    let longest: Int = 9_223_372_036_854_775_808
#endif
