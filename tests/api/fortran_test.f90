! The module in every kind of numbers. What else there is: fortran_parts_test.f90, fortran_systems_test.f90.
program fortran_test
  use fortran_checks, only: expect, finish
  use overlapack
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: calls = 0
  ! [ 4  1  0 ]
  ! [ 2 -3  1 ]  by rows
  ! [ 0  1  5 ]
  integer(c_int32_t), target :: start(4) = [1, 3, 6, 8], col(7) = [1, 2, 1, 2, 3, 2, 3]
  integer(c_int64_t), target :: long_start(4) = [1, 3, 6, 8], long_col(7) = [1, 2, 1, 2, 3, 2, 3]
  real(c_double), parameter :: value(7) = [4d0, 1d0, 2d0, -3d0, 1d0, 1d0, 5d0]
  real(c_double), parameter :: x(3) = [1d0, 2d0, -1d0], b(3) = [6d0, -5d0, -3d0]

  call test_float32
  call test_float64
  call test_complex64
  call test_complex128
  call test_dense
  call test_one_triangle
  call test_by_rank
  call test_file
  call test_progress
  call test_assignment
  call test_mistakes
  call finish

contains

  subroutine test_float32
    type(olp_solver) :: solver
    real(c_float), target :: a(7)
    real(c_float) :: found(3)
    a = real(value, c_float)
    call expect(solver%create() == olp_ok, 'create')
    call expect(solver%factorize(olp_sparse(3, start, col, a, layout=olp_csr)) == olp_ok, 'float32: ' // solver%message())
    call expect(solver%solve(real(b, c_float), found) == olp_ok, 'float32 solve')
    call expect(all(abs(found - x) < 1e-5), 'float32 x')
  end subroutine

  subroutine test_float64
    type(olp_solver) :: solver
    real(c_double), target :: a(7)
    real(c_double) :: found(3), two(3, 2), backward_error
    character(:), allocatable :: ordering
    a = value
    call expect(solver%create() == olp_ok, 'create')
    call expect(solver%set('ordering', 'natural') == olp_ok, 'set a text')
    call expect(solver%set('ranks', 1) == olp_ok, 'set a whole number')
    call expect(solver%set('pivot_threshold', 0.25d0) == olp_ok, 'set a number')
    call expect(solver%set('error_analysis', .true.) == olp_ok, 'set a truth')
    call expect(solver%factorize(olp_sparse(3, long_start, long_col, a, layout=olp_csr)) == olp_ok, 'float64')
    call expect(solver%solve(reshape([b, 2 * b], [3, 2]), two) == olp_ok, 'float64 solve')
    call expect(all(abs(two(:, 1) - x) < 1d-14) .and. all(abs(two(:, 2) - 2 * x) < 1d-14), 'float64 x')
    call expect(solver%text('ordering', ordering) == olp_ok, 'ordering')
    call expect(ordering == 'natural', 'ordering is natural')
    call expect(solver%figure('backward_error', backward_error) == olp_ok, 'backward error')
    call expect(backward_error < 1d-15, 'backward error is small')
    a = 2 * value
    call expect(solver%refactorize(olp_sparse(3, long_start, long_col, a, layout=olp_csr)) == olp_ok, 'refactorize')
    call expect(solver%solve(b, found) == olp_ok, 'solve with twice A')
    call expect(all(abs(2 * found - x) < 1d-14), 'x of twice A')
  end subroutine

  subroutine test_complex64
    type(olp_solver) :: solver
    complex(c_float_complex), target :: a(7)
    complex(c_float_complex) :: found(3)
    a = cmplx(value, kind=c_float) * (0., 1.)
    call expect(solver%create() == olp_ok, 'create')
    call expect(solver%factorize(olp_sparse(3, start, col, a, layout=olp_csr)) == olp_ok, 'complex64')
    call expect(solver%solve(cmplx(b, kind=c_float), found) == olp_ok, 'complex64 solve')
    call expect(all(abs(found * (0., 1.) - x) < 1e-5), 'complex64 x')
  end subroutine

  subroutine test_complex128
    type(olp_solver) :: solver
    complex(c_double_complex), target :: a(7)
    complex(c_double_complex) :: found(3)
    a = cmplx(value, kind=c_double) * (0d0, 1d0)
    call expect(solver%create() == olp_ok, 'create')
    ! the rows taken for columns and A^H: conj(A) x = b
    call expect(solver%factorize(olp_sparse(3, long_start, long_col, a)) == olp_ok, 'complex128')
    call expect(solver%solve(cmplx(b, kind=c_double), found, op=olp_conj_trans) == olp_ok, 'complex128 solve')
    call expect(all(abs(found * (0d0, -1d0) - x) < 1d-14), 'complex128 x')
  end subroutine

  subroutine test_dense
    type(olp_solver) :: solver
    real(c_double) :: a(3, 3), found(3), rcond, mantissa
    integer(c_int64_t) :: exponent
    a = transpose(reshape([4d0, 1d0, 0d0, 2d0, -3d0, 1d0, 0d0, 1d0, 5d0], [3, 3]))
    call expect(solver%create() == olp_ok, 'create')
    call expect(solver%factorize_dense(a) == olp_ok, 'dense')
    call expect(solver%solve(b, found) == olp_ok, 'dense solve')
    call expect(all(abs(found - x) < 1d-14), 'dense x')
    call expect(solver%determinant(mantissa, exponent) == olp_ok, 'determinant')
    call expect(abs(mantissa * 2d0**exponent + 74) < 1d-12, 'determinant is -74')
    call expect(solver%rcond(rcond) == olp_ok, 'rcond')
    call expect(rcond > 0.1d0 .and. rcond < 1, 'rcond of a good matrix')
  end subroutine

  subroutine test_one_triangle
    type(olp_solver) :: solver
    integer(c_int32_t), target :: from(3) = [0, 2, 3], row(3) = [0, 1, 1]
    real(c_double), target :: a(3) = [1d0, 2d0, 1d0]  ! [1 2; 2 1]
    integer(c_int64_t) :: positive, negative, zero
    call expect(solver%create() == olp_ok, 'create')
    call expect(solver%factorize(olp_sparse(2, from, row, a, half=olp_symmetric, base=0)) == olp_ok, 'one triangle')
    call expect(solver%inertia(positive, negative, zero) == olp_ok, 'inertia')
    call expect(positive == 1 .and. negative == 1 .and. zero == 0, 'inertia is 1, 1, 0')
  end subroutine

  subroutine test_by_rank
    type(olp_solver) :: solver
    real(c_double), target :: a(7)
    real(c_double) :: found(3), two(3, 2)
    a = value
    call expect(solver%create() == olp_ok, 'create')
    call expect(solver%set('ordering', 'user') == olp_ok, 'an order of ours')
    call expect(solver%set_order([1_c_int64_t, 1_c_int64_t, 2_c_int64_t]) == olp_ok, 'set_order')
    call expect(solver%factorize_distributed(olp_sparse(3, start, col, a, layout=olp_csr)) == olp_bad_input, 'no order')
    call expect(solver%set_order([3_c_int64_t, 1_c_int64_t, 2_c_int64_t]) == olp_ok, 'set_order')
    call expect(solver%factorize_distributed(olp_sparse(3, start, col, a, layout=olp_csr)) == olp_ok, solver%message())
    call expect(solver%solve_distributed(0_c_int64_t, b, found) == olp_ok, 'solve by rank: ' // solver%message())
    call expect(all(abs(found - x) < 1d-14), 'x by rank')
    call expect(solver%solve_distributed(0_c_int64_t, reshape([b, -b], [3, 2]), two) == olp_ok, 'two by rank')
    call expect(all(abs(two(:, 1) - x) < 1d-14) .and. all(abs(two(:, 2) + x) < 1d-14), 'two x by rank')
  end subroutine

  subroutine test_file
    type(olp_solver) :: solver, other
    real(c_double), target :: a(7)
    real(c_double) :: found(3)
    integer :: file
    a = value
    call expect(solver%create() == olp_ok .and. other%create() == olp_ok, 'create')
    call expect(solver%save('fortran_test.factors') == olp_bad_input, 'save before factorize')
    call expect(solver%factorize(olp_sparse(3, start, col, a, layout=olp_csr)) == olp_ok, 'factorize')
    call expect(solver%save('fortran_test.factors') == olp_ok, 'save: ' // solver%message())
    call expect(other%load('fortran_test.factors') == olp_ok, 'load: ' // other%message())
    call expect(other%solve(b, found) == olp_ok, 'solve with loaded factors')
    call expect(all(abs(found - x) < 1d-14), 'x of loaded factors')
    open (newunit=file, file='fortran_test.factors')
    close (file, status='delete')
    call expect(other%load('fortran_test.factors') == olp_bad_input, 'no such file')
  end subroutine

  subroutine test_progress
    type(olp_solver) :: solver
    real(c_double), target :: a(7)
    real(c_double) :: found(3)
    integer :: before
    a = value
    call expect(solver%create() == olp_ok, 'create')
    call expect(solver%set_progress(stop_at_once) == olp_ok, 'set_progress')
    call expect(solver%factorize(olp_sparse(3, start, col, a, layout=olp_csr)) == olp_cancelled, 'cancelled by progress')
    call expect(calls > 0, 'progress was called')
    call expect(solver%set_progress() == olp_ok, 'no progress')
    call expect(solver%factorize(olp_sparse(3, start, col, a, layout=olp_csr)) == olp_ok, 'nobody stops it')
    call expect(solver%set_progress(stop_at_once) == olp_ok, 'set_progress while there are factors')
    call expect(solver%solve(b, found) == olp_cancelled, 'a solve is stopped')
    call expect(solver%set_progress(go_on) == olp_ok, 'set_progress to go on')
    call expect(solver%factorize(olp_sparse(3, start, col, a, layout=olp_csr)) == olp_ok, 'nobody stops it, told')
    before = calls
    call expect(solver%set_progress() == olp_ok, 'no progress while there are factors')
    call expect(solver%solve(b, found) == olp_ok, 'a solve that nobody hears of')
    call expect(calls == before .and. all(abs(found - x) < 1d-14), 'the former function is not called')
  end subroutine

  integer function go_on(phase, share)
    character(*), intent(in) :: phase
    real(c_double), intent(in) :: share
    calls = calls + 1
    call expect(len(phase) > 0 .and. share >= 0 .and. share <= 1, 'phase and share')
    go_on = 0
  end function

  integer function stop_at_once(phase, share)
    character(*), intent(in) :: phase
    real(c_double), intent(in) :: share
    calls = calls + 1
    call expect(len(phase) > 0 .and. share >= 0 .and. share <= 1, 'phase and share')
    stop_at_once = 1
  end function

  ! A solver has one owner: the other one stays empty, and nothing is given back twice.
  subroutine test_assignment
    type(olp_solver) :: solver, other
    real(c_double) :: found(3)
    call expect(solver%create() == olp_ok .and. other%create() == olp_ok, 'create')
    call expect(solver%factorize_dense(reshape([2d0], [1, 1])) == olp_ok, 'dense of order 1')
    other = solver
    call expect(other%solve(b, found) == olp_bad_input, 'what was assigned is empty')
    call expect(index(other%message(), 'olp_create') > 0, 'and says so')
    call expect(solver%solve([4d0], found(:1)) == olp_ok, 'its owner has it')
    call expect(abs(found(1) - 2) < 1d-14, 'and solves')
  end subroutine

  subroutine test_mistakes
    type(olp_solver) :: solver
    real(c_double), target :: a(7)
    real(c_float) :: short(3)
    real(c_double) :: found(3), few(2), wide(3, 1)
    a = value
    call expect(solver%set('ordering', 'amd') == olp_bad_input, 'set before create')
    call expect(index(solver%message(), 'olp_create') > 0, 'message before create')
    call expect(solver%create() == olp_ok, 'create')
    call expect(solver%solve(b, found) == olp_bad_input, 'solve before factorize')
    call expect(solver%factorize(olp_sparse(3, start, col, a, layout=olp_csr)) == olp_ok, 'factorize')
    call expect(solver%solve([1., 2., 3.], short) == olp_bad_input, 'numbers of another kind')
    call expect(solver%solve(b, few) == olp_bad_input, 'x too short')
    call expect(index(solver%message(), 'ldx is 2') > 0, solver%message())
    call expect(solver%solve(reshape([b, b], [3, 2]), wide) == olp_bad_input, 'one column of x for two of b')
    call expect(solver%message() == 'the number of columns of b is 2; give 1', solver%message())
  end subroutine
end program
