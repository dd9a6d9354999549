#pragma once
// The checks of argument types are for direct calls; the wrappers below state the types themselves.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
// Wakes the thread that waits for libcurl's sockets; the Glibc module lacks it.
#include <sys/eventfd.h>

// curl_easy_setopt, curl_multi_setopt and curl_easy_getinfo are variadic. One wrapper for each type of argument.

static inline CURLcode curl_easy_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode curl_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode curl_easy_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode curl_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}
// NULL would mean that the body is read from somewhere else.
static inline CURLcode curl_easy_set_body(CURL *easy, const void *bytes) {
  return curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes ? bytes : "");
}
static inline CURLcode curl_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

typedef size_t (*curl_data_function)(char *bytes, size_t size, size_t count, void *context);
typedef int (*curl_attempt_function)(void *context, char *remote, char *local, int remote_port, int local_port);

static inline CURLcode curl_easy_set_data_function(CURL *easy, CURLoption option, curl_data_function function) {
  return curl_easy_setopt(easy, option, function);
}
static inline CURLcode curl_easy_set_attempt_function(CURL *easy, curl_attempt_function function) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode curl_easy_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLMcode curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

typedef int (*curl_socket_function)(CURL *easy, curl_socket_t socket, int what, void *context, void *unused);
typedef int (*curl_timer_function)(CURLM *multi, long milliseconds, void *context);

static inline CURLMcode curl_multi_set_socket_function(CURLM *multi, curl_socket_function function, void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  return code ? code : curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}
static inline CURLMcode curl_multi_set_timer_function(CURLM *multi, curl_timer_function function, void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  return code ? code : curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}
