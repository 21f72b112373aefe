/* In the place of MKL's library: what a program is linked with where overlapack is to come before it. */
void pardisoinit(void* pt, const int* mtype, int* iparm) { (void)pt, (void)mtype, (void)iparm; }
void pardiso(void* pt, const int* maxfct, const int* mnum, const int* mtype, const int* phase, const int* n,
             const void* a, const int* ia, const int* ja, int* perm, const int* nrhs, int* iparm,
             const int* msglvl, void* b, void* x, int* error) {
  (void)pt, (void)maxfct, (void)mnum, (void)mtype, (void)phase, (void)n, (void)a, (void)ia, (void)ja,
      (void)perm;
  (void)nrhs, (void)iparm, (void)msglvl, (void)b, (void)x;
  *error = -99;
}
