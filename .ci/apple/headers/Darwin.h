#pragma once
// Hand-written from the public manual pages: what the package uses of the C library on Apple platforms.
typedef int pid_t, dev_t, blksize_t, suseconds_t;
typedef unsigned char sa_family_t;
typedef unsigned short mode_t, nlink_t, in_port_t;
typedef unsigned int uid_t, gid_t, nfds_t, socklen_t, in_addr_t;
typedef long time_t, ssize_t;
typedef unsigned long size_t;
typedef long long off_t, blkcnt_t;
typedef unsigned long long ino_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct stat {
  dev_t st_dev; mode_t st_mode; nlink_t st_nlink; ino_t st_ino; uid_t st_uid; gid_t st_gid; dev_t st_rdev;
  struct timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
  off_t st_size; blkcnt_t st_blocks; blksize_t st_blksize; unsigned int st_flags; unsigned int st_gen; int st_lspare; long long st_qspare[2];
};
int stat(const char *, struct stat *);
int fstat(int, struct stat *);
int lstat(const char *, struct stat *);
int chmod(const char *, mode_t);
int fchmod(int, mode_t);
int chown(const char *, uid_t, gid_t);
int mkdir(const char *, mode_t);
int close(int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
int unlink(const char *);
int pipe(int [2]);
int fsync(int);
off_t lseek(int, off_t, int);
#define SEEK_SET 0
#define SEEK_END 2
uid_t geteuid(void);
int rename(const char *, const char *);
char *realpath(const char *, char *);
int kill(pid_t, int);
char *strerror(int);
void *memchr(const void *, int, size_t);
time_t time(time_t *);
int utimes(const char *, const struct timeval *);
double log(double);
double pow(double, double);
struct flock { off_t l_start; off_t l_len; pid_t l_pid; short l_type; short l_whence; };
int flock(int, int);
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_APPEND 0x00000008
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_EXCL 0x00000800
#define O_DIRECTORY 0x00100000
#define O_CLOEXEC 0x01000000
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_FULLFSYNC 51
#define FD_CLOEXEC 1
#define EPERM 1
#define EINTR 4
#define ENOENT 2
#define EIO 5
#define EBADF 9
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EINVAL 22
#define ENFILE 23
#define ENOSPC 28
#define EROFS 30
#define EMFILE 24
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ELOOP 62
struct in_addr { in_addr_t s_addr; };
struct sockaddr { unsigned char sa_len; sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_in {
    unsigned char sin_len; sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; char sin_zero[8];
};
struct sockaddr_un { unsigned char sun_len; sa_family_t sun_family; char sun_path[104]; };
struct pollfd { int fd; short events; short revents; };
int socket(int, int, int);
int bind(int, const struct sockaddr *, socklen_t);
int listen(int, int);
int accept(int, struct sockaddr * restrict, socklen_t * restrict);
int getsockname(int, struct sockaddr * restrict, socklen_t * restrict);
int setsockopt(int, int, int, const void *, socklen_t);
int connect(int, const struct sockaddr *, socklen_t);
ssize_t recv(int, void *, size_t, int);
ssize_t send(int, const void *, size_t, int);
int shutdown(int, int);
int poll(struct pollfd *, nfds_t, int);
#define AF_UNIX 1
#define AF_INET 2
#define SOCK_STREAM 1
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
#define SO_NOSIGPIPE 0x1022
#define SHUT_WR 1
#define SHUT_RDWR 2
#define POLLIN 0x0001
struct _opaque_pthread_mutex_t { long __sig; char __opaque[56]; };
struct _opaque_pthread_mutexattr_t { long __sig; char __opaque[8]; };
typedef struct _opaque_pthread_mutex_t pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;
int pthread_mutexattr_init(pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_mutexattr_destroy(pthread_mutexattr_t *);
int pthread_mutex_init(pthread_mutex_t * restrict, const pthread_mutexattr_t * _Nullable restrict);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
#define PTHREAD_MUTEX_RECURSIVE 2

#define AF_INET6 30
#define TCP_NODELAY 0x01
#define IPPROTO_TCP 6
#define SO_LINGER 0x0080
#define POLLOUT 0x0004
#define MSG_PEEK 0x2
#define MSG_DONTWAIT 0x80
#define SIGKILL 9
#define SIGTERM 15
#define EPIPE 32
#define EADDRNOTAVAIL 49
struct linger { int l_onoff; int l_linger; };
struct in6_addr { unsigned char s6_addr[16]; };
struct sockaddr_in6 {
    unsigned char sin6_len; sa_family_t sin6_family; in_port_t sin6_port; unsigned int sin6_flowinfo;
    struct in6_addr sin6_addr; unsigned int sin6_scope_id;
};
extern const struct in6_addr in6addr_loopback;
__attribute__((noreturn)) void exit(int);
unsigned int alarm(unsigned int);
int usleep(unsigned int);
int sched_yield(void);
int mkfifo(const char *, mode_t);
mode_t umask(mode_t);
int link(const char *, const char *);
char *strdup(const char *);
void free(void * _Nullable);
pid_t waitpid(pid_t, int *, int);
typedef void *posix_spawn_file_actions_t;
typedef void *posix_spawnattr_t;
int posix_spawn(
    pid_t * _Nullable, const char *, const posix_spawn_file_actions_t _Nullable * _Nullable,
    const posix_spawnattr_t _Nullable * _Nullable, char * _Nullable const * _Nonnull, char * _Nullable const * _Nullable);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t _Nullable *);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t _Nullable *);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t _Nullable *, int, int);
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t _Nullable *, int, const char *, int, mode_t);
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define ENOEXEC 8
