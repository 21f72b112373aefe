! Other ways to systems and solutions: kept analyses, iterations, sparse right-hand sides, signs, batches, assembly.
program fortran_systems_test
  use fortran_checks
  use overlapack
  use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
  use, intrinsic :: iso_c_binding
  implicit none

  call test_status_names
  call test_analyses
  call test_iterations
  call test_sparse_right_hand_sides
  call test_substitute
  call test_signs
  call test_batch
  call test_batch_mistakes
  call test_entries
  call test_elements
  call test_owners
  call finish

contains

  subroutine test_status_names
    call expect(olp_status_name(olp_ok) == 'ok', 'the name of olp_ok')
    call expect(olp_status_name(olp_singular) == 'singular', 'the name of olp_singular')
    call expect(olp_status_name(99) == '', 'no name')
    call expect(olp_has_solution(olp_ill_conditioned) .and. .not. olp_has_solution(olp_singular), 'statuses with a solution')
  end subroutine

  subroutine test_analyses
    type(olp_solver) :: solver, other
    type(olp_analysis) :: analysis, loaded
    real(c_double) :: found(3)
    integer :: file
    call expect(solver%create() == olp_ok, 'create')
    call expect(other%create() == olp_ok, 'create')
    call expect_refused(solver%factorize(olp_sparse(3, start(:3), col, value, layout=olp_csr)), olp_bad_input, solver, &
                        'the size of start is 3; give 4')
    call test_gaps(solver)
    call expect_refused(solver%factorize_with(small(), analysis), olp_bad_input, solver, 'the analysis is a null pointer')
    call expect(solver%keep_analysis(small(), analysis) == olp_ok, 'keep_analysis: ' // solver%message())
    call expect(solver%factorize_with(small(), analysis) == olp_ok, 'factorize_with: ' // solver%message())
    call expect(solver%solve(b, found) == olp_ok, 'x by a kept analysis')
    call expect(near(found, x), 'x by a kept analysis: what it gives')
    call expect(solver%save_analysis(analysis, 'fortran_test.analysis') == olp_ok, 'save_analysis: ' // solver%message())
    call expect(other%load_analysis('fortran_test.analysis', loaded) == olp_ok, 'load_analysis: ' // other%message())
    call expect(other%factorize_with(small(), loaded) == olp_ok, 'factorize_with: ' // other%message())
    call expect(other%solve(b, found) == olp_ok, 'x by a loaded analysis')
    call expect(near(found, x), 'x by a loaded analysis: what it gives')
    open (newunit=file, file='fortran_test.analysis')
    close (file, status='delete')
    call expect_refused(other%load_analysis('fortran_test.analysis', loaded), olp_bad_input, other, 'fortran_test.analysis')
    call expect_refused(other%save_analysis(loaded, 'fortran_test.analysis'), olp_bad_input, other, 'null pointer')
  end subroutine

  ! Nothing of a copy that the compiler makes of a slice may be read when its call has ended.
  subroutine test_gaps(solver)
    type(olp_solver), intent(in) :: solver
    real(c_double), target :: spread(14)
    integer(c_int32_t), target :: spread_col(14), spread_start(8)
    spread = 99
    spread(::2) = value
    spread_col = 99
    spread_col(::2) = col
    spread_start = 99
    spread_start(::2) = start
    call expect_refused(solver%factorize(olp_sparse(3, start, col, spread(::2), layout=olp_csr)), olp_bad_input, solver, 'gaps')
    call expect_refused(solver%factorize(olp_sparse(3, start, spread_col(::2), value, layout=olp_csr)), olp_bad_input, solver, &
                        'gaps')
    call expect_refused(solver%factorize(olp_sparse(3, spread_start(::2), col, value, layout=olp_csr)), olp_bad_input, solver, &
                        'gaps')
    spread(:7) = value
    call expect(solver%factorize(olp_sparse(3, start, col, spread(:7), layout=olp_csr)) == olp_ok, 'no gaps: ' // solver%message())
  end subroutine

  subroutine test_iterations
    type(olp_solver) :: solver
    real(c_double) :: found(3), two(3, 2), one(3)
    call make(solver)
    found = 0
    call expect_refused(solver%solve_from(b, found), olp_bad_plan, solver, 'no iteration')
    call expect(solver%set('method', 'jacobi') == olp_ok, 'options')
    call expect(solver%set('sweeps', 1) == olp_ok, 'options')
    call expect(solver%factorize(small()) == olp_ok, 'jacobi: ' // solver%message())
    found = x
    call expect(solver%solve_from(b, found) == olp_ok, 'solve_from: ' // solver%message())
    call expect(all(abs(found - x) < 1d-6), 'x iterated from itself')
    two = 0
    call expect(solver%solve_from(two_b, two) == olp_ok, 'solve_from, two: ' // solver%message())
    call expect(all(abs(two(:, 1) - x) < 1d-6) .and. all(abs(two(:, 2) + x) < 1d-6), 'two x iterated')
    call expect(solver%apply(b, one) == olp_ok, 'apply: ' // solver%message())
    call expect(near(one, b / [4d0, 5d0, 3d0]), 'one sweep divides by the diagonal')
    call expect(solver%apply(two_b, two) == olp_ok, 'apply to two')
    call expect(near(two(:, 2), -one), 'apply to two: what it gives')
    call expect_refused(solver%apply(two_b, two(:, :1)), olp_bad_input, solver, 'columns of b is 2; give 1')
    call expect_refused(solver%solve_from(b, found(:2)), olp_bad_input, solver, 'ldx is 2')
  end subroutine

  subroutine test_sparse_right_hand_sides
    type(olp_solver) :: solver
    integer(c_int64_t), target :: from(3) = [1_long, 2_long, 3_long], rows(2) = [2_long, 3_long]
    real(c_double), target :: entry(2) = [1d0, 1d0]
    type(olp_matrix) :: unit
    real(c_double) :: found(3), two(3, 2)
    real(c_float) :: single(3)
    call make(solver)
    unit = olp_sparse(3, from, rows, entry)
    call expect_refused(solver%solve_sparse(unit, found), olp_bad_input, solver, 'B is 3 x 3')
    unit%cols = 1
    call expect(solver%solve_sparse(unit, found) == olp_ok, 'solve_sparse: ' // solver%message())
    call expect(near(found, inverse(:, 2)), 'a column of the inverse')
    call expect_refused(solver%solve_sparse(unit, single), olp_bad_input, solver, 'different kinds')
    unit%cols = 2
    call expect(solver%solve_sparse(unit, two, op=olp_trans) == olp_ok, 'solve_sparse, two: ' // solver%message())
    call expect(near(two(:, 1), inverse(:, 2)) .and. near(two(:, 2), inverse(:, 3)), 'two columns of the inverse')
  end subroutine

  subroutine test_substitute
    type(olp_solver) :: solver
    complex(c_float_complex), target :: a(7)
    complex(c_float_complex) :: c(3)
    real(c_double) :: found(3), two(3, 2), short(2)
    call make(solver)
    found = b
    call expect(solver%substitute(found) == olp_ok, 'substitute: ' // solver%message())
    call expect(near(found, x), 'substitute: what it gives')
    two = two_b
    call expect(solver%substitute(two, op=olp_trans) == olp_ok, 'substitute two: ' // solver%message())
    call expect(near(two(:, 2), -x), 'substitute two: what it gives')
    short = 0
    call expect_refused(solver%substitute(short), olp_bad_input, solver, 'ldx is 2')
    c = 0
    call expect_refused(solver%substitute(c), olp_bad_input, solver, 'type')
    a = cmplx(value, kind=c_float) * (0., 1.)
    call expect(solver%factorize(olp_sparse(3, start, col, a, layout=olp_csr)) == olp_ok, 'complex64: ' // solver%message())
    c = cmplx(b, kind=c_float)
    call expect(solver%substitute(c, op=olp_conj_trans) == olp_ok, 'substitute complex64: ' // solver%message())
    call expect(all(abs(c * (0., -1.) - x) < 1e-5), 'complex64 x')
  end subroutine

  subroutine test_signs
    type(olp_solver) :: solver
    integer(c_int32_t), target :: from(3) = [1, 3, 5], row(4) = [1, 2, 1, 2]
    real(c_double), target :: a(4) = [2d0, 1d0, 1d0, -3d0]
    real(c_double) :: found(2)
    integer(c_int64_t) :: positive, negative, zero
    call expect(solver%create() == olp_ok, 'create')
    call expect(solver%set('factorization', 'quasidefinite') == olp_ok, 'create')
    call expect_refused(solver%set_signs([1, 0]), olp_bad_input, solver, 'give +1 or -1')
    call expect(solver%set_signs([1, -1]) == olp_ok, 'set_signs: ' // solver%message())
    call expect(solver%factorize(olp_sparse(2, from, row, a)) == olp_ok, 'quasidefinite: ' // solver%message())
    call expect(solver%solve([3d0, -2d0], found) == olp_ok, 'x of signs')
    call expect(near(found, [1d0, 1d0]), 'x of signs: what it gives')
    call expect(solver%inertia(positive, negative, zero) == olp_ok, 'the signs')
    call expect(positive == 1 .and. negative == 1, 'the signs: what it gives')
  end subroutine

  subroutine test_batch
    type(olp_solver) :: solver
    type(olp_batch) :: batch
    real(c_double) :: values(7, 3), found(3, 3), errors(3), two(3, 2, 3)
    integer(c_int) :: each(3)
    call expect(solver%create() == olp_ok, 'create')
    values = reshape([value, 2 * value, value], [7, 3])
    call expect(solver%factorize_batch(small(), values, batch, [.true., .true., .false.]) == olp_ok, 'batch: ' // solver%message())
    call expect(solver%solve_batch(batch, reshape([b, b, b], [3, 3]), found, each, errors) == olp_ok, solver%message())
    call expect(all(each == [olp_ok, olp_ok, olp_cancelled]), 'status of each system')
    call expect(all(errors(:2) < 1d-15), 'backward errors')
    call expect(near(found(:, 1), x) .and. near(2 * found(:, 2), x), 'x of each system')
    call expect(all(ieee_is_nan(found(:, 3))), 'no x of what was left out')
    values(:, 2) = 0
    call expect(solver%refactorize_batch(batch, values) == olp_ok, 'refactorize_batch: ' // solver%message())
    call expect(solver%solve_batch(batch, reshape([b, -b, b, -b, b, -b], [3, 2, 3]), two, op=olp_trans, status_of=each) &
                == olp_singular, 'one system is singular')
    call expect(all(each == [olp_ok, olp_singular, olp_ok]), 'status of two right-hand sides each')
    call expect(near(two(:, 1, 1), x) .and. near(two(:, 2, 3), -x), 'x of two right-hand sides each')
  end subroutine

  subroutine test_batch_mistakes
    type(olp_solver) :: solver
    type(olp_batch) :: batch
    real(c_double) :: values(7, 2), found(3, 2)
    real(c_float) :: single(3, 2)
    integer(c_int) :: each(1)
    call expect(solver%create() == olp_ok, 'create')
    call expect_refused(solver%solve_batch(batch, two_b, found), olp_bad_input, solver, 'batch is a null pointer')
    values = reshape([value, 2 * value], [7, 2])
    call expect_refused(solver%factorize_batch(small(), values(:6, :), batch), olp_bad_input, solver, 'rows of values is 6; give 7')
    call expect_refused(solver%factorize_batch(small(), values, batch, [.true.]), olp_bad_input, solver, 'wanted is 1; give 2')
    call expect(solver%factorize_batch(small(), values, batch) == olp_ok, 'factorize_batch: ' // solver%message())
    call expect_refused(solver%refactorize_batch(batch, values(:, :1)), olp_bad_input, solver, 'columns of values is 1; give 2')
    call expect_refused(solver%refactorize_batch(batch, real(values, c_float)), olp_bad_input, solver, 'another kind')
    call expect_refused(solver%solve_batch(batch, two_b(:2, :), found), olp_bad_input, solver, 'a system in b is 2; give 3')
    call expect_refused(solver%solve_batch(batch, two_b, found(:, :1)), olp_bad_input, solver, 'systems in x is 1; give 2')
    call expect_refused(solver%solve_batch(batch, two_b, found, each), olp_bad_input, solver, 'status_of is 1; give 2')
    call expect_refused(solver%solve_batch(batch, real(two_b, c_float), single), olp_bad_input, solver, 'type')
  end subroutine

  subroutine test_entries
    type(olp_solver) :: solver
    type(olp_matrix) :: A
    real(c_double) :: entries(3, 3)
    integer(c_int32_t) :: rows(6) = [1, 2, 3, 1, 2, 1], cols(6) = [1, 2, 3, 2, 3, 1]
    call expect(solver%create() == olp_ok, 'create')
    call expect(solver%assemble_entries(3, 3, rows, cols, [3d0, 5d0, 3d0, 1d0, 1d0, 1d0], A, half=olp_symmetric) == olp_ok, &
                'assemble_entries: ' // solver%message())
    entries = whole(A)
    call expect(near_dense(entries), 'the assembled matrix')
    call olp_free_matrix(A)
    call expect(solver%assemble_entries(2, 3, [0_long, 1_long], [2_long, 0_long], [1., 2.], A, base=0) == olp_ok, 'from 0')
    call expect(A%rows == 2 .and. A%cols == 3 .and. A%value_type == olp_float32, 'a matrix of real numbers')
    call olp_free_matrix(A)
    call expect_refused(solver%assemble_entries(3, 3, rows, cols(:5), [1d0, 1d0, 1d0, 1d0, 1d0, 1d0], A), olp_bad_input, solver, &
                        'size of col is 5; give 6')
    call expect_refused(solver%assemble_entries(2, 2, [3_long], [1_long], [1d0], A), olp_bad_input, solver, '2')
  end subroutine

  subroutine test_elements
    type(olp_solver) :: solver
    type(olp_matrix) :: A
    integer(c_int32_t) :: from(3) = [1, 3, 5], variables(4) = [1, 2, 2, 3]
    real(c_double) :: entries(3, 3)
    call expect(solver%create() == olp_ok, 'create')
    call expect(solver%assemble_elements(3, from, variables, [4d0, 1d0, 2d0, 3d0, 1d0, 3d0], A, half=olp_symmetric) == olp_ok, &
                'assemble_elements: ' // solver%message())
    entries = whole(A)
    call expect(near_dense(entries), 'the matrix of two elements')
    call olp_free_matrix(A)
    call expect(solver%assemble_elements(3, int(from, long) - 1, int(variables, long) - 1, &
                                         [4d0, 1d0, 1d0, 2d0, 3d0, 1d0, 1d0, 3d0], A, base=0) == olp_ok, &
                'elements from 0: ' // solver%message())
    call expect(A%value_type == olp_float64 .and. A%rows == 3, 'a matrix of elements from 0')
    call olp_free_matrix(A)
    call expect_refused(solver%assemble_elements(3, from, variables, [1d0], A), olp_bad_input, solver, 'value is 1; give 8')
    call expect_refused(solver%assemble_elements(3, from, variables(:3), [1d0], A), olp_bad_input, solver, 'variable is 3; give 4')
  end subroutine

  ! An object has one owner, is given back with its scope, and may outlive the solver that made it.
  subroutine test_owners
    type(olp_solver) :: solver, other
    type(olp_half_factors) :: half, second
    real(c_double) :: found(3)
    integer :: i
    call make(solver)
    do i = 1, 3
      call expect(solver%make_half(half) == olp_ok, 'made again: ' // solver%message())
    end do
    second = half
    found = b
    call expect_refused(solver%half_apply(second, olp_half_substitute, found), olp_bad_input, solver, 'null pointer')
    call solver%destroy()
    call expect(other%create() == olp_ok, 'create')
    call expect(other%half_apply(half, olp_half_substitute, found) == olp_ok, 'the half outlives its solver')
    call expect(near(found, x), 'the half outlives its solver: what it gives')
    call half%destroy()
    call half%destroy()
    call expect_refused(other%half_apply(half, olp_half_substitute, found), olp_bad_input, other, 'null pointer')
  end subroutine
end program
