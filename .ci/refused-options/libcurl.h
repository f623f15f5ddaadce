// A libcurl that sends nothing: it keeps each handle's options, and refuses one of them or an allocation on demand.
#ifndef FAKE_LIBCURL_H
#define FAKE_LIBCURL_H

#include "../../Sources/CLibcurl/curl_abi.h"
#include <stdatomic.h>
#include <stdbool.h>

// The number of the option, and of the allocation, that fails next, counted down; below zero for none.
extern atomic_long options_left, allocations_left;

// Returns the text that a handle has for an option; null without one.
const char *text_of(CURL *handle, int option);
long number_of(CURL *handle, int option);
// Returns the URL of the parts that a handle has in place of a text; null without them.
const char *url_of_parts(CURL *handle);

// Called with each handle that is about to be sent.
void look_at(CURL *handle);

#endif
