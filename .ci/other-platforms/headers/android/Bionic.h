// Stands in for Bionic, Android's C library, on 64-bit machines: what the package uses, with Bionic's own nullability.
#include <asm/errno.h>
#include <asm/fcntl.h>
#include <asm/poll.h>
#include <asm/socket.h>
#include <asm/unistd.h>
#include <linux/in.h>
#include <linux/tcp.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned int gid_t, mode_t, nlink_t, socklen_t, uid_t;
typedef long off_t, ssize_t, time_t;
typedef unsigned long dev_t, ino_t;

// fcntl.h, stdio.h, stdlib.h, string.h, sys/file.h, sys/stat.h, sys/time.h, time.h, unistd.h
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
struct stat {
  dev_t st_dev;
  ino_t st_ino;
  mode_t st_mode;
  nlink_t st_nlink;
  uid_t st_uid;
  gid_t st_gid;
  off_t st_size;
  struct timespec st_mtim;
};
struct timeval {
  time_t tv_sec;
  long tv_usec;
};
int chmod(const char *_Nonnull path, mode_t mode);
int close(int descriptor);
int fchmod(int descriptor, mode_t mode);
int flock(int descriptor, int operation);
void free(void *_Nullable memory);
int fstat(int descriptor, struct stat *_Nonnull status);
int fsync(int descriptor);
uid_t geteuid(void);
int lstat(const char *_Nonnull path, struct stat *_Nonnull status);
void *_Nullable memchr(const void *_Nonnull memory, int byte, size_t count);
int atexit(void (*_Nonnull function)(void));
int memcmp(const void *_Nonnull a, const void *_Nonnull b, size_t count);
void *_Nonnull memset(void *_Nonnull memory, int byte, size_t count);
int mkdir(const char *_Nonnull path, mode_t mode);
int pipe(int descriptors[_Nonnull 2]);
ssize_t read(int descriptor, void *_Null_unspecified buffer, size_t count);
off_t lseek(int descriptor, off_t offset, int whence);
#define SEEK_SET 0
#define SEEK_END 2
#define STDERR_FILENO 2
char *_Nullable realpath(const char *_Nonnull path, char *_Nullable resolved);
int rename(const char *_Nonnull path, const char *_Nonnull target);
int stat(const char *_Nonnull path, struct stat *_Nonnull status);
char *_Nonnull strerror(int number);
time_t time(time_t *_Nullable now);
int unlink(const char *_Nonnull path);
int utimes(const char *_Nonnull path, const struct timeval times[_Nullable 2]);
ssize_t write(int descriptor, const void *_Null_unspecified buffer, size_t count);

// For the headers of Swift's own modules: errno.h, sys/syscall.h
typedef struct __sFILE FILE;
#define SYS_futex __NR_futex
#define SYS_gettid __NR_gettid
#define errno (*__errno())
int *_Nonnull __errno(void);
long syscall(long number, ...);
double pow(double base, double exponent);

// pthread.h
typedef struct {
  int32_t content[10];
} pthread_mutex_t;
typedef long pthread_mutexattr_t;
enum { PTHREAD_MUTEX_NORMAL = 0, PTHREAD_MUTEX_RECURSIVE = 1 };
int pthread_mutex_destroy(pthread_mutex_t *_Nonnull mutex);
int pthread_mutex_init(pthread_mutex_t *_Nonnull mutex, const pthread_mutexattr_t *_Nullable attributes);
int pthread_mutex_lock(pthread_mutex_t *_Nonnull mutex);
int pthread_mutex_unlock(pthread_mutex_t *_Nonnull mutex);
int pthread_mutexattr_destroy(pthread_mutexattr_t *_Nonnull attributes);
int pthread_mutexattr_init(pthread_mutexattr_t *_Nonnull attributes);
int pthread_mutexattr_settype(pthread_mutexattr_t *_Nonnull attributes, int type);

// poll.h, sys/socket.h
#define AF_INET 2
#define MSG_NOSIGNAL 0x4000
#define MSG_PEEK 2
#define SOCK_STREAM 1
enum { SHUT_RD, SHUT_WR, SHUT_RDWR };
typedef unsigned int nfds_t;
typedef unsigned short sa_family_t;
struct linger {
  int l_onoff;
  int l_linger;
};
struct sockaddr {
  sa_family_t sa_family;
  char sa_data[14];
};
int accept(int socket, struct sockaddr *_Nullable address, socklen_t *_Nullable size);
int bind(int socket, const struct sockaddr *_Nonnull address, socklen_t size);
int getsockname(int socket, struct sockaddr *_Nonnull address, socklen_t *_Nonnull size);
int listen(int socket, int backlog);
int poll(struct pollfd *_Nullable descriptors, nfds_t count, int milliseconds);
ssize_t recv(int socket, void *_Nullable buffer, size_t count, int flags);
ssize_t send(int socket, const void *_Nonnull bytes, size_t count, int flags);
int setsockopt(int socket, int level, int option, const void *_Nullable value, socklen_t size);
int shutdown(int socket, int direction);
int socket(int family, int type, int protocol);
