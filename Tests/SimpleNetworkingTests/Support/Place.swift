/// Tells code in which task it runs.
enum Place {
    @TaskLocal
    static var current = ""
}
