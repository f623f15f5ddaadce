// 'init(encoding:)' is unavailable: import SimpleNetworkingForms
import SimpleNetworking

func query(_ search: some Encodable) throws -> Query { try Query(encoding: search) }
