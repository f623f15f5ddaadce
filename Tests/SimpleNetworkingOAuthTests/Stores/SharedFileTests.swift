#if os(macOS) || os(Linux)
    import Foundation
    import SimpleNetworkingOAuth
    import SimpleNetworkingTestSupport
    import Testing

    /// What becomes of the file when other programs work with it, and die.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct SharedFileTests {
        private let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        @Test
        func aProgramKilledWhileItWritesLeavesTheOldTokenOrTheNewOne() async throws {
            let store = FileCredentialStore(folder.file)
            var leftovers = 0
            // A write that is interrupted may take some rounds to come.
            for round in 0..<50 where round < Storm.size(6, full: 50) || leftovers == 0 {
                let program = try Program("write", folder.file.path)
                #expect(await program.line() == "writing")
                // Some way into one of the writes, another in each round.
                for _ in 0..<round * 200 { await Task.yield() }
                await program.kill()
                let token = try #require(try await store.load())
                let text = token.accessToken.reveal()
                #expect(text.hasSuffix(".") && Set(text.split(separator: ".")).count == 1)
                #expect(token.refreshToken == token.accessToken)
                #expect(ScratchFolder.mode(of: folder.file) == 0o600)
                for name in folder.names where name.contains(".new-") {
                    leftovers += 1
                    let file = folder.url.appendingPathComponent(name)
                    #expect(ScratchFolder.mode(of: file) == 0o600)
                    try FileManager.default.removeItem(at: file)
                }
                #expect(folder.names == ["token.json"])
            }
            // Else no write was ever interrupted, and this has shown nothing.
            #expect(leftovers > 0)
        }

        @Test
        func lockOfAKilledProgramIsReleased() async throws {
            let program = try Program("hold", folder.file.path)
            #expect(await program.line() == "holding")
            let store = FileCredentialStore(folder.file, lockTimeout: 0)
            await #expect(throws: CredentialStoreError.locked(path: folder.file.path + ".lock", 0)) {
                try await store.exclusively {}
            }
            await program.kill()
            #expect(try await store.exclusively { true })
        }

        @Test
        func programsThatShareAnExpiredTokenRefreshItOnce() async throws {
            let expired = OAuthToken(
                accessToken: Secret("old"),
                refreshToken: Secret("r1"),
                receivedAt: Date(timeIntervalSinceNow: -7200),
                expiresIn: 3600
            )
            try await FileCredentialStore(folder.file).save(expired)
            let server = try AuthorizationServer(refreshToken: "r1")
            let programs = try (0..<4).map { _ in
                try Program("refresh", folder.file.path, server.url("/token").absoluteString)
            }
            for program in programs { #expect(await program.line() == "ready") }
            for program in programs { try program.say("go") }
            for program in programs { #expect(await program.line() == "access-1") }
            for program in programs { await program.end() }
            #expect(server.tokenRequests == 1)
            let token = try await FileCredentialStore(folder.file).load()
            #expect(token?.accessToken == Secret("access-1"))
            #expect(token?.refreshToken == Secret("refresh-1"))
        }
    }
#endif
