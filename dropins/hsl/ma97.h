#ifndef OVERLAPACK_MA97_H
#define OVERLAPACK_MA97_H
/* The part of HSL_MA97's C interface (double precision) that Ipopt loads at run time, on overlapack's LDL^T (docs/dropins.md):
 * what its documentation says of names, arguments, structs and codes. */
#ifdef __cplusplus
extern "C" {
#endif

#define OVERLAPACK_MA97 __attribute__((visibility("default")))

struct ma97_control_d {
  int f_arrays; /* other than 0: numbers begin at 1 */
  int action;   /* other than 0: a singular matrix is factorised */
  int nemin;
  double multiplier;
  int ordering; /* 0: order[], 1: AMD, 3: METIS, 5: the better one, 7: matching and AMD, 8: matching and METIS */
  int print_level; /* nothing is printed */
  int scaling;     /* other than 0: scaled anew by overlapack's matching */
  double small;
  double u; /* threshold of pivots */
  int unit_diagnostics, unit_error, unit_warning;
  long factor_min;
  int solve_blas3;
  long solve_min;
  int solve_mf;
  double consist_tol;
  int ispare[5];
  double rspare[10];
};

struct ma97_info_d {
  int flag; /* an ma97_flag */
  int flag68, flag77;
  int matrix_dup;
  int matrix_rank; /* -1: not known */
  int matrix_outrange, matrix_missing_diag;
  int maxdepth, maxfront;
  int num_delay;
  long num_factor, num_flops;
  int num_neg; /* negative eigenvalues */
  int num_sup;
  int num_two; /* pivots of order 2 */
  int ordering;
  int stat;
  int ispare[5];
  double rspare[10];
};

enum ma97_flag {
  MA97_OK = 0,
  MA97_RANK_DEFICIENT = 7, /* with action: the factors solve what is consistent */
  MA97_CALL_SEQUENCE = -1,
  MA97_BAD_ORDER_OF_MATRIX = -2,
  MA97_BAD_PTR = -3,
  MA97_BAD_MATRIX_TYPE = -5,
  MA97_SINGULAR = -7,
  MA97_NOT_POSITIVE_DEFINITE = -8,
  MA97_BAD_VALUE = -9, /* a value that is not finite, or whatever else was refused */
  MA97_BAD_ORDERING = -11,
  MA97_BAD_SIZE_OF_X = -12,
  MA97_BAD_JOB = -13,
  MA97_NO_MEMORY = -16
};

OVERLAPACK_MA97 void ma97_default_control_d(struct ma97_control_d* control);
/* ptr, row: the lower triangle of A by columns, which is the upper one by rows. val may be null. */
OVERLAPACK_MA97 void ma97_analyse_d(int check, int n, const int ptr[], const int row[], double val[],
                                    void** akeep, const struct ma97_control_d* control,
                                    struct ma97_info_d* info, int order[]);
/* matrix_type: 3 positive definite, 4 indefinite. ptr and row are those of the analysis; scale is not read. */
OVERLAPACK_MA97 void ma97_factor_d(int matrix_type, const int ptr[], const int row[], const double val[],
                                   void** akeep, void** fkeep, const struct ma97_control_d* control,
                                   struct ma97_info_d* info, double scale[]);
OVERLAPACK_MA97 void ma97_factor_solve_d(int matrix_type, const int ptr[], const int row[],
                                         const double val[], int nrhs, double x[], int ldx, void** akeep,
                                         void** fkeep, const struct ma97_control_d* control,
                                         struct ma97_info_d* info, double scale[]);
/* job: 0, A X = B; of A = P L D (P L)^T, without scaling: 1, P L X = B; 2, D X = B; 3, (P L)^T X = B; 4, D (P L)^T X = B. X of 1 and
 * 2, and B of 2 to 4, are in the order of elimination. A positive definite A = P L (P L)^T has no jobs 2 and 4. A singular A has
 * job 0 alone: MA97_SINGULAR. */
OVERLAPACK_MA97 void ma97_solve_d(int job, int nrhs, double x[], int ldx, void** akeep, void** fkeep,
                                  const struct ma97_control_d* control, struct ma97_info_d* info);
OVERLAPACK_MA97 void ma97_free_akeep_d(void** akeep);
OVERLAPACK_MA97 void ma97_finalise_d(void** akeep, void** fkeep);

/* One sentence on the last call of this thread whose flag was below 0. */
OVERLAPACK_MA97 const char* overlapack_ma97_message(void);

#ifdef __cplusplus
}
#endif
#endif
