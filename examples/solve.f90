! Solves A x = b for a matrix from a file, from Fortran:  solve_fortran FILE [OPTION VALUE]...
! b = A * ones, so that the error of x is known.
program solve
  use overlapack
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  type(olp_solver) :: solver
  type(olp_matrix) :: A
  character(1000) :: name, value
  integer :: status, i

  status = solver%create()
  do i = 2, command_argument_count() - 1, 2
    call get_command_argument(i, name)
    call get_command_argument(i + 1, value)
    if (status == olp_ok) status = solver%set(trim(name), trim(value))
  end do
  call get_command_argument(1, name)
  if (status == olp_ok) status = solver%read_matrix(trim(name), A)
  if (status == olp_ok) call solve_with(A)
  if (status /= olp_ok) write (error_unit, '(a)') solver%message()
  call olp_free_matrix(A)
  call solver%destroy()
  if (.not. olp_has_solution(status)) stop 1

contains

  subroutine solve_with(A)
    type(olp_matrix), intent(in) :: A
    integer(c_int64_t), pointer :: start(:), row(:)
    real(c_double), pointer :: entry(:)
    real(c_double), allocatable :: b(:), x(:)
    real(c_double) :: backward_error, entries
    character(:), allocatable :: ordering
    integer(c_int64_t) :: p

    ! b = A * ones: what was read has compressed columns whose numbers begin at 0
    call c_f_pointer(A%start, start, [A%cols + 1])
    call c_f_pointer(A%index, row, [start(A%cols + 1)])
    call c_f_pointer(A%value, entry, [start(A%cols + 1)])
    allocate (b(A%rows), x(A%rows))
    b = 0
    do p = 1, size(row)
      b(row(p) + 1) = b(row(p) + 1) + entry(p)
    end do

    status = solver%factorize(A)
    if (status == olp_ok) status = solver%solve(b, x)
    if (status == olp_ok) status = solver%figure('backward_error', backward_error)
    if (status == olp_ok) status = solver%figure('factor_nnz', entries)
    if (status == olp_ok) status = solver%text('ordering', ordering)
    if (status /= olp_ok) return
    print '(a, i0, 3a, f0.0, a)', 'n = ', A%rows, ', ordering ', ordering, ', ', entries, ' entries in the factors'
    print '(a, es7.1, a, es7.1)', 'backward error ', backward_error, ', error ', maxval(abs(x - 1))
  end subroutine
end program
