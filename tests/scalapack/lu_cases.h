/* The cases of lu_program.c for one type: T, P(routine) its routines, GSUM its sum over a grid, EPS, NAME(name), IMAGINARY, LARGEST_L.
   Indices count from 0 here, and from 1 where ScaLAPACK is called. */

void P(getrf)(const int* m, const int* n, T* A, const int* ia, const int* ja, const Descriptor* d, int* ipiv,
              int* info);
void P(getrs)(const char* trans, const int* n, const int* nrhs, T* A, const int* ia, const int* ja,
              const Descriptor* da, int* ipiv, T* B, const int* ib, const int* jb, const Descriptor* db,
              int* info);
void P(gesv)(const int* n, const int* nrhs, T* A, const int* ia, const int* ja, const Descriptor* da,
             int* ipiv, T* B, const int* ib, const int* jb, const Descriptor* db, int* info);
void GSUM(int context, const char* scope, const char* topology, int m, int n, T* A, int lda, int row,
          int col);

static T NAME(entry)(unsigned seed, int i, int j) {
  return (T)(random_value(seed, i, j) + IMAGINARY * random_value(seed + 1000, i, j));
}

/* My part of a random matrix. */
static T* NAME(make)(const Grid* g, const Descriptor* d, unsigned seed) {
  const int rows = local_size(d->m, d->mb, g->row, d->row_source, g->rows);
  const int cols = local_size(d->n, d->nb, g->col, d->col_source, g->cols);
  T* A = calloc((size_t)d->leading * (cols + 1), sizeof(T));
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i)
      A[i + (size_t)j * d->leading] = NAME(entry)(seed, global_of(i, d->mb, g->row, d->row_source, g->rows),
                                                  global_of(j, d->nb, g->col, d->col_source, g->cols));
  return A;
}

/* The whole matrix, m x n, on every process. */
static T* NAME(collect)(const Grid* g, const Descriptor* d, const T* A) {
  const int rows = local_size(d->m, d->mb, g->row, d->row_source, g->rows);
  const int cols = local_size(d->n, d->nb, g->col, d->col_source, g->cols);
  T* whole = calloc((size_t)d->m * d->n + 1, sizeof(T));
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i)
      whole[global_of(i, d->mb, g->row, d->row_source, g->rows) +
            (size_t)global_of(j, d->nb, g->col, d->col_source, g->cols) * d->m] =
          A[i + (size_t)j * d->leading];
  if (d->m > 0 && d->n > 0) GSUM(g->context, "All", " ", d->m, d->n, whole, d->m, -1, -1);
  return whole;
}

static int* NAME(collect_pivots)(const Grid* g, const Descriptor* d, const int* ipiv) {
  int* whole = calloc(d->m + 1, sizeof(int));
  if (g->col == 0)
    for (int l = 0; l < local_size(d->m, d->mb, g->row, d->row_source, g->rows); ++l)
      whole[global_of(l, d->mb, g->row, d->row_source, g->rows)] = ipiv[l];
  Cigsum2d(g->context, "All", " ", d->m, 1, whole, d->m, -1, -1);
  return whole;
}

/* P A = L U of sub(A) = A(ia : ia + m - 1, ja : ja + n - 1), the rest of A as it was; factors at most n eps off. */
static void NAME(check_factors)(const Grid* g, const Descriptor* d, int m, int n, int ia, int ja, const T* A,
                                const int* ipiv, unsigned seed) {
  T* F = NAME(collect)(g, d, A);
  int* pivots = NAME(collect_pivots)(g, d, ipiv);
  const int k = m < n ? m : n;
  T* before = malloc(sizeof(T) * ((size_t)d->m * d->n + 1));
  for (int j = 0; j < d->n; ++j)
    for (int i = 0; i < d->m; ++i) before[i + (size_t)j * d->m] = NAME(entry)(seed, i, j);
  for (int i = 0; i < k; ++i) {
    const int p = pivots[ia + i] - 1;
    expect(p >= ia + i && p < ia + m, g, "pivot is a row below", pivots[ia + i], i);
    if (p < 0 || p >= d->m) continue;
    for (int j = ja; j < ja + n; ++j) {
      const T t = before[ia + i + (size_t)j * d->m];
      before[ia + i + (size_t)j * d->m] = before[p + (size_t)j * d->m];
      before[p + (size_t)j * d->m] = t;
    }
  }
  double worst = 0, largest_l = 0;
  for (int j = 0; j < d->n; ++j)
    for (int i = 0; i < d->m; ++i) {
      T sum = F[i + (size_t)j * d->m];
      double size = fabs(sum), bound = 0;
      const int r = i - ia, c = j - ja;
      if (r >= 0 && r < m && c >= 0 && c < n) {
        if (r > c && fabs(sum) > largest_l) largest_l = fabs(sum);
        sum = 0, size = 0;
        for (int l = 0; l <= r && l <= c && l < k; ++l) {
          const T left = l == r ? 1 : F[ia + r + (size_t)(ja + l) * d->m], up = F[ia + l + (size_t)j * d->m];
          sum += left * up;
          size += fabs(left) * fabs(up);
        }
        bound = 4 * (k + 1) * EPS * size;
      }
      const double off = fabs(sum - before[i + (size_t)j * d->m]);
      if (off > bound && off > worst) worst = off;
    }
  expect(worst == 0, g, "P A = L U", (long long)(worst / EPS), n);
  expect(largest_l <= LARGEST_L * (1 + 4 * EPS), g, "size of L's entries", (long long)(largest_l * 1000),
         1000);
  free(F), free(pivots), free(before);
}

/* op(sub(A)) X = sub(B):  ||op(A) X - B|| <= 16 n eps (||A|| ||X|| + ||B||), and the rest of B is as it was. */
static void NAME(check_solution)(const Grid* g, char trans, int n, int nrhs, int ia, int ja, unsigned seed_a,
                                 const Descriptor* db, int ib, int jb, const T* B, unsigned seed_b) {
  T* X = NAME(collect)(g, db, B);
  double residual = 0, norm_a = 0, norm_x = 0, changed = 0;
  for (int i = 0; i < n; ++i) {
    double row = 0;
    for (int j = 0; j < n; ++j)
      row += fabs(trans == 'N' ? NAME(entry)(seed_a, ia + i, ja + j) : NAME(entry)(seed_a, ia + j, ja + i));
    norm_a = fmax(norm_a, row);
  }
  for (int c = 0; c < nrhs; ++c)
    for (int i = 0; i < n; ++i) {
      T sum = -NAME(entry)(seed_b, ib + i, jb + c);
      for (int j = 0; j < n; ++j) {
        T a = trans == 'N' ? NAME(entry)(seed_a, ia + i, ja + j) : NAME(entry)(seed_a, ia + j, ja + i);
        if (trans == 'C') a = (T)conj(a);
        sum += a * X[ib + j + (size_t)(jb + c) * db->m];
      }
      residual = fmax(residual, fabs(sum));
      norm_x = fmax(norm_x, fabs(X[ib + i + (size_t)(jb + c) * db->m]));
    }
  for (int j = 0; j < db->n; ++j)
    for (int i = 0; i < db->m; ++i)
      if (i < ib || i >= ib + n || j < jb || j >= jb + nrhs)
        changed = fmax(changed, fabs(X[i + (size_t)j * db->m] - NAME(entry)(seed_b, i, j)));
  const double bound = 16 * n * EPS * (norm_a * norm_x + 1);
  expect(residual <= bound, g, "residual of the solution", (long long)(residual / bound * 1000), 1000);
  expect(changed == 0, g, "the rest of B is as it was", ib, jb);
  free(X);
}

static void NAME(factorize)(const Grid* g, int rows, int cols, int block, int m, int n, int ia, int ja) {
  const Descriptor d = describe(g, rows, cols, block, block, g->rows - 1, g->cols - 1, 3);
  T* A = NAME(make)(g, &d, 7);
  int* ipiv = calloc(d.leading + block, sizeof(int));
  const int i1 = ia + 1, j1 = ja + 1;
  int info = -1;
  P(getrf)(&m, &n, A, &i1, &j1, &d, ipiv, &info);
  expect(info == 0, g, "getrf's info", info, 0);
  NAME(check_factors)(g, &d, m, n, ia, ja, A, ipiv, 7);
  free(A), free(ipiv);
}

/* getrf and getrs for all of N, T, C; or gesv. */
static void NAME(solve)(const Grid* g, int n, int block, int nrhs, int ia, int ib, int jb, int block_b,
                        int at_once) {
  const Descriptor da = describe(g, n + ia, n + ia, block, block, 0, 0, 1);
  /* sub(B)'s first row is where sub(A)'s is. */
  const int row_source = ((ia / block - ib / block) % g->rows + g->rows) % g->rows;
  const Descriptor db = describe(g, n + ib, nrhs + jb + 1, block, block_b, row_source, g->cols - 1, 0);
  const int i1 = ia + 1, ib1 = ib + 1, jb1 = jb + 1;
  T* A = NAME(make)(g, &da, 11);
  int* ipiv = calloc(da.leading + block, sizeof(int));
  int info = -1;
  if (!at_once) {
    P(getrf)(&n, &n, A, &i1, &i1, &da, ipiv, &info);
    expect(info == 0, g, "getrf's info before getrs", info, 0);
  }
  for (const char* trans = at_once ? "N" : "NTC"; *trans; ++trans) {
    T* B = NAME(make)(g, &db, 13);
    info = -1;
    if (at_once)
      P(gesv)(&n, &nrhs, A, &i1, &i1, &da, ipiv, B, &ib1, &jb1, &db, &info);
    else
      P(getrs)(trans, &n, &nrhs, A, &i1, &i1, &da, ipiv, B, &ib1, &jb1, &db, &info);
    expect(info == 0, g, "info of a solve", info, *trans);
    NAME(check_solution)(g, *trans, n, nrhs, ia, ia, 11, &db, ib, jb, B, 13);
    free(B);
  }
  free(A), free(ipiv);
}

/* Column k is zero: U(k, k) is, and nothing is solved. */
static void NAME(singular)(const Grid* g, int n, int block, int k) {
  const Descriptor d = describe(g, n, n, block, block, 0, 0, 0), db = describe(g, n, 1, block, 1, 0, 0, 0);
  T *A = NAME(make)(g, &d, 17), *B = NAME(make)(g, &db, 19);
  int* ipiv = calloc(d.leading + block, sizeof(int));
  const int one = 1;
  int info = -1;
  for (int j = 0; j < local_size(n, block, g->col, 0, g->cols); ++j)
    if (global_of(j, block, g->col, 0, g->cols) == k)
      for (int i = 0; i < local_size(n, block, g->row, 0, g->rows); ++i) A[i + (size_t)j * d.leading] = 0;
  P(gesv)(&n, &one, A, &one, &one, &d, ipiv, B, &one, &one, &db, &info);
  expect(info == k + 1, g, "info of a singular matrix", info, k + 1);
  free(A), free(B), free(ipiv);
}

static int NAME(info_of_getrf)(int m, int n, int ia, int ja, Descriptor d) {
  static T A[64];
  static int ipiv[64];
  int info = 1;
  P(getrf)(&m, &n, A, &ia, &ja, &d, ipiv, &info);
  return info;
}

static int NAME(info_of_getrs)(char trans, int n, int nrhs, int ia, int ja, Descriptor da, int ib, int jb,
                               Descriptor db) {
  static T A[64], B[64];
  static int ipiv[64];
  int info = 1;
  P(getrs)(&trans, &n, &nrhs, A, &ia, &ja, &da, ipiv, B, &ib, &jb, &db, &info);
  return info;
}

static int NAME(info_of_gesv)(int n, int nrhs, int ia, int ja, Descriptor da, int ib, int jb, Descriptor db) {
  static T A[64], B[64];
  static int ipiv[64];
  int info = 1;
  P(gesv)(&n, &nrhs, A, &ia, &ja, &da, ipiv, B, &ib, &jb, &db, &info);
  return info;
}

#define EXPECT_INFO(call, value)                        \
  do {                                                  \
    const int info_ = (call);                           \
    expect(info_ == (value), g, #call, info_, (value)); \
  } while (0)
#define WITH(field, value) NAME(with)(good, offsetof(Descriptor, field), (value))

static Descriptor NAME(with)(Descriptor d, size_t offset, int value) {
  memcpy((char*)&d + offset, &value, sizeof value);
  return d;
}

static void NAME(illegal)(const Grid* g) {
  const Descriptor good = describe(g, 6, 6, 2, 2, 0, 0, 0);
  EXPECT_INFO(NAME(info_of_getrf)(-1, 4, 1, 1, good), -1);
  EXPECT_INFO(NAME(info_of_getrf)(4, -1, 1, 1, good), -2);
  EXPECT_INFO(NAME(info_of_getrf)(4, 4, 0, 1, good), -4);
  EXPECT_INFO(NAME(info_of_getrf)(4, 4, 1, 0, good), -5);
  EXPECT_INFO(NAME(info_of_getrf)(7, 4, 1, 1, good), -1);
  EXPECT_INFO(NAME(info_of_getrf)(4, 4, 1, 5, good), -2);
  EXPECT_INFO(NAME(info_of_getrf)(4, 4, 7, 1, good), -4);
  EXPECT_INFO(NAME(info_of_getrf)(4, 4, 2, 1, good), -4);
  EXPECT_INFO(NAME(info_of_getrf)(4, 4, 1, 2, good), -5);
  EXPECT_INFO(NAME(info_of_getrf)(4, 4, 1, 1, WITH(type, 2)), -601);
  EXPECT_INFO(NAME(info_of_getrf)(4, 4, 1, 1, WITH(context, 99)), -602);
  EXPECT_INFO(NAME(info_of_getrf)(4, 4, 1, 1, WITH(m, 0)), -603);
  EXPECT_INFO(NAME(info_of_getrf)(4, 4, 1, 1, WITH(n, 0)), -604);
  EXPECT_INFO(NAME(info_of_getrf)(4, 4, 1, 1, WITH(mb, 0)), -605);
  EXPECT_INFO(NAME(info_of_getrf)(4, 4, 1, 1, WITH(nb, -1)), -606);
  EXPECT_INFO(NAME(info_of_getrf)(4, 4, 1, 1, WITH(nb, 3)), -606);
  EXPECT_INFO(NAME(info_of_getrf)(4, 4, 1, 1, WITH(row_source, g->rows)), -607);
  EXPECT_INFO(NAME(info_of_getrf)(4, 4, 1, 1, WITH(col_source, -1)), -608);
  EXPECT_INFO(NAME(info_of_getrf)(4, 4, 1, 1, WITH(leading, 0)), -609);
  EXPECT_INFO(NAME(info_of_getrs)('X', 4, 1, 1, 1, good, 1, 1, good), -1);
  EXPECT_INFO(NAME(info_of_getrs)('N', 4, -1, 1, 1, good, 1, 1, good), -3);
  EXPECT_INFO(NAME(info_of_getrs)('T', 4, 1, 1, 1, WITH(mb, 0), 1, 1, good), -705);
  EXPECT_INFO(NAME(info_of_getrs)('C', 4, 1, 1, 1, good, 2, 1, good), -10);
  EXPECT_INFO(NAME(info_of_getrs)('N', 4, 1, 1, 1, good, 1, 1, WITH(leading, 0)), -1209);
  EXPECT_INFO(NAME(info_of_gesv)(4, -1, 1, 1, good, 1, 1, good), -2);
  EXPECT_INFO(NAME(info_of_gesv)(4, 1, 1, 1, WITH(type, 9), 1, 1, good), -601);
  EXPECT_INFO(NAME(info_of_gesv)(4, 1, 1, 1, good, 1, 7, good), -10);
  EXPECT_INFO(NAME(info_of_gesv)(4, 1, 1, 1, good, 1, 1, WITH(n, 0)), -1104);
  if (g->rows * g->cols > 1) { /* arguments that differ among the processes */
    const int is_odd = g->row == g->rows - 1 && g->col == g->cols - 1;
    EXPECT_INFO(NAME(info_of_getrf)(4, is_odd ? 3 : 4, 1, 1, good), -2);
    EXPECT_INFO(NAME(info_of_getrf)(4, 4, 1, 1, is_odd ? WITH(n, 5) : good), -604);
    EXPECT_INFO(NAME(info_of_getrs)(is_odd ? 'N' : 'T', 4, 1, 1, 1, good, 1, 1, good), -1);
  }
}

static void NAME(all_cases)(const Grid* g) {
  NAME(factorize)(g, 37, 37, 5, 37, 37, 0, 0);
  NAME(factorize)(g, 40, 23, 4, 40, 23, 0, 0);
  NAME(factorize)(g, 23, 40, 4, 23, 40, 0, 0);
  NAME(factorize)(g, 41, 44, 3, 29, 31, 6, 9);  /* a part of a matrix */
  NAME(factorize)(g, 30, 30, 64, 30, 30, 0, 0); /* one block */
  NAME(factorize)(g, 2, 2, 1, 2, 2, 0, 0);
  NAME(factorize)(g, 5, 5, 2, 0, 0, 0, 0);
  NAME(solve)(g, 33, 4, 1, 0, 0, 0, 4, 0);
  NAME(solve)(g, 33, 4, 7, 8, 4, 3, 5, 0); /* B begins inside of a block */
  NAME(solve)(g, 33, 4, 7, 0, 0, 0, 3, 1);
  NAME(solve)(g, 26, 3, 2, 6, 0, 1, 2, 1);
  NAME(singular)(g, 19, 3, 0);
  NAME(singular)(g, 19, 3, 13);
  NAME(illegal)(g);
}

#undef T
#undef P
#undef GSUM
#undef EPS
#undef NAME
#undef IMAGINARY
#undef LARGEST_L
#undef EXPECT_INFO
#undef WITH
