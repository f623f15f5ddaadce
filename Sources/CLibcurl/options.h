// Sets options of a transfer's handle, where `curl` and `transfer` are at hand: libcurl's function takes any type.
#ifndef SN_OPTIONS_H
#define SN_OPTIONS_H

#define SET(option, value) curl->easy_setopt(transfer->handle.easy, option, value)
#define IS_SET(option, value) (SET(option, value) == CURLE_OK)

#endif
