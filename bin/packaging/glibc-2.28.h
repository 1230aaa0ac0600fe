/*
 * Included ahead of every source of the native module, so that what is compiled on a newer system asks for nothing that
 * glibc 2.28 does not have, nor the libstdc++ of that time. Node.js itself needs that glibc. Only for x86-64.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Functions that have been given a newer version since, because they moved (2.34) or set errno otherwise (2.29). */
#define FIRST_VERSION_OF(name) __asm__(".symver " #name "," #name "@GLIBC_2.2.5")
FIRST_VERSION_OF(dlclose);
FIRST_VERSION_OF(dlerror);
FIRST_VERSION_OF(dlopen);
FIRST_VERSION_OF(dlsym);
FIRST_VERSION_OF(exp);
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
OURS int stat64(const char *path, struct stat64 *status) { return syscall(SYS_stat, path, status); }
OURS int lstat64(const char *path, struct stat64 *status) { return syscall(SYS_lstat, path, status); }
OURS int fstat64(int file, struct stat64 *status) { return syscall(SYS_fstat, file, status); }
#endif
