// 'value' has been renamed to 'reveal()'
import SimpleNetworking

func show(_ token: Secret) { print(token.value) }
