// Simulates a disk over one in memory: each fsync takes 1 ms longer. Loaded before libc (LD_PRELOAD).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static int delayed(const char *name, int file) {
  struct timespec delay = {0, 1000000};
  nanosleep(&delay, 0);
  return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
}

int fsync(int file) { return delayed("fsync", file); }
int fdatasync(int file) { return delayed("fdatasync", file); }
