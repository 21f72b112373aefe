#include "blas.hpp"

#include <petscdmda.h>
#include <petscksp.h>

// bench_petsc_jacobi N ITERATIONS (under mpirun): PETSc's KSPRICHARDSON with PCJACOBI on the 7-point matrix of the Laplacian,
// N^3 unknowns a rank in boxes; the seconds of an iteration without and with the norm of the residual, one line of JSON.
static double seconds_of(KSP ksp, Vec b, Vec x, PetscInt iterations, KSPNormType norm) {
  KSPSetNormType(ksp, norm);
  KSPSetTolerances(ksp, 1e-50, 1e-50, PETSC_DEFAULT, iterations);
  KSPSetUp(ksp);
  VecSet(x, 0);
  MPI_Barrier(PETSC_COMM_WORLD);
  const double start = MPI_Wtime();
  KSPSolve(ksp, b, x);
  MPI_Barrier(PETSC_COMM_WORLD);
  return (MPI_Wtime() - start) / double(iterations);
}

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  const PetscInt n = argc > 1 ? atoi(argv[1]) : 128, iterations = argc > 2 ? atoi(argv[2]) : 100;
  int ranks = 1, rank = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  DM grid;
  DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, n,
               n, n * ranks, 1, 1, ranks, 1, 1, nullptr, nullptr, nullptr, &grid);
  DMSetUp(grid);
  Mat A;
  DMCreateMatrix(grid, &A);
  PetscInt x0, y0, z0, nx, ny, nz;
  DMDAGetCorners(grid, &x0, &y0, &z0, &nx, &ny, &nz);
  const PetscInt whole[3] = {n, n, n * ranks};
  for (PetscInt k = z0; k < z0 + nz; ++k)
    for (PetscInt j = y0; j < y0 + ny; ++j)
      for (PetscInt i = x0; i < x0 + nx; ++i) {
        MatStencil row = {}, cols[7];
        row.i = i, row.j = j, row.k = k;
        PetscScalar values[7];
        PetscInt count = 0;
        cols[count] = row, values[count++] = 6;
        for (int axis = 0; axis < 3; ++axis)
          for (int step = -1; step <= 1; step += 2) {
            MatStencil col = row;
            PetscInt* const at = axis == 0 ? &col.i : axis == 1 ? &col.j : &col.k;
            *at += step;
            if (*at < 0 || *at >= whole[axis]) continue;
            cols[count] = col, values[count++] = -1;
          }
        MatSetValuesStencil(A, 1, &row, count, cols, values, INSERT_VALUES);
      }
  MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY);
  Vec b, x;
  MatCreateVecs(A, &x, &b);
  VecSet(b, 1);
  KSP ksp;
  PC pc;
  KSPCreate(PETSC_COMM_WORLD, &ksp);
  KSPSetOperators(ksp, A, A);
  KSPSetType(ksp, KSPRICHARDSON);
  KSPGetPC(ksp, &pc);
  PCSetType(pc, PCJACOBI);
  seconds_of(ksp, b, x, 5, KSP_NORM_NONE);
  const double without = seconds_of(ksp, b, x, iterations, KSP_NORM_NONE);
  const double with = seconds_of(ksp, b, x, iterations, KSP_NORM_PRECONDITIONED);
  if (rank == 0)
    printf("{\"status\": \"ok\", \"iteration_s\": %.6g, \"iteration_with_norm_s\": %.6g, \"blas\": \"%s\"}\n",
           without, with, bench::blas_in_use().c_str());
  KSPDestroy(&ksp);
  VecDestroy(&x);
  VecDestroy(&b);
  MatDestroy(&A);
  DMDestroy(&grid);
  PetscFinalize();
  return 0;
}
