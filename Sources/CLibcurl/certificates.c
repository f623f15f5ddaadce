#ifdef __linux__

#include "options.h"
#include "turn.h"

// Which certificates of servers and proxies are trusted, and which one the client has.

// Authorities to trust in place of the system's, for servers and https proxies: libcurl's default directory would count
// besides the file. Not every TLS library reads directories, and not every libcurl has https proxies.
static bool trust_file(const SNLibrary *curl, SNTransfer *transfer, const char *file) {
    int of_servers = SET(CURLOPT_CAPATH, NULL);
    int of_proxies = SET(CURLOPT_PROXY_CAPATH, NULL);
    int proxies = SET(CURLOPT_PROXY_CAINFO, file);
    return IS_SET(CURLOPT_CAINFO, file) && (of_servers == CURLE_OK || of_servers == CURLE_NOT_BUILT_IN)
        && (of_proxies == CURLE_OK || of_proxies == CURLE_NOT_BUILT_IN || of_proxies == CURLE_UNKNOWN_OPTION)
        && (proxies == CURLE_OK || proxies == CURLE_UNKNOWN_OPTION);
}

bool sn_certificates_set_up(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    const SNEngineOptions *options = &transfer->engine->options;
    const char *ca_file = options->ca_file ? options->ca_file : curl->ca_file;
    int proxies = SET(CURLOPT_PROXY_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    return sn_tls_records_set_up(transfer) && IS_SET(CURLOPT_SSL_VERIFYPEER, 1L) && IS_SET(CURLOPT_SSL_VERIFYHOST, 2L)
        && IS_SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2)
        && (proxies == CURLE_OK || proxies == CURLE_UNKNOWN_OPTION) && (!ca_file || trust_file(curl, transfer, ca_file))
        && (!options->pinned_keys || IS_SET(CURLOPT_PINNEDPUBLICKEY, options->pinned_keys));
}

bool sn_certificates_offer(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    bool is_offered = transfer->request.offers_certificate;
    if (transfer->handle.offers_certificate == is_offered) return true;
    transfer->handle.offers_certificate = is_offered;
    const SNEngineOptions *options = &transfer->engine->options;
    return IS_SET(CURLOPT_SSLCERT, is_offered ? options->certificate : NULL)
        && IS_SET(CURLOPT_SSLKEY, is_offered ? options->key : NULL)
        && IS_SET(CURLOPT_KEYPASSWD, is_offered ? options->key_password : NULL);
}

#endif
