// What is done here only because some versions of libcurl need it, with the versions. Where the oldest libcurl that is
// supported (7.68) is newer than all that a line names, the line goes, and what asks for it.
#ifndef SN_WORKAROUNDS_H
#define SN_WORKAROUNDS_H

#include "libcurl.h"

// 0xXXYYZZ for X.Y.Z, as libcurl counts.
#define SN_WORKAROUND(name, condition) \
    static inline bool sn_workaround_##name(const SNLibrary *curl) { \
        unsigned version = curl->version; \
        return condition; \
    }

// It does not call before each try: none can be counted or refused, and nothing tells when it has connected.
SN_WORKAROUND(hides_tries, version < 0x075000)
// Its calls that end a transfer wait for a name lookup, see name_lookups.c.
SN_WORKAROUND(waits_for_lookups, version < 0x075700)
// A handle keeps a pointer to the last header field of the previous response, which is freed by then; a response whose
// fields begin with a folded line frees it once more (curl's commit cd1c611b24).
SN_WORKAROUND(frees_fields_twice, version >= 0x075400 && version < 0x080100)
// A stream of HTTP/2 that is cut looks like one that has ended, see stream_ends.c.
SN_WORKAROUND(hides_cut_streams, version >= 0x075800 && version < 0x080100)
// It forgets that it has content of a stream that it has not passed on, see streams.c.
SN_WORKAROUND(forgets_streams, version < 0x080100)
// It reports content only after that was taken out of its chunks.
SN_WORKAROUND(hides_chunks, version >= 0x080500 && version < 0x080700)
// A handle never forgets how far its trailers were sent: the next chunks would be written in front of its buffer.
SN_WORKAROUND(keeps_trailers, version < 0x080700)
// It drops an empty query, which servers can tell from none.
SN_WORKAROUND(drops_empty_queries, version >= 0x080800)
// It writes the whole URL down again for each request, which costs as much as giving it the parts saves.
SN_WORKAROUND(writes_urls_down, version >= 0x080c00)
// It reads ahead of OpenSSL, so that records wait where the socket doesn't tell of them.
SN_WORKAROUND(reads_ahead, version >= 0x080f00)

#endif
