// Records what a process does to the files of a folder, in order, so that a power cut at any moment can be made up
// afterwards. Loaded before libc (LD_PRELOAD). RECORD_FOLDER is the folder, RECORD_LOG the file of the record.
// An entry: kind, length of the name, offset, length of the data (or the number of a flush), name, data. `replay.js` reads it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CREATE, WRITE, TRUNCATE, FLUSH_BEGIN, FLUSH_END };
enum { MAX_FILES = 4096 };

// The names of the open files, relative to the folder, which itself is "".
static char *_Atomic names[MAX_FILES];
static atomic_int record = -1;
static atomic_uint flushes;

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

static const char *name_of(int file) { return file >= 0 && file < MAX_FILES ? names[file] : 0; }

static void append(uint32_t kind, const char *name, int64_t offset, int64_t length, const void *data) {
  struct { uint32_t kind, name_length; int64_t offset, length; } head = {kind, strlen(name), offset, length};
  size_t data_length = data ? length : 0;
  size_t size = sizeof head + head.name_length + data_length;
  char *entry = malloc(size);
  memcpy(entry, &head, sizeof head);
  memcpy(entry + sizeof head, name, head.name_length);
  if (data_length) memcpy(entry + sizeof head + head.name_length, data, data_length);
  // One call, at the end of the file: entries of several threads and processes stay whole and in order.
  if (REAL(ssize_t, write, int, const void *, size_t)(record, entry, size) != (ssize_t)size) abort();
  free(entry);
}

// The name of a path in the folder; 0 for any other, and for the log's index, which is memory.
static char *watched(const char *path) {
  const char *folder = getenv("RECORD_FOLDER");
  size_t length = folder ? strlen(folder) : 0;
  if (!length || strncmp(path, folder, length) || (path[length] && path[length] != '/')) return 0;
  const char *name = path[length] ? path + length + 1 : "";
  size_t name_length = strlen(name);
  if (name_length > 4 && !strcmp(name + name_length - 4, "-shm")) return 0;
  return strdup(name);
}

static int open_watched(int (*opened)(const char *, int, mode_t), const char *path, int flags, mode_t mode) {
  char *name = watched(path);
  if (!name) return opened(path, flags, mode);
  struct stat found;
  int is_new = (flags & O_CREAT) && stat(path, &found) != 0;
  int file = opened(path, flags, mode);
  if (file < 0 || file >= MAX_FILES) return file;
  int none = -1, log = record;
  if (log < 0) {
    log = opened(getenv("RECORD_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (!atomic_compare_exchange_strong(&record, &none, log)) close(log);
  }
  names[file] = name;
  if (is_new) append(CREATE, name, 0, 0, 0);
  if (flags & O_TRUNC) append(TRUNCATE, name, 0, 0, 0);
  return file;
}

#define OPEN(function)                                                       \
  int function(const char *path, int flags, ...) {                          \
    va_list rest;                                                            \
    va_start(rest, flags);                                                   \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                \
    va_end(rest);                                                            \
    return open_watched(REAL(int, function, const char *, int, mode_t), path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

int close(int file) {
  if (name_of(file)) names[file] = 0;
  return REAL(int, close, int)(file);
}

static void before_write(int file, int64_t offset, int64_t length, const void *data) {
  const char *name = name_of(file);
  if (name) append(WRITE, name, offset < 0 ? lseek(file, 0, SEEK_CUR) : offset, length, data);
}

ssize_t write(int file, const void *data, size_t length) {
  before_write(file, -1, length, data);
  return REAL(ssize_t, write, int, const void *, size_t)(file, data, length);
}
#define PWRITE(function)                                                     \
  ssize_t function(int file, const void *data, size_t length, off_t offset) { \
    before_write(file, offset, length, data);                                \
    return REAL(ssize_t, function, int, const void *, size_t, off_t)(file, data, length, offset); \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

#define FTRUNCATE(function)                                                  \
  int function(int file, off_t length) {                                     \
    const char *name = name_of(file);                                        \
    if (name) append(TRUNCATE, name, length, 0, 0);                          \
    return REAL(int, function, int, off_t)(file, length);                    \
  }
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

// What was written before a flush began is on the disk once it has ended.
#define FLUSH(function)                                                      \
  int function(int file) {                                                   \
    const char *name = name_of(file);                                        \
    int64_t number = ((int64_t)getpid() << 32) + ++flushes;                  \
    if (name) append(FLUSH_BEGIN, name, 0, number, 0);                       \
    int result = REAL(int, function, int)(file);                             \
    if (name && result == 0) append(FLUSH_END, name, 0, number, 0);          \
    return result;                                                           \
  }
FLUSH(fsync)
FLUSH(fdatasync)
