/* What headers and libstdc++ of a newer system ask of the C library and glibc 2.28 has not. Hidden: no other library of a process sees it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#pragma GCC visibility push(hidden)

/* 2.32: "perhaps there are threads" is always a right answer. */
char __libc_single_threaded;

/* 2.29 */
int getcpu(unsigned* cpu, unsigned* node) { return (int)syscall(SYS_getcpu, cpu, node, NULL); }

/* 2.36 */
uint32_t arc4random(void) {
  uint32_t bits;
  while (getrandom(&bits, sizeof bits, 0) != sizeof bits) {}
  return bits;
}

/* 2.30: waits until a moment of any clock; older ones wait by the wall clock alone, so the time that is left is counted from its now. */
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const struct timespec* until) {
  const long second = 1000000000;
  struct timespec now, wall;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &wall);
  wall.tv_sec += until->tv_sec - now.tv_sec;
  wall.tv_nsec += until->tv_nsec - now.tv_nsec;
  if (wall.tv_nsec >= second) wall.tv_sec += 1, wall.tv_nsec -= second;
  if (wall.tv_nsec < 0) wall.tv_sec -= 1, wall.tv_nsec += second;
  return pthread_cond_timedwait(condition, mutex, &wall);
}

#pragma GCC visibility pop
