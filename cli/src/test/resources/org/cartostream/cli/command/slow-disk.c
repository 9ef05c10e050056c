/* Preloaded into a process: each write to a file below the folder SLOW_FOLDER takes 30 ms. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static void delay(int file) {
  const char *folder = getenv("SLOW_FOLDER");
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = folder == NULL ? -1 : readlink(link, path, sizeof path - 1);
  if (length > 0) {
    path[length] = 0;
    if (strncmp(path, folder, strlen(folder)) == 0) {
      usleep(30000);
    }
  }
}

ssize_t write(int file, const void *bytes, size_t count) {
  delay(file);
  return ((ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write"))(file, bytes, count);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  delay(file);
  return ((ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64"))(
      file, bytes, count, at);
}

int fsync(int file) {
  delay(file);
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  delay(file);
  return ((ssize_t(*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev"))(
      file, parts, count);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
  delay(file);
  return ((ssize_t(*)(int, const struct iovec *, int, off_t))dlsym(RTLD_NEXT, "pwritev"))(
      file, parts, count, at);
}

int fdatasync(int file) {
  delay(file);
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
