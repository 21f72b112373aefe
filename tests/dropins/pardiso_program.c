/* A program of MKL's PARDISO, as its manual has it: linked with a library of that name, run with overlapack before it. */
#include <stdio.h>

extern void pardisoinit(void* pt, const int* mtype, int* iparm);
extern void pardiso(void* pt, const int* maxfct, const int* mnum, const int* mtype, const int* phase,
                    const int* n, const void* a, const int* ia, const int* ja, int* perm, const int* nrhs,
                    int* iparm, const int* msglvl, void* b, void* x, int* error);

int main(void) {
  /* (4 1 0; 2 5 1; 0 1 3), rows from 1 */
  int ia[] = {1, 3, 6, 8}, ja[] = {1, 2, 1, 2, 3, 2, 3};
  double a[] = {4, 1, 2, 5, 1, 1, 3}, b[] = {6, 15, 11}, x[3];
  void* pt[64];
  int iparm[64], mtype = 11, one = 1, n = 3, phase = 13, none = 0, error = 1;
  pardisoinit(pt, &mtype, iparm);
  pardiso(pt, &one, &one, &mtype, &phase, &n, a, ia, ja, &none, &one, iparm, &none, b, x, &error);
  printf("error %d, x = %.12f %.12f %.12f\n", error, x[0], x[1], x[2]);
  phase = -1;
  pardiso(pt, &one, &one, &mtype, &phase, &n, a, ia, ja, &none, &one, iparm, &none, b, x, &error);
  return error;
}
