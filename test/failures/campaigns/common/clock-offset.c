/* Replaces the clock of a Redis server by one that differs by CLOCK_OFFSET seconds. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
  (void)zone;
  const char *offset = getenv("CLOCK_OFFSET");
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  result->tv_sec = now.tv_sec + (offset == NULL ? 0 : atol(offset));
  result->tv_usec = now.tv_nsec / 1000;
  return 0;
}
