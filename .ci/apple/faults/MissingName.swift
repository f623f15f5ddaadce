// cannot find 'curl_easy_init' in scope
import Foundation

let handle = curl_easy_init()
