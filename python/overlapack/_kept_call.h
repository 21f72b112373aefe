#ifndef OVERLAPACK_KEPT_CALL_H
#define OVERLAPACK_KEPT_CALL_H
/* A question to the factors that the Python package keeps for gradients: asked by overlapack._core itself and by _jax_calls.c, which
 * is compiled on the machine of its user. */
#include <stddef.h>
#include <stdint.h>

enum olp_kept_question {
  OLP_KEPT_SOLVE,   /* out: as b, the solutions of op(A) x = b */
  OLP_KEPT_SLOGDET, /* out: det / |det| of each system, logarithm: log |det| of each, real */
  OLP_KEPT_INVERSE  /* out: A^-1 at (col, row) of each entry of each system */
};

/* A matrix of order n as a list of entries, which are summed where positions repeat; one at (n, n) counts for nothing. `systems`
 * matrices have these positions and values of their own. */
typedef struct olp_kept_call {
  int question;    /* an olp_kept_question */
  int type;        /* of data, b and out: 0 float, 1 double, 2, 3 complex of these */
  int index_bytes; /* of row and col: 4 or 8 */
  int op;          /* 0: A, 1: A^T, 2: A^H */
  int raises;      /* 1: what has no answer is an error; 0: its answer is NaN */
  int64_t n, entries, systems, sides;
  const void *row, *col; /* entries numbers each, from 0 */
  const void* data;      /* systems x entries */
  const void* b;         /* systems x sides x n */
  void *out, *logarithm;
  const char* options; /* a JSON object, not ended by 0 */
  size_t options_length;
} olp_kept_call;

/* 0, or a status of overlapack and its sentence in text, of at most size bytes with its end. */
typedef int olp_kept_answer(const olp_kept_call* call, char* text, size_t size);

#endif
