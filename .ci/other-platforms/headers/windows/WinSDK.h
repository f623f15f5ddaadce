#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <winsock2.h>
#include <windows.h>
#include <ws2tcpip.h>
// Plain constants, which Swift can import, as in Microsoft's own headers.
#undef GENERIC_READ
#undef GENERIC_WRITE
#define GENERIC_READ (0x80000000L)
#define GENERIC_WRITE (0x40000000L)
