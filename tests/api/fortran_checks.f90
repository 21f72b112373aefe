! What the tests of the Fortran module share: expectations, an exit code, and a small system.
module fortran_checks
  use overlapack
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  integer :: failures = 0
  integer, parameter :: long = c_int64_t
  ! [ 4  1  0 ]
  ! [ 1  5  1 ]  by rows; its determinant is 53
  ! [ 0  1  3 ]
  integer(c_int32_t), target :: start(4) = [1, 3, 6, 8], col(7) = [1, 2, 1, 2, 3, 2, 3]
  real(c_double), target :: value(7) = [4d0, 1d0, 1d0, 5d0, 1d0, 1d0, 3d0]
  real(c_double), parameter :: dense(3, 3) = reshape([4d0, 1d0, 0d0, 1d0, 5d0, 1d0, 0d0, 1d0, 3d0], [3, 3])
  real(c_double), parameter :: inverse(3, 3) = reshape([14d0, -3d0, 1d0, -3d0, 12d0, -4d0, 1d0, -4d0, 19d0] / 53, [3, 3])
  real(c_double), parameter :: x(3) = [1d0, 2d0, -1d0], b(3) = [6d0, 10d0, -1d0], tiny = 1d-13
  real(c_double), parameter :: two_b(3, 2) = reshape([b, -b], [3, 2])

contains

  subroutine expect(is_so, what)
    logical, intent(in) :: is_so
    character(*), intent(in) :: what
    if (is_so) return
    failures = failures + 1
    write (error_unit, '(2a)') 'failed: ', what
  end subroutine

  subroutine finish
    if (failures /= 0) stop 1
    print '(a)', 'all passed'
  end subroutine

  ! A solver with the factors of the matrix above.
  subroutine make(solver)
    type(olp_solver), intent(inout) :: solver
    call expect(solver%create() == olp_ok, 'create')
    call expect(solver%factorize(small()) == olp_ok, 'factorize: ' // solver%message())
  end subroutine

  type(olp_matrix) function small()
    small = olp_sparse(3, start, col, value, layout=olp_csr)
  end function

  subroutine expect_refused(status, wanted, solver, words)
    integer, intent(in) :: status, wanted
    type(olp_solver), intent(in) :: solver
    character(*), intent(in) :: words
    call expect(status == wanted, words // ': ' // olp_status_name(status))
    call expect(index(solver%message(), words) > 0, words // ' is not in: ' // solver%message())
  end subroutine

  logical function near(a, c)
    real(c_double), intent(in) :: a(:), c(:)
    near = size(a) == size(c)
    if (near) near = all(abs(a - c) < tiny)
  end function

  logical function near_dense(a)
    real(c_double), intent(in) :: a(:, :)
    near_dense = all(shape(a) == shape(dense))
    if (near_dense) near_dense = all(abs(a - dense) < tiny)
  end function

  ! What the library made, whole.
  function whole(A) result(entries)
    type(olp_matrix), intent(in) :: A
    real(c_double), allocatable :: entries(:, :)
    integer(c_int64_t), pointer :: from(:), row(:)
    real(c_double), pointer :: entry(:)
    integer(c_int64_t) :: j, p
    allocate (entries(A%rows, A%cols), source=0d0)
    call olp_arrays(A, from, row, entry)
    call expect(associated(entry), 'a matrix has arrays')
    do j = 1, A%cols
      do p = from(j) + 1, from(j + 1)
        entries(row(p) + 1, j) = entry(p)
      end do
    end do
  end function
end module
