/// Gets a URL so many times, one after the other, with libcurl's easy interface and one handle, and stores the
/// nanoseconds of each; 0 if libcurl is missing or a request fails.
int curl_easy_get(const char *url, int count, unsigned long long *nanoseconds);
