! What the module takes and gives on ranks of MPI: the matrix and right-hand sides are those of rank 0, the others' are empty.
program fortran_ranks_test
  use fortran_checks
  use overlapack
  use, intrinsic :: iso_c_binding
  implicit none
  type(olp_solver) :: solver
  type(olp_matrix) :: A
  real(c_double), allocatable :: mine(:)
  logical :: is_first

  is_first = rank_here() == 0
  allocate (mine(0))
  if (is_first) mine = b
  if (is_first) A = small()
  call expect(solver%create() == olp_ok, 'create')
  call test_factors
  call test_sparse_right_hand_side
  call test_parts
  call test_schur
  call solver%destroy()
  deallocate (mine)
  call finish

contains

  integer function rank_here()
    character(20) :: text
    integer :: failed
    call get_environment_variable('OMPI_COMM_WORLD_RANK', text, status=failed)
    if (failed /= 0) call get_environment_variable('PMI_RANK', text, status=failed)
    rank_here = 0
    if (failed == 0) read (text, *) rank_here
  end function

  subroutine test_factors
    type(olp_analysis) :: analysis
    real(c_double) :: found(3)
    call expect(solver%keep_analysis(A, analysis) == olp_ok, 'keep_analysis: ' // solver%message())
    call expect(solver%factorize_with(A, analysis) == olp_ok, 'factorize_with: ' // solver%message())
    call expect(solver%solve(mine, found) == olp_ok, 'solve: ' // solver%message())
    call expect(near(found, x), 'x on every rank')
    found = 0
    if (is_first) found = b
    call expect(solver%substitute(found) == olp_ok, 'substitute: ' // solver%message())
    call expect(near(found, x), 'x of substitute on every rank')
  end subroutine

  subroutine test_sparse_right_hand_side
    integer(c_int64_t), target :: from(2) = [1_long, 2_long], row(1) = [2_long]
    real(c_double), target :: entry(1) = [1d0]
    type(olp_matrix) :: unit
    real(c_double) :: found(3)
    if (is_first) then
      unit = olp_sparse(3, from, row, entry)
      unit%cols = 1
    end if
    call expect(solver%solve_sparse(unit, found) == olp_ok, 'solve_sparse: ' // solver%message())
    call expect(near(found, inverse(:, 2)), 'a column of the inverse on every rank')
  end subroutine

  subroutine test_parts
    type(olp_matrix) :: L, U
    integer(c_int64_t), allocatable :: row(:), column(:)
    real(c_double), allocatable :: diagonal(:)
    real(c_double) :: lower(3, 3), upper(3, 3), product(3, 3)
    call expect(solver%inverse_diagonal(diagonal) == olp_ok, 'inverse_diagonal: ' // solver%message())
    call expect(near(diagonal, [inverse(1, 1), inverse(2, 2), inverse(3, 3)]), 'the diagonal on every rank')
    call expect(solver%triangular_factors(L, U, row, column) == olp_ok, 'triangular_factors: ' // solver%message())
    if (is_first) then
      lower = whole(L)
      upper = whole(U)
      product = matmul(lower, upper)
      product = product(row, column)
      call expect(near_dense(product), 'P A Q = L U')
    else
      call expect(L%rows == 0 .and. all(row == 0), 'the other ranks have none')
    end if
    call olp_free_matrix(L)
    call olp_free_matrix(U)
  end subroutine

  subroutine test_schur
    type(olp_schur_complement) :: schur
    integer(c_int64_t), allocatable :: variables(:)
    real(c_double), allocatable :: S(:, :), v(:)
    real(c_double) :: condensed(1), found(3)
    allocate (variables(0), v(0))
    if (is_first) variables = [2_long]
    call expect(solver%make_schur(A, variables, schur) == olp_ok, 'make_schur: ' // solver%message())
    call expect(solver%schur_matrix(schur, S) == olp_ok, 'schur_matrix: ' // solver%message())
    call expect(near(S(1, :), [5 - 1 / 4d0 - 1 / 3d0]), 'the complement on every rank')
    call expect(solver%schur_condense(schur, mine, condensed) == olp_ok, 'schur_condense: ' // solver%message())
    if (is_first) v = condensed / S(1, 1)
    call expect(solver%schur_expand(schur, mine, v, found) == olp_ok, 'schur_expand: ' // solver%message())
    call expect(near(found, x), 'expanded on every rank')
  end subroutine
end program
