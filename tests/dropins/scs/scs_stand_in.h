/* What the plug-in for SCS uses of SCS 3, declared as its documentation has it: for a test that needs no SCS. */
#ifndef SCS_STAND_IN_H
#define SCS_STAND_IN_H
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef DLONG
typedef long long scs_int;
#else
typedef int scs_int;
#endif
#ifdef SFLOAT
typedef float scs_float;
#else
typedef double scs_float;
#endif

typedef struct {
  scs_float* x;
  scs_int* i;
  scs_int* p;
  scs_int m, n;
} ScsMatrix;
typedef struct SCS_LIN_SYS_WORK ScsLinSysWork;

#define SCS(name) _scs_##name
#define SCS_NULL 0
#define scs_calloc calloc
#define scs_free free
#define scs_printf scs_stand_in_printf
void scs_stand_in_printf(const char* format, ...);

ScsMatrix* SCS(form_kkt)(const ScsMatrix* A, const ScsMatrix* P, scs_float* diag_p, const scs_float* diag_r,
                         scs_int* diag_r_idxs, scs_int upper);
ScsMatrix* SCS(cs_spfree)(ScsMatrix* A);

ScsLinSysWork* scs_init_lin_sys_work(const ScsMatrix* A, const ScsMatrix* P, const scs_float* diag_r);
void scs_free_lin_sys_work(ScsLinSysWork* w);
scs_int scs_solve_lin_sys(ScsLinSysWork* w, scs_float* b, const scs_float* s, scs_float tol);
scs_int scs_update_lin_sys_diag_r(ScsLinSysWork* w, const scs_float* new_diag_r);
const char* scs_get_lin_sys_method(void);

#ifdef __cplusplus
}
#endif
#endif
