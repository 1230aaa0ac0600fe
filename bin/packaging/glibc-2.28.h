/*
 * Included ahead of every source of the native module, so that what is compiled on a newer system asks for nothing that
 * glibc 2.28 does not have, nor the libstdc++ of that time. Node.js itself needs that glibc. For x86-64 and ARM64.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The first version of glibc for this processor. */
#ifdef __aarch64__
#define FIRST_GLIBC "GLIBC_2.17"
#else
#define FIRST_GLIBC "GLIBC_2.2.5"
#endif

/* Functions that have been given a newer version since: they moved (2.34) or set errno otherwise (2.29, 2.38). */
#define FIRST_VERSION_OF(name) __asm__(".symver " #name "," #name "@" FIRST_GLIBC)
FIRST_VERSION_OF(dlclose);
FIRST_VERSION_OF(dlerror);
FIRST_VERSION_OF(dlopen);
FIRST_VERSION_OF(dlsym);
FIRST_VERSION_OF(exp);
FIRST_VERSION_OF(fmod);
FIRST_VERSION_OF(log);
FIRST_VERSION_OF(log2);
FIRST_VERSION_OF(pow);
FIRST_VERSION_OF(pthread_create);
FIRST_VERSION_OF(pthread_join);
FIRST_VERSION_OF(pthread_mutex_trylock);
FIRST_VERSION_OF(pthread_mutexattr_destroy);
FIRST_VERSION_OF(pthread_mutexattr_init);
FIRST_VERSION_OF(pthread_mutexattr_settype);
FIRST_VERSION_OF(pthread_once);

/* Functions that were not there yet: until 2.33, stat and its kin were inline calls of something else. */
#define OURS __attribute__((weak, visibility("hidden")))
#ifdef __cplusplus
namespace std {
OURS void __throw_bad_array_new_length() { __builtin_abort(); }
}
#else
OURS int stat64(const char *path, struct stat64 *status) { return syscall(SYS_newfstatat, AT_FDCWD, path, status, 0); }
OURS int lstat64(const char *path, struct stat64 *status) {
  return syscall(SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}
OURS int fstat64(int file, struct stat64 *status) { return syscall(SYS_fstat, file, status); }
#endif
