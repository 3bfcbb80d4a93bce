// Keeps the flushed content of the files in WATCHED_FOLDER, so that a power cut can be simulated. FLUSHED_FOLDER gets a copy of each
// file as it was when its last flush began, and an empty file for each name that the folder had when it was flushed.
// Loaded before libc (LD_PRELOAD). `flushed-files.js` reads the copies.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_uint copies;

// Copies a file, or creates an empty one if the descriptor is negative.
static void copy(int file, const char *to) {
  static const size_t size = 1 << 16;
  int copied = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (copied < 0) abort();
  char *part = malloc(size);
  ssize_t length;
  for (off_t at = 0; file >= 0 && (length = pread(file, part, size, at)) > 0; at += length)
    if (write(copied, part, length) != length) abort();
  free(part);
  close(copied);
}

static int flush(const char *function, int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, function);
  const char *watched = getenv("WATCHED_FOLDER"), *flushed = getenv("FLUSHED_FOLDER");
  char link[64], path[PATH_MAX] = "", new[PATH_MAX + 64], name[PATH_MAX + 64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  size_t folder_length = watched ? strlen(watched) : 0;
  if (length < 0 || !folder_length || strncmp(path, watched, folder_length)) return real(file);
  if (path[folder_length] == 0) {
    int result = real(file);
    DIR *folder = opendir(watched);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
      snprintf(name, sizeof name, "%s/name-%s", flushed, entry->d_name);
      copy(-1, name);
    }
    if (folder) closedir(folder);
    return result;
  }
  snprintf(new, sizeof new, "%s/new-%d-%u", flushed, getpid(), ++copies);
  snprintf(name, sizeof name, "%s/file-%s", flushed, path + folder_length + 1);
  copy(file, new);
  int result = real(file);
  if (result == 0) rename(new, name);
  return result;
}

int fsync(int file) { return flush("fsync", file); }
int fdatasync(int file) { return flush("fdatasync", file); }
