/* What BSPonMPI's library tells its tests, here for tools/foreign_suites: how a program should end. An abort is expected with this text. */
#include <stdio.h>

void bsp_intern_expect_success(void) {}

void bsp_intern_expect_abort(const char* message) {
  printf("expected abort: %s\n", message);
  fflush(stdout);
}
