!> overlapack from Fortran: its C interface (overlapack.h, docs/c.md) as a module.
!>
!>   type(olp_solver) :: solver
!>   status = solver%create()
!>   status = solver%set('ordering', 'amd')
!>   status = solver%factorize(olp_sparse(n, start, index, value, layout=olp_csr))
!>   if (status == olp_ok) status = solver%solve(b, x)
!>   if (status /= olp_ok) print '(a)', solver%message()
!>
!> Every function returns a status. Numbers in start and index begin at 1. A solver is given back by destroy, or when it goes out
!> of scope (under MPI: destroy before MPI_Finalize). It has one owner: a solver that another is assigned to is as before create.
module overlapack
  use, intrinsic :: iso_c_binding
  implicit none
  private

  enum, bind(c)
    enumerator :: olp_ok, olp_inaccurate, olp_singular, olp_not_converged, olp_out_of_memory, olp_bad_input, olp_bad_plan, &
                  olp_comm_failure, olp_cancelled, olp_internal, olp_ill_conditioned
  end enum
  enum, bind(c)
    enumerator :: olp_float32, olp_float64, olp_complex64, olp_complex128
  end enum
  enum, bind(c)
    enumerator :: olp_csc, olp_csr
  end enum
  enum, bind(c)
    enumerator :: olp_whole, olp_symmetric, olp_hermitian
  end enum
  enum, bind(c)
    enumerator :: olp_no_trans, olp_trans, olp_conj_trans
  end enum
  public :: olp_ok, olp_inaccurate, olp_singular, olp_not_converged, olp_out_of_memory, olp_bad_input, olp_bad_plan, &
            olp_comm_failure, olp_cancelled, olp_internal, olp_ill_conditioned, &
            olp_float32, olp_float64, olp_complex64, olp_complex128, &
            olp_csc, olp_csr, olp_whole, olp_symmetric, olp_hermitian, olp_no_trans, olp_trans, olp_conj_trans

  !> As struct olp_matrix: a description of arrays that belong to the caller.
  type, bind(c), public :: olp_matrix
    integer(c_int) :: value_type = olp_float64
    integer(c_int) :: layout = olp_csc
    integer(c_int) :: half = olp_whole
    integer(c_int) :: index_bytes = 8
    integer(c_int) :: base = 1
    integer(c_int64_t) :: rows = 0, cols = 0
    integer(c_int64_t) :: first = 0, count = 0
    type(c_ptr) :: start = c_null_ptr, index = c_null_ptr, value = c_null_ptr
    type(c_ptr) :: owner = c_null_ptr
  end type

  !> A matrix of order n from the caller's arrays, which are declared `target` and stay as they are until they are factorised.
  !> first: by rank, how many lines stand before those here, as many as size(start) - 1.
  interface olp_sparse
    module procedure sparse_float32_int32, sparse_float32_int64, sparse_float64_int32, sparse_float64_int64, &
                     sparse_complex64_int32, sparse_complex64_int64, sparse_complex128_int32, sparse_complex128_int64
  end interface
  public :: olp_sparse, olp_free_matrix, olp_version

  !> Called while a solver works: what it does, and how much of that is done, from 0 to 1. Another result than 0 stops the call,
  !> which returns olp_cancelled.
  abstract interface
    integer function olp_progress(phase, share)
      import :: c_double
      character(*), intent(in) :: phase
      real(c_double), intent(in) :: share
    end function
  end interface
  public :: olp_progress

  type :: listener
    procedure(olp_progress), pointer, nopass :: hear => null()
  end type

  type, public :: olp_solver
    private
    type(c_ptr) :: handle = c_null_ptr
    type(listener), pointer :: listener => null()
  contains
    procedure, public :: create, destroy, message
    procedure, private :: set_text, set_integer, set_real, set_logical
    generic, public :: set => set_text, set_integer, set_real, set_logical
    procedure, public :: set_order, set_progress, set_communicator, read_matrix
    procedure, public :: analyse, factorize, factorize_distributed, refactorize
    procedure, private :: factorize_dense_float32, factorize_dense_float64, factorize_dense_complex64, &
                          factorize_dense_complex128
    generic, public :: factorize_dense => factorize_dense_float32, factorize_dense_float64, &
                                          factorize_dense_complex64, factorize_dense_complex128
    procedure, private :: solve_float32, solve_float64, solve_complex64, solve_complex128, solve_many_float32, &
                          solve_many_float64, solve_many_complex64, solve_many_complex128
    generic, public :: solve => solve_float32, solve_float64, solve_complex64, solve_complex128, solve_many_float32, &
                                solve_many_float64, solve_many_complex64, solve_many_complex128
    procedure, private :: solve_rows_float32, solve_rows_float64, solve_rows_complex64, solve_rows_complex128, &
                          solve_many_rows_float32, solve_many_rows_float64, solve_many_rows_complex64, &
                          solve_many_rows_complex128
    generic, public :: solve_distributed => solve_rows_float32, solve_rows_float64, solve_rows_complex64, &
                                            solve_rows_complex128, solve_many_rows_float32, solve_many_rows_float64, &
                                            solve_many_rows_complex64, solve_many_rows_complex128
    procedure, private :: determinant_float32, determinant_float64, determinant_complex64, determinant_complex128
    generic, public :: determinant => determinant_float32, determinant_float64, determinant_complex64, &
                                      determinant_complex128
    procedure, public :: inertia, rcond, figure, text, save, load
    procedure, private :: take_nothing
    generic, public :: assignment(=) => take_nothing
    final :: finalize
  end type

  interface
    function c_version() bind(c, name='olp_version') result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function
    integer(c_int) function olp_create(solver) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), intent(out) :: solver
    end function
    subroutine olp_destroy(solver) bind(c)
      import :: c_ptr
      type(c_ptr), value :: solver
    end subroutine
    function olp_message(solver) bind(c) result(text)
      import :: c_ptr
      type(c_ptr), value :: solver
      type(c_ptr) :: text
    end function
    integer(c_int) function olp_set(solver, name, value) bind(c)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: solver
      character(kind=c_char), intent(in) :: name(*), value(*)
    end function
    integer(c_int) function olp_set_order(solver, n, order) bind(c)
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: solver
      integer(c_int64_t), value :: n
      integer(c_int64_t), intent(in) :: order(*)
    end function
    integer(c_int) function olp_set_progress(solver, progress, data) bind(c)
      import :: c_int, c_ptr, c_funptr
      type(c_ptr), value :: solver, data
      type(c_funptr), value :: progress
    end function
    integer(c_int) function olp_set_fortran_communicator(solver, communicator) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: solver
      integer(c_int), value :: communicator
    end function
    integer(c_int) function olp_read_matrix(solver, path, A) bind(c)
      import :: c_int, c_ptr, c_char, olp_matrix
      type(c_ptr), value :: solver
      character(kind=c_char), intent(in) :: path(*)
      type(olp_matrix), intent(out) :: A
    end function
    subroutine olp_free_matrix(A) bind(c)
      import :: olp_matrix
      type(olp_matrix), intent(inout) :: A
    end subroutine
    integer(c_int) function olp_analyse(solver, A) bind(c)
      import :: c_int, c_ptr, olp_matrix
      type(c_ptr), value :: solver
      type(olp_matrix), intent(in) :: A
    end function
    integer(c_int) function olp_factorize(solver, A) bind(c)
      import :: c_int, c_ptr, olp_matrix
      type(c_ptr), value :: solver
      type(olp_matrix), intent(in) :: A
    end function
    integer(c_int) function olp_factorize_distributed(solver, mine) bind(c)
      import :: c_int, c_ptr, olp_matrix
      type(c_ptr), value :: solver
      type(olp_matrix), intent(in) :: mine
    end function
    integer(c_int) function olp_refactorize(solver, A) bind(c)
      import :: c_int, c_ptr, olp_matrix
      type(c_ptr), value :: solver
      type(olp_matrix), intent(in) :: A
    end function
    integer(c_int) function olp_factorize_dense(solver, value_type, n, A, lda) bind(c)
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: solver, A
      integer(c_int), value :: value_type
      integer(c_int64_t), value :: n, lda
    end function
    integer(c_int) function olp_solve(solver, value_type, op, nrhs, b, ldb, x, ldx) bind(c)
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: solver, b, x
      integer(c_int), value :: value_type, op
      integer(c_int64_t), value :: nrhs, ldb, ldx
    end function
    integer(c_int) function olp_solve_distributed(solver, value_type, op, first, count, nrhs, b, ldb, x, ldx) bind(c)
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: solver, b, x
      integer(c_int), value :: value_type, op
      integer(c_int64_t), value :: first, count, nrhs, ldb, ldx
    end function
    integer(c_int) function olp_save(solver, path) bind(c)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: solver
      character(kind=c_char), intent(in) :: path(*)
    end function
    integer(c_int) function olp_load(solver, path) bind(c)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: solver
      character(kind=c_char), intent(in) :: path(*)
    end function
    integer(c_int) function olp_determinant(solver, value_type, mantissa, exponent) bind(c)
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: solver, mantissa
      integer(c_int), value :: value_type
      integer(c_int64_t), intent(out) :: exponent
    end function
    integer(c_int) function olp_rcond(solver, value) bind(c)
      import :: c_int, c_ptr, c_double
      type(c_ptr), value :: solver
      real(c_double), intent(out) :: value
    end function
    integer(c_int) function olp_inertia(solver, positive, negative, zero) bind(c)
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: solver
      integer(c_int64_t), intent(out) :: positive, negative, zero
    end function
    integer(c_int) function olp_figure(solver, name, value) bind(c)
      import :: c_int, c_ptr, c_char, c_double
      type(c_ptr), value :: solver
      character(kind=c_char), intent(in) :: name(*)
      real(c_double), intent(out) :: value
    end function
    integer(c_int) function olp_text(solver, name, text) bind(c)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: solver
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(out) :: text
    end function
    integer(c_size_t) function strlen(text) bind(c)
      import :: c_size_t, c_ptr
      type(c_ptr), value :: text
    end function
  end interface

contains

  function olp_version() result(text)
    character(:), allocatable :: text
    text = from_c(c_version())
  end function

  integer function create(self) result(status)
    class(olp_solver), intent(inout) :: self
    call self%destroy()
    status = olp_create(self%handle)
  end function

  subroutine destroy(self)
    class(olp_solver), intent(inout) :: self
    call olp_destroy(self%handle)
    self%handle = c_null_ptr
    if (associated(self%listener)) deallocate (self%listener)
  end subroutine

  subroutine take_nothing(self, other)
    class(olp_solver), intent(inout) :: self
    type(olp_solver), intent(in) :: other
    if (.not. c_associated(self%handle, other%handle)) call self%destroy()
  end subroutine

  subroutine finalize(self)
    type(olp_solver), intent(inout) :: self
    call self%destroy()
  end subroutine

  !> One sentence on the last call that did not return olp_ok.
  function message(self) result(text)
    class(olp_solver), intent(in) :: self
    character(:), allocatable :: text
    text = from_c(olp_message(self%handle))
  end function

  !> An option by its name in docs/options.md.
  integer function set_text(self, name, value) result(status)
    class(olp_solver), intent(in) :: self
    character(*), intent(in) :: name, value
    status = olp_set(self%handle, to_c(name), to_c(value))
  end function

  integer function set_integer(self, name, value) result(status)
    class(olp_solver), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(in) :: value
    character(32) :: text
    write (text, '(i0)') value
    status = self%set_text(name, trim(text))
  end function

  integer function set_real(self, name, value) result(status)
    class(olp_solver), intent(in) :: self
    character(*), intent(in) :: name
    real(c_double), intent(in) :: value
    character(32) :: text
    write (text, '(es25.17e3)') value
    status = self%set_text(name, trim(adjustl(text)))
  end function

  integer function set_logical(self, name, value) result(status)
    class(olp_solver), intent(in) :: self
    character(*), intent(in) :: name
    logical, intent(in) :: value
    status = self%set_text(name, trim(merge('true ', 'false', value)))
  end function

  !> The order for option ordering 'user': order(k) is the variable, from 1, that is eliminated k-th.
  integer function set_order(self, order) result(status)
    class(olp_solver), intent(in) :: self
    integer(c_int64_t), intent(in) :: order(:)
    status = olp_set_order(self%handle, size(order, kind=c_int64_t), order - 1)
  end function

  !> Called on the caller's thread, at most fifty times a second; without one nobody is called any more.
  integer function set_progress(self, progress) result(status)
    class(olp_solver), intent(inout) :: self
    procedure(olp_progress), optional :: progress
    type(listener), pointer :: former
    former => self%listener
    nullify (self%listener)
    if (present(progress)) then
      allocate (self%listener)
      self%listener%hear => progress
      status = olp_set_progress(self%handle, c_funloc(pass_on), c_loc(self%listener))
    else
      status = olp_set_progress(self%handle, c_null_funptr, c_null_ptr)
    end if
    if (associated(former)) deallocate (former)
  end function

  integer(c_int) function pass_on(phase, share, data) bind(c) result(stop_now)
    type(c_ptr), value :: phase, data
    real(c_double), value :: share
    type(listener), pointer :: receiver
    call c_f_pointer(data, receiver)
    stop_now = receiver%hear(from_c(phase), share)
  end function

  !> Run on the ranks of an MPI communicator: mpif.h's number, or comm%MPI_VAL of mpi_f08.
  integer function set_communicator(self, communicator) result(status)
    class(olp_solver), intent(in) :: self
    integer, intent(in) :: communicator
    status = olp_set_fortran_communicator(self%handle, int(communicator, c_int))
  end function

  !> A matrix from a file; to be given to olp_free_matrix.
  integer function read_matrix(self, path, A) result(status)
    class(olp_solver), intent(in) :: self
    character(*), intent(in) :: path
    type(olp_matrix), intent(out) :: A
    status = olp_read_matrix(self%handle, to_c(path), A)
  end function

  !> Analyse only: what a factorisation would cost.
  integer function analyse(self, A) result(status)
    class(olp_solver), intent(in) :: self
    type(olp_matrix), intent(in) :: A
    status = olp_analyse(self%handle, A)
  end function

  !> Under MPI A is that of rank 0; on the others a type(olp_matrix) with value_type set will do.
  integer function factorize(self, A) result(status)
    class(olp_solver), intent(in) :: self
    type(olp_matrix), intent(in) :: A
    status = olp_factorize(self%handle, A)
  end function

  !> Each rank gives its lines, which begin after `first` others.
  integer function factorize_distributed(self, mine) result(status)
    class(olp_solver), intent(in) :: self
    type(olp_matrix), intent(in) :: mine
    status = olp_factorize_distributed(self%handle, mine)
  end function

  !> Other values at the same places.
  integer function refactorize(self, A) result(status)
    class(olp_solver), intent(in) :: self
    type(olp_matrix), intent(in) :: A
    status = olp_refactorize(self%handle, A)
  end function

  !> How many eigenvalues of a symmetric or Hermitian matrix are above, below and equal to zero.
  integer function inertia(self, positive, negative, zero) result(status)
    class(olp_solver), intent(in) :: self
    integer(c_int64_t), intent(out) :: positive, negative, zero
    status = olp_inertia(self%handle, positive, negative, zero)
  end function

  !> 1 / (||A||_1 ||A^-1||_1), estimated.
  integer function rcond(self, value) result(status)
    class(olp_solver), intent(in) :: self
    real(c_double), intent(out) :: value
    status = olp_rcond(self%handle, value)
  end function

  !> The factors as a file.
  integer function save(self, path) result(status)
    class(olp_solver), intent(in) :: self
    character(*), intent(in) :: path
    status = olp_save(self%handle, to_c(path))
  end function

  integer function load(self, path) result(status)
    class(olp_solver), intent(in) :: self
    character(*), intent(in) :: path
    status = olp_load(self%handle, to_c(path))
  end function

  !> A number of the report by its name: 'backward_error', 'pivots.delayed'.
  integer function figure(self, name, value) result(status)
    class(olp_solver), intent(in) :: self
    character(*), intent(in) :: name
    real(c_double), intent(out) :: value
    status = olp_figure(self%handle, to_c(name), value)
  end function

  !> A word of the report: 'method', 'ordering'; '' for all of it as JSON.
  integer function text(self, name, value) result(status)
    class(olp_solver), intent(in) :: self
    character(*), intent(in) :: name
    character(:), allocatable, intent(out) :: value
    type(c_ptr) :: found
    status = olp_text(self%handle, to_c(name), found)
    if (status == olp_ok) value = from_c(found)
  end function

! What is written once and compiled for each kind of numbers: olp_sparse, solve, solve_distributed, factorize_dense, determinant.
#define KIND float32
#define NUMBERS real(c_float)
#include "of_kind.inc"
#define KIND float64
#define NUMBERS real(c_double)
#include "of_kind.inc"
#define KIND complex64
#define NUMBERS complex(c_float_complex)
#include "of_kind.inc"
#define KIND complex128
#define NUMBERS complex(c_double_complex)
#include "of_kind.inc"

  type(olp_matrix) function described(value_type, index_bytes, n, offsets, start, index, value, layout, half, base, first) &
      result(A)
    integer(c_int), intent(in) :: value_type
    integer, intent(in) :: index_bytes, n, offsets
    type(c_ptr), intent(in) :: start, index, value
    integer, intent(in), optional :: layout, half, base
    integer(c_int64_t), intent(in), optional :: first
    A%value_type = value_type
    A%index_bytes = index_bytes
    A%rows = n
    A%cols = n
    A%count = offsets - 1
    A%start = start
    A%index = index
    A%value = value
    if (present(layout)) A%layout = layout
    if (present(half)) A%half = half
    if (present(base)) A%base = base
    if (present(first)) A%first = first
  end function

  !> first: of rows on this rank, how many stand before them; absent: all rows.
  integer function solve_columns(self, value_type, b, ldb, x, ldx, nrhs, op, first) result(status)
    class(olp_solver), intent(in) :: self
    integer(c_int), intent(in) :: value_type
    type(c_ptr), intent(in) :: b, x
    integer, intent(in) :: ldb, ldx, nrhs
    integer, intent(in), optional :: op
    integer(c_int64_t), intent(in), optional :: first
    integer(c_int64_t) :: columns, b_rows, x_rows
    integer(c_int) :: which
    which = olp_no_trans
    if (present(op)) which = op
    columns = nrhs
    b_rows = ldb
    x_rows = ldx
    if (present(first)) then
      status = olp_solve_distributed(self%handle, value_type, which, first, b_rows, columns, b, b_rows, x, x_rows)
    else
      status = olp_solve(self%handle, value_type, which, columns, b, b_rows, x, x_rows)
    end if
  end function

  function to_c(text) result(chars)
    character(*), intent(in) :: text
    character(kind=c_char) :: chars(len(text) + 1)
    integer :: i
    do i = 1, len(text)
      chars(i) = text(i:i)
    end do
    chars(len(text) + 1) = c_null_char
  end function

  function from_c(chars) result(text)
    type(c_ptr), intent(in) :: chars
    character(:), allocatable :: text
    character(kind=c_char), pointer :: c(:)
    integer :: i
    call c_f_pointer(chars, c, [strlen(chars)])
    allocate (character(size(c)) :: text)
    do i = 1, size(c)
      text(i:i) = c(i)
    end do
  end function

end module overlapack
