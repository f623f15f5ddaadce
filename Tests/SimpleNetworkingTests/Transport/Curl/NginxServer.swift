#if canImport(CLibcurl) && os(Linux)
    import Foundation
    @testable import SimpleNetworkingCore

    /// Runs nginx with certificates of its own, for HTTP/2 and TLS; nil where nginx or openssl is missing.
    final class NginxServer: Sendable {
        static let shared = NginxServer()

        let port: UInt16
        /// Where each connection ends after a few requests.
        let hastyPort: UInt16
        /// Without HTTP/2.
        let oldPort: UInt16
        /// The base64 SHA-256 hash of the server's public key.
        let pin: String
        let folder: URL
        private let process: ChildProcess

        var ca: URL { folder.appendingPathComponent("ca.pem") }
        var clientCertificate: URL { folder.appendingPathComponent("client.pem") }
        var clientKey: URL { folder.appendingPathComponent("client.key") }
        /// An authority that has signed nothing here.
        var otherCA: URL { folder.appendingPathComponent("other.pem") }
        /// A key that belongs to no client certificate.
        var otherKey: URL { folder.appendingPathComponent("other.key") }
        /// The same server at another address, which its certificate names as well.
        static let otherHost = "127.0.0.2"
        static let hugeSize: UInt64 = 128 << 20

        func url(_ path: String, host: String = "127.0.0.1") -> URL {
            URL(string: "https://\(host):\(port)\(path)") ?? URL(fileURLWithPath: path)
        }

        private init?() {
            guard let nginx = ["/usr/sbin/nginx", "/usr/bin/nginx"].first(where: FileManager.default.isExecutableFile),
                let port = try? Socket.freePort(),
                let hastyPort = try? Socket.freePort(),
                let oldPort = try? Socket.freePort()
            else { return nil }
            (self.port, self.hastyPort, self.oldPort) = (port, hastyPort, oldPort)
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("nginx-\(UUID().uuidString)")
            let path = folder.path
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try Self.certificates.write(toFile: path + "/make.sh", atomically: true, encoding: .utf8)
                let hash = try ChildProcess.output(of: "cd '\(path)' && sh make.sh 2>/dev/null")
                pin = String(decoding: hash, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
                try Data(repeating: 0x61, count: 5_000_000).write(to: folder.appendingPathComponent("big.txt"))
                try Data().write(to: folder.appendingPathComponent("huge"))
                try FileHandle(forWritingTo: folder.appendingPathComponent("huge")).truncate(atOffset: Self.hugeSize)
                let configuration = Self.configuration(path, port: port, hastyPort: hastyPort, oldPort: oldPort)
                try configuration.write(toFile: path + "/nginx.conf", atomically: true, encoding: .utf8)
                process = try Self.start(nginx, in: folder)
                Socket.waitForListener(on: port)
            } catch { return nil }
        }

        // When this process ends, however it does, the shell's input closes: the shell ends the server and cleans up.
        private static func start(_ nginx: String, in folder: URL) throws -> ChildProcess {
            let path = folder.path
            return try ChildProcess(
                "/bin/sh",
                ["-c", "\(nginx) -c \(path)/nginx.conf -e \(path)/error.log & cat; kill $!; wait; rm -r \(path)"]
            )
        }

        private static let certificates = """
            set -e
            make() {
                openssl req -newkey rsa:2048 -nodes -keyout $1.key -out $1.csr -subj /CN=$1 2>/dev/null
                printf "$2" > $1.ext
                openssl x509 -req -in $1.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile $1.ext -out $1.pem 2>/dev/null
            }
            openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=ca 2>/dev/null
            openssl req -x509 -newkey rsa:2048 -nodes -keyout other.key -out other.pem -days 2 -subj /CN=other 2>/dev/null
            make server "subjectAltName=IP:127.0.0.1,IP:127.0.0.2"
            make client "extendedKeyUsage=clientAuth"
            openssl x509 -in server.pem -noout -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
            """

        private static func configuration(
            _ path: String,
            port: UInt16,
            hastyPort: UInt16,
            oldPort: UInt16
        ) -> String {
            """
            worker_processes 1; pid \(path)/pid; daemon off;
            events { worker_connections 1024; }
            http {
                access_log off;
                client_body_temp_path \(path)/t1; proxy_temp_path \(path)/t2; fastcgi_temp_path \(path)/t3;
                uwsgi_temp_path \(path)/t4; scgi_temp_path \(path)/t5;
                server {
                    listen 127.0.0.1:\(hastyPort) ssl http2; keepalive_requests 17;
                    ssl_certificate \(path)/server.pem; ssl_certificate_key \(path)/server.key;
                    location = /big { alias \(path)/big.txt; }
                    location / { return 200 ok; }
                }
                server {
                    listen 127.0.0.1:\(oldPort) ssl;
                    ssl_certificate \(path)/server.pem; ssl_certificate_key \(path)/server.key;
                    location = /huge { alias \(path)/huge; }
                }
                server {
                    listen 127.0.0.1:\(port) ssl http2; listen \(otherHost):\(port) ssl http2;
                    ssl_certificate \(path)/server.pem; ssl_certificate_key \(path)/server.key;
                    ssl_client_certificate \(path)/ca.pem; ssl_verify_client optional;
                    location = /client { return 200 "$ssl_client_verify"; }
                    location = /elsewhere { return 307 https://\(otherHost):\(port)/client; }
                    location = /client-address { return 200 "$remote_addr"; }
                    location = /connection { return 200 "$connection"; }
                    location = /big { alias \(path)/big.txt; }
                    location = /trailers { alias \(path)/big.txt; add_trailer X-Sum 42; }
                    location = /compressed {
                        alias \(path)/big.txt; add_trailer X-Sum 42; gzip on; gzip_types text/plain;
                    }
                    location = /old { alias \(path)/big.txt; limit_rate 1; }
                }
            }
            """
        }
    }
#endif
