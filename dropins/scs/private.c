/* The linear systems of SCS (version 3) by overlapack, in the place of its linsys/cpu/direct/private.c: copy this file over that one and link
 * liboverlapack (docs/dropins.md). SCS's sources decide on the types of numbers.
 *
 * The matrix [R_x + P  A^T; A  -R_y] is quasi-definite: each pivot has a known sign in any order, and none is searched for. */
#include "csparse.h"
#include "glbopts.h"
#include "linsys.h"

#include <overlapack/overlapack.h>

#ifdef SFLOAT
#define NUMBERS OLP_FLOAT32
#else
#define NUMBERS OLP_FLOAT64
#endif

struct SCS_LIN_SYS_WORK {
  scs_int n, m;
  ScsMatrix* kkt;        /* its upper triangle */
  scs_int* diagonal;     /* where the entries of the diagonal stand in it */
  scs_float* diagonal_p; /* that of P */
  olp_solver* solver;
  olp_half_factors*
      half; /* of the present factors; null where these had to be mended, and solutions are refined */
};

const char* scs_get_lin_sys_method(void) { return "sparse-direct-overlapack"; }

/* Prints why, and returns it. */
static olp_status reported(const ScsLinSysWork* w, olp_status status, const char* what) {
  if (status != OLP_OK) scs_printf("overlapack, %s: %s\n", what, olp_message(w->solver));
  return status;
}

static olp_status set_signs(ScsLinSysWork* w) {
  int* const signs = (int*)scs_calloc(w->n + w->m, sizeof(int));
  scs_int k;
  olp_status status;
  if (!signs) return OLP_OUT_OF_MEMORY;
  for (k = 0; k < w->n + w->m; ++k) signs[k] = k < w->n ? 1 : -1;
  status = olp_set_signs(w->solver, w->n + w->m, signs);
  scs_free(signs);
  return status;
}

/* Factorises, or refactorises, and takes the parts that solve in place. A pivot of the wrong sign: P has a negative eigenvalue. */
static olp_status factorize(ScsLinSysWork* w, olp_status (*make)(olp_solver*, const olp_matrix*)) {
  const scs_int order = w->n + w->m;
  olp_matrix K = {0};
  double wrong = 0, mended = 0;
  olp_status status;
  K.type = NUMBERS;
  K.layout = OLP_CSC;
  K.half = OLP_SYMMETRIC;
  K.index_bytes = sizeof(scs_int);
  K.rows = K.cols = order;
  K.start = w->kkt->p;
  K.index = w->kkt->i;
  K.value = w->kkt->x;
  olp_free_half(w->half);
  w->half = SCS_NULL;
  status = make(w->solver, &K);
  if (status == OLP_OK) status = olp_figure(w->solver, "pivots.wrong_sign", &wrong);
  if (status == OLP_OK) status = olp_figure(w->solver, "pivots.perturbed", &mended);
  if (status == OLP_OK && wrong > 0)
    status = olp_refuse(w->solver, "P is not positive semidefinite: the problem is not convex; check P",
                        OLP_BEFORE_OTHERS);
  if (status == OLP_OK && mended == 0) status = olp_make_half(w->solver, &w->half);
  return reported(w, status, "factorisation");
}

ScsLinSysWork* scs_init_lin_sys_work(const ScsMatrix* A, const ScsMatrix* P, const scs_float* diag_r) {
  ScsLinSysWork* const w = (ScsLinSysWork*)scs_calloc(1, sizeof(ScsLinSysWork));
  olp_status status;
  if (!w) return SCS_NULL;
  w->n = A->n;
  w->m = A->m;
  w->diagonal = (scs_int*)scs_calloc(w->n + w->m, sizeof(scs_int));
  w->diagonal_p = (scs_float*)scs_calloc(w->n, sizeof(scs_float));
  if (w->diagonal && w->diagonal_p) w->kkt = SCS(form_kkt)(A, P, w->diagonal_p, diag_r, w->diagonal, 1);
  if (!w->kkt || olp_create(&w->solver) != OLP_OK) {
    scs_free_lin_sys_work(w);
    return SCS_NULL;
  }
  status = olp_set(w->solver, "factorization", "quasidefinite");
  if (status == OLP_OK) status = set_signs(w);
  if (reported(w, status, "options") != OLP_OK || factorize(w, olp_factorize) != OLP_OK) {
    scs_free_lin_sys_work(w);
    return SCS_NULL;
  }
  return w;
}

scs_int scs_solve_lin_sys(ScsLinSysWork* w, scs_float* b, const scs_float* s, scs_float tol) {
  const scs_int order = w->n + w->m;
  olp_status status;
  (void)s;   /* a direct solver needs neither a start */
  (void)tol; /* nor a tolerance */
  if (w->half)
    status = olp_half_apply(w->solver, w->half, NUMBERS, OLP_HALF_SUBSTITUTE, 1, b, order);
  else
    status = olp_solve(w->solver, NUMBERS, OLP_NO_TRANS, 1, b, order, b, order);
  if (olp_has_solution(status)) return 0; /* SCS judges its own residuals */
  reported(w, status, "solve");
  return -1;
}

scs_int scs_update_lin_sys_diag_r(ScsLinSysWork* w, const scs_float* new_diag_r) {
  scs_int k;
  for (k = 0; k < w->n + w->m; ++k)
    w->kkt->x[w->diagonal[k]] = k < w->n ? w->diagonal_p[k] + new_diag_r[k] : -new_diag_r[k];
  return factorize(w, olp_refactorize) == OLP_OK ? 0 : -1;
}

void scs_free_lin_sys_work(ScsLinSysWork* w) {
  if (!w) return;
  olp_free_half(w->half);
  olp_destroy(w->solver);
  SCS(cs_spfree)(w->kkt);
  scs_free(w->diagonal);
  scs_free(w->diagonal_p);
  scs_free(w);
}
