#pragma once
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// GNU functions whose declarations need _GNU_SOURCE, which a module map cannot define.

int pipe2(int descriptors[2], int flags);
int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
int pthread_setname_np(pthread_t thread, const char *name);
