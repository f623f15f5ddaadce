extension RequestCore {
    /// Lets whoever listens at the client hear of what happens from now on.
    func letWatch(_ settings: ExecutionSettings) {
        guard settings.isObserved else { return log.watch(nil) }
        let specification = state.withLock { $0.specification }
        log.watch { number in
            let request = ObservedRequest(
                number: number,
                description: settings.memory.hide(in: specification.description),
                tags: specification.tags,
                fileID: "\(specification.site.fileID)",
                line: Int(specification.site.line)
            )
            return EventWatcher(request, settings.logger, settings.monitors, hiding: settings.memory)
        }
    }

    /// A failure that nobody hears of would be found by chance only.
    func reportIfUnheard(_ outcome: Completion.Outcome?, isAwaited: Bool) {
        guard case .failure(let error)? = outcome, !isAwaited, !error.isCancellation else { return }
        let (isHeard, client, site) = state.withLock { state in
            let isHeard =
                state.isSilent || state.handlers.contains { $0.isCompletion || $0.waits(for: .failure(error)) }
            return (isHeard, state.client, state.specification.site)
        }
        guard !isHeard else { return }
        log.record(.unhandled(fileID: "\(site.fileID)", line: Int(site.line)))
        client?.executionSettings.logger.log(
            .error,
            """
            \(error.summary) Nobody heard of it: the request was made at \(site.fileID):\(site.line), and has neither an error \
            handler nor a completion handler.
            """
        )
    }
}
