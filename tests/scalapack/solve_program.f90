! A ScaLAPACK program in Fortran: solves A x = b with pdgesv on the squarest grid, and checks the residual with ScaLAPACK's
! own norms and products. It knows of ScaLAPACK alone. Exit code 0 if the check passes.
program solve_program
  implicit none
  integer, parameter :: n = 150, block = 8, nrhs = 3
  integer :: me, processes, rows, cols, row, col, context, info, i, j, local_rows, local_cols, local_rhs
  integer :: desc_a(9), desc_b(9)
  integer, allocatable :: ipiv(:)
  double precision, allocatable :: A(:,:), A0(:,:), X(:,:), B(:,:), work(:)
  double precision :: residual, norm_a, norm_x, norm_b, eps
  integer, external :: numroc, indxl2g
  double precision, external :: pdlamch, pdlange

  call blacs_pinfo(me, processes)
  rows = int(sqrt(dble(processes)) + 0.5d0)
  do while (mod(processes, rows) /= 0)
    rows = rows - 1
  end do
  cols = processes / rows
  call blacs_get(-1, 0, context)
  call blacs_gridinit(context, 'Row', rows, cols)
  call blacs_gridinfo(context, rows, cols, row, col)

  local_rows = numroc(n, block, row, 0, rows)
  local_cols = numroc(n, block, col, 0, cols)
  local_rhs = numroc(nrhs, block, col, 0, cols)
  call descinit(desc_a, n, n, block, block, 0, 0, context, max(1, local_rows), info)
  call descinit(desc_b, n, nrhs, block, block, 0, 0, context, max(1, local_rows), info)
  allocate(A(local_rows, local_cols), A0(local_rows, local_cols), X(local_rows, local_rhs), B(local_rows, local_rhs))
  allocate(ipiv(local_rows + block), work(local_rows + local_cols + block))
  do j = 1, local_cols
    do i = 1, local_rows
      A(i, j) = entry(indxl2g(i, block, row, 0, rows), indxl2g(j, block, col, 0, cols))
    end do
  end do
  do j = 1, local_rhs
    do i = 1, local_rows
      B(i, j) = entry(indxl2g(i, block, row, 0, rows), n + indxl2g(j, block, col, 0, cols))
    end do
  end do
  A0 = A
  X = B

  call pdgesv(n, nrhs, A, 1, 1, desc_a, ipiv, X, 1, 1, desc_b, info)

  eps = pdlamch(context, 'Epsilon')
  norm_a = pdlange('I', n, n, A0, 1, 1, desc_a, work)
  norm_x = pdlange('I', n, nrhs, X, 1, 1, desc_b, work)
  norm_b = pdlange('I', n, nrhs, B, 1, 1, desc_b, work)
  call pdgemm('N', 'N', n, nrhs, n, -1d0, A0, 1, 1, desc_a, X, 1, 1, desc_b, 1d0, B, 1, 1, desc_b)
  residual = pdlange('I', n, nrhs, B, 1, 1, desc_b, work) / ((norm_a * norm_x + norm_b) * n * eps)
  if (me == 0) print '(a, i0, a, f8.3)', 'solve_program: info ', info, ', residual ', residual
  call blacs_gridexit(context)
  call blacs_exit(0)
  if (info /= 0 .or. .not. residual < 16) stop 1

contains

  ! In (-1, 1), of no pattern that elimination would see.
  double precision function entry(i, j)
    integer, intent(in) :: i, j
    entry = sin(dble(i * i + 31 * j) + 0.37d0 * dble(i * j))
  end function
end program
