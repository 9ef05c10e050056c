/*
 * Preloaded into a process: the folder READ_ONLY_FOLDER is as on a disk that has become read-only,
 * also for files that are open already, as long as there is a file READ_ONLY_IF.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name, type) ((type)dlsym(RTLD_NEXT, name))

static int refuses(const char *path) {
  const char *folder = getenv("READ_ONLY_FOLDER");
  const char *flag = getenv("READ_ONLY_IF");
  size_t length = folder == NULL ? 0 : strlen(folder);
  if (length == 0 || flag == NULL || strncmp(path, folder, length) != 0
      || (path[length] != '/' && path[length] != 0)
      || REAL("access", int (*)(const char *, int))(flag, F_OK) != 0) {
    return 0;
  }
  errno = EROFS;
  return 1;
}

static int refuses_file(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length > 0 ? length : 0] = 0;
  return refuses(path);
}

static int open_by(const char *name, const char *path, int flags, mode_t mode) {
  int writes = (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0;
  return writes && refuses(path) ? -1 : REAL(name, int (*)(const char *, int, ...))(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = va_arg(more, mode_t);
  va_end(more);
  return open_by("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = va_arg(more, mode_t);
  va_end(more);
  return open_by("open64", path, flags, mode);
}

int access(const char *path, int mode) {
  return (mode & W_OK) && refuses(path) ? -1 : REAL("access", int (*)(const char *, int))(path, mode);
}

int rename(const char *from, const char *to) {
  return refuses(to) ? -1 : REAL("rename", int (*)(const char *, const char *))(from, to);
}

int unlink(const char *path) {
  return refuses(path) ? -1 : REAL("unlink", int (*)(const char *))(path);
}

int rmdir(const char *path) {
  return refuses(path) ? -1 : REAL("rmdir", int (*)(const char *))(path);
}

int mkdir(const char *path, mode_t mode) {
  return refuses(path) ? -1 : REAL("mkdir", int (*)(const char *, mode_t))(path, mode);
}

int ftruncate64(int file, off64_t length) {
  return refuses_file(file) ? -1 : REAL("ftruncate64", int (*)(int, off64_t))(file, length);
}

ssize_t write(int file, const void *bytes, size_t count) {
  return refuses_file(file) ? -1
                            : REAL("write", ssize_t(*)(int, const void *, size_t))(file, bytes, count);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  return refuses_file(file) ? -1
                            : REAL("pwrite64", ssize_t(*)(int, const void *, size_t, off64_t))(
                                  file, bytes, count, at);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  return refuses_file(file) ? -1
                            : REAL("writev", ssize_t(*)(int, const struct iovec *, int))(
                                  file, parts, count);
}
