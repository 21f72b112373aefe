! What factors answer beyond solves: parts of them, inverses, null spaces; Schur complements and diagnoses.
program fortran_parts_test
  use fortran_checks
  use overlapack
  use, intrinsic :: iso_c_binding
  implicit none

  call test_null_space
  call test_inverse
  call test_triangular_factors
  call test_symmetric_factors
  call test_half
  call test_schur
  call test_diagnose
  call finish

contains

  subroutine test_null_space
    type(olp_solver) :: solver
    real(c_double), target :: a(7) = [1d0, -1d0, -1d0, 1d0, 0d0, 0d0, 3d0]
    real(c_double), allocatable :: Z(:, :), diagonal(:)
    real(c_float), allocatable :: single(:, :)
    call make(solver)
    call expect(solver%null_space(Z) == olp_ok, 'no null space')
    call expect(size(Z, 1) == 3 .and. size(Z, 2) == 0, 'no null space: what it gives')
    call expect(solver%set_pivot_threshold(0.5d0) == olp_ok, 'set_pivot_threshold')
    call expect(solver%refactorize(small()) == olp_ok, 'refactorize: ' // solver%message())
    call expect_refused(solver%set_pivot_threshold(2d0), olp_bad_plan, solver, 'pivot_threshold')
    call expect(solver%set('null_pivots', .true.) == olp_ok, 'option null_pivots')
    call expect(solver%factorize(olp_sparse(3, start, col, a, layout=olp_csr)) == olp_ok, 'null pivots: ' // solver%message())
    call expect(solver%null_space(Z, op=olp_trans) == olp_ok, 'null_space: ' // solver%message())
    call expect(size(Z, 2) == 1, 'null_space: what it gives')
    call expect(abs(Z(1, 1) * Z(2, 1) - 0.5) < tiny .and. abs(Z(3, 1)) < tiny, 'the null vector')
    call expect_refused(solver%null_space(single), olp_bad_input, solver, 'type')
    call expect_refused(solver%inverse_diagonal(diagonal), olp_singular, solver, 'no inverse')
  end subroutine

  subroutine test_inverse
    type(olp_solver) :: solver
    type(olp_matrix) :: Z
    real(c_double), allocatable :: diagonal(:)
    real(c_double) :: some(2), selected(3, 3)
    integer(c_int64_t), pointer :: from(:), row(:)
    real(c_float), pointer :: single(:)
    call expect(solver%create() == olp_ok, 'create')
    call expect_refused(solver%inverse_diagonal(diagonal), olp_bad_input, solver, 'there are no factors')
    call make(solver)
    call expect(solver%inverse_entries([1_long, 3_long], [3_long, 2_long], some) == olp_ok, 'inverse_entries: ' // solver%message())
    call expect(near(some, [inverse(1, 3), inverse(3, 2)]), 'entries of the inverse')
    call expect_refused(solver%inverse_entries([1_long], [3_long, 2_long], some), olp_bad_input, solver, 'rows is 1; give 2')
    call expect_refused(solver%inverse_entries([1_long, 1_long], [0_long, 2_long], some), olp_bad_input, solver, '-1')
    call expect(solver%inverse_diagonal(diagonal) == olp_ok, 'inverse_diagonal: ' // solver%message())
    call expect(near(diagonal, [inverse(1, 1), inverse(2, 2), inverse(3, 3)]), 'diagonal of the inverse')
    call expect(solver%selected_inverse(Z) == olp_ok, 'selected_inverse: ' // solver%message())
    selected = whole(Z)
    call expect(near(selected(:, 2), inverse(:, 2)) .and. near(selected(:2, 1), inverse(:2, 1)), 'the selected inverse')
    call olp_arrays(Z, from, row, single)
    call expect(.not. associated(single), 'no numbers of another kind')
    call olp_free_matrix(Z)
    call expect(solver%factorize_dense(dense) == olp_ok, 'dense')
    call expect_refused(solver%selected_inverse(Z), olp_bad_plan, solver, 'sparse')
  end subroutine

  subroutine test_triangular_factors
    type(olp_solver) :: solver
    type(olp_matrix) :: L, U
    integer(c_int64_t), allocatable :: row(:), column(:)
    real(c_double) :: lower(3, 3), upper(3, 3), product(3, 3)
    call make(solver)
    call expect(solver%triangular_factors(L, U, row, column) == olp_ok, 'triangular_factors: ' // solver%message())
    lower = whole(L)
    upper = whole(U)
    product = matmul(lower, upper)
    product = product(row, column)
    call expect(near_dense(product), 'P A Q = L U')
    call olp_free_matrix(L)
    call olp_free_matrix(U)
    call expect(solver%factorize_dense(dense) == olp_ok, 'dense')
    call expect_refused(solver%triangular_factors(L, U, row, column), olp_bad_plan, solver, 'sparse')
  end subroutine

  subroutine test_symmetric_factors
    type(olp_solver) :: solver
    type(olp_matrix) :: L, D
    integer(c_int64_t), allocatable :: position(:)
    real(c_double) :: lower(3, 3), blocks(3, 3), product(3, 3)
    call make(solver)
    call expect(solver%symmetric_factors(L, D, position) == olp_ok, 'symmetric_factors: ' // solver%message())
    lower = whole(L)
    blocks = whole(D)
    product = matmul(matmul(lower, blocks), transpose(lower))
    product = product(position, position)
    call expect(near_dense(product), 'P A P^T = L D L^T')
    call olp_free_matrix(L)
    call olp_free_matrix(D)
    call solver%destroy()
    call expect_refused(solver%symmetric_factors(L, D, position), olp_bad_input, solver, 'olp_create')
  end subroutine

  subroutine test_half
    type(olp_solver) :: solver
    type(olp_half_factors) :: half
    real(c_double) :: found(3), two(3, 2)
    call make(solver)
    found = b
    call expect_refused(solver%half_apply(half, olp_half_solve, found), olp_bad_input, solver, 'half is a null pointer')
    call expect(solver%make_half(half) == olp_ok, 'make_half: ' // solver%message())
    call expect(solver%half_apply(half, olp_half_substitute, found) == olp_ok, 'half, substitute')
    call expect(near(found, x), 'half, substitute: what it gives')
    two = two_b
    call expect(solver%half_apply(half, olp_half_solve_l, two) == olp_ok, 'half, L')
    call expect(solver%half_apply(half, olp_half_solve_d, two) == olp_ok, 'half, D')
    call expect(solver%half_apply(half, olp_half_solve_lt, two) == olp_ok, 'half, L^T')
    call expect(near(two(:, 1), x) .and. near(two(:, 2), -x), 'x in three parts')
    found = x
    call expect(solver%half_apply(half, olp_half_multiply, found) == olp_ok, 'half, multiply')
    call expect(abs(dot_product(found, found)) > 1 .and. .not. near(found, x), 'the half is not 1')
    call expect(solver%half_apply(half, olp_half_solve, found) == olp_ok, 'half, solve undoes it')
    call expect(near(found, x), 'half, solve undoes it: what it gives')
    call expect_refused(solver%half_apply(half, 99, found), olp_bad_input, solver, 'part is 99')
    call expect_refused(solver%half_apply(half, olp_half_solve, found(:2)), olp_bad_input, solver, 'ldx is 2')
  end subroutine

  subroutine test_schur
    type(olp_solver) :: solver
    type(olp_schur_complement) :: schur
    real(c_double), allocatable :: S(:, :)
    real(c_double) :: v(1), found(3), two_v(1, 2), two(3, 2)
    call expect(solver%create() == olp_ok, 'create')
    call expect_refused(solver%schur_matrix(schur, S), olp_bad_input, solver, 'schur is a null pointer')
    call expect_refused(solver%make_schur(small(), [0_long], schur), olp_bad_input, solver, 'variable')
    call expect(solver%make_schur(small(), [2_long], schur) == olp_ok, 'make_schur: ' // solver%message())
    call expect(solver%schur_matrix(schur, S) == olp_ok, 'schur_matrix: ' // solver%message())
    call expect(near(S(1, :), [5 - 1 / 4d0 - 1 / 3d0]), 'the complement')
    call expect(solver%schur_condense(schur, b, v) == olp_ok, 'schur_condense: ' // solver%message())
    v = v / S(1, 1)
    call expect(solver%schur_expand(schur, b, v, found) == olp_ok, 'schur_expand: ' // solver%message())
    call expect(near(found, x), 'schur_expand: what it gives')
    call expect(solver%schur_condense(schur, two_b, two_v) == olp_ok, 'condense two: ' // solver%message())
    two_v = two_v / S(1, 1)
    call expect(solver%schur_expand(schur, two_b, two_v, two) == olp_ok, 'expand two')
    call expect(near(two(:, 2), -x), 'expand two: what it gives')
    call expect_refused(solver%schur_condense(schur, b, found), olp_bad_input, solver, 'rows of condensed is 3; give 1')
    call expect_refused(solver%schur_condense(schur, b(:2), v), olp_bad_input, solver, 'rows of b is 2; give 3')
    call expect_refused(solver%schur_condense(schur, two_b, two_v(:, :1)), olp_bad_input, solver, 'columns of b is 2; give 1')
    call expect_refused(solver%schur_expand(schur, b, b, found), olp_bad_input, solver, 'rows of x_v is 3; give 1')
    call expect_refused(solver%schur_expand(schur, b, v, found(:2)), olp_bad_input, solver, 'rows of x is 2; give 3')
  end subroutine

  subroutine test_diagnose
    type(olp_solver) :: solver
    real(c_double), target :: a(7) = [1d0, -1d0, -1d0, 1d0, 0d0, 0d0, 3d0]
    character(:), allocatable :: words
    call expect(solver%create() == olp_ok, 'create')
    call expect(solver%diagnose(olp_sparse(3, start, col, a, layout=olp_csr), words, ['left ', 'right', 'wall ']) == olp_ok, &
                'diagnose: ' // solver%message())
    call expect(index(words, 'left and right can change together') > 0, words)
    call expect(solver%diagnose(small(), words, json=.true.) == olp_ok, 'diagnose as JSON: ' // solver%message())
    call expect(index(words, '"sound":true') > 0, words)
    call expect_refused(solver%diagnose(small(), words, ['one']), olp_bad_input, solver, 'size of names is 1; give 3')
  end subroutine
end program
