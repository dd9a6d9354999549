#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>

// GNU functions that the C library's headers declare for _GNU_SOURCE only, which a module map cannot
// define. Their own headers are left out: what they declare must stay the Glibc module's.

struct sockaddr;
int accept4(int descriptor, struct sockaddr *address, unsigned int *length, int flags);
int pipe2(int descriptors[2], int flags);
int pthread_setname_np(unsigned long thread, const char *name);
