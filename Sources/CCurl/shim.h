#ifndef TAPKIT_CCURL_SHIM_H
#define TAPKIT_CCURL_SHIM_H

#include <curl/curl.h>

/* Swift cannot call variadic functions: one wrapper per option type. */
static inline CURLcode tapkit_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tapkit_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tapkit_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tapkit_curl_set_write_function(CURL *handle, curl_write_callback function) {
    return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, function);
}

static inline CURLcode tapkit_curl_set_progress_function(CURL *handle, curl_xferinfo_callback function) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, function);
}

static inline CURLcode tapkit_curl_set_body(CURL *handle, const void *bytes, curl_off_t count) {
    CURLcode status = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return status ? status : curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, (const char *)bytes);
}

/* Older libcurl headers define these options as an enumeration, newer ones as plain numbers. */
static inline CURLcode tapkit_curl_ignore_netrc(CURL *handle) {
    return curl_easy_setopt(handle, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
}

static inline CURLcode tapkit_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode tapkit_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode tapkit_curl_get_socket(CURL *handle, curl_socket_t *value) {
    return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, value);
}

static inline CURLcode tapkit_curl_get_certificates(CURL *handle, struct curl_certinfo **value) {
    return curl_easy_getinfo(handle, CURLINFO_CERTINFO, value);
}

/* A macro with a cast. */
static inline CURLcode tapkit_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

#endif
