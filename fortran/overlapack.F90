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

#include "c_interface.inc"

! Procedures that are compiled for each kind of numbers, in two lines each.
#define PASTE(text) text
#define REALS(name) PASTE(name)_float32, PASTE(name)_float64
#define COMPLEXES(name) PASTE(name)_complex64, PASTE(name)_complex128

  !> A matrix of order n from the caller's arrays, which are declared `target` and stay as they are until they are factorised.
  !> first: by rank, how many lines stand before those here, as many as size(start) - 1.
  interface olp_sparse
    module procedure sparse_float32_int32, sparse_float32_int64, sparse_float64_int32, sparse_float64_int64, &
                     sparse_complex64_int32, sparse_complex64_int64, sparse_complex128_int32, sparse_complex128_int64
  end interface
  !> call olp_arrays(A, start, index, value): what a matrix that the library made consists of, by columns, numbers from A%base,
  !> until olp_free_matrix; not associated where its numbers are of other kinds.
  interface olp_arrays
    module procedure arrays_float32, arrays_float64, arrays_complex64, arrays_complex128
  end interface
  public :: olp_sparse, olp_arrays, olp_free_matrix, olp_version, olp_status_name

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

  !> An object of the library, given back by destroy or when it goes out of scope. It has one owner: what another object is assigned
  !> to is empty.
  type :: owned
    private
    type(c_ptr) :: handle = c_null_ptr
    procedure(olp_destroy), pointer, nopass :: free => null()
  contains
    procedure, public :: destroy
    procedure, private :: take_nothing
    generic, public :: assignment(=) => take_nothing
    final :: finalize
  end type

  !> The analysis of a matrix, for all matrices with its pattern: keep_analysis, load_analysis, factorize_with.
  type, extends(owned), public :: olp_analysis
  end type
  !> One half of a symmetric or Hermitian matrix, in parts: make_half, half_apply.
  type, extends(owned), public :: olp_half_factors
  end type
  !> A Schur complement: make_schur, schur_matrix, schur_condense, schur_expand.
  type, extends(owned), public :: olp_schur_complement
  end type
  !> Factors of many matrices of one pattern: factorize_batch, refactorize_batch, solve_batch.
  type, extends(owned), public :: olp_batch
    private
    integer(c_int) :: value_type = olp_float64
    integer(c_int64_t) :: n = 0, entries = 0, systems = 0
  end type

  type, extends(owned), public :: olp_solver
    private
    type(listener), pointer :: listener => null()
  contains
    procedure, public :: create, message
    procedure, public :: destroy => destroy_solver
    procedure, private :: set_text, set_integer, set_real, set_logical
    generic, public :: set => set_text, set_integer, set_real, set_logical
    procedure, public :: set_order, set_signs, set_progress, set_communicator, read_matrix
    procedure, public :: analyse, factorize, factorize_distributed, refactorize, set_pivot_threshold
    procedure, public :: keep_analysis, save_analysis, load_analysis, factorize_with
    procedure, public :: inertia, rcond, figure, text, save, load, diagnose
    procedure, public :: selected_inverse, triangular_factors, symmetric_factors, make_half, make_schur
    procedure, private :: REALS(factorize_dense), COMPLEXES(factorize_dense)
    generic, public :: factorize_dense => REALS(factorize_dense), &
                                          COMPLEXES(factorize_dense)
    procedure, private :: REALS(determinant), COMPLEXES(determinant)
    generic, public :: determinant => REALS(determinant), &
                                      COMPLEXES(determinant)
    procedure, private :: REALS(null_space), COMPLEXES(null_space)
    generic, public :: null_space => REALS(null_space), &
                                     COMPLEXES(null_space)
    procedure, private :: REALS(inverse_entries), COMPLEXES(inverse_entries)
    generic, public :: inverse_entries => REALS(inverse_entries), &
                                          COMPLEXES(inverse_entries)
    procedure, private :: REALS(inverse_diagonal), &
                          COMPLEXES(inverse_diagonal)
    generic, public :: inverse_diagonal => REALS(inverse_diagonal), &
                                           COMPLEXES(inverse_diagonal)
    procedure, private :: REALS(schur_matrix), COMPLEXES(schur_matrix)
    generic, public :: schur_matrix => REALS(schur_matrix), &
                                       COMPLEXES(schur_matrix)
    procedure, private :: REALS(factorize_batch), COMPLEXES(factorize_batch)
    generic, public :: factorize_batch => REALS(factorize_batch), &
                                          COMPLEXES(factorize_batch)
    procedure, private :: REALS(refactorize_batch), &
                          COMPLEXES(refactorize_batch)
    generic, public :: refactorize_batch => REALS(refactorize_batch), &
                                            COMPLEXES(refactorize_batch)
    procedure, private :: REALS(solve), COMPLEXES(solve)
    procedure, private :: REALS(solve_many), COMPLEXES(solve_many)
    generic, public :: solve => REALS(solve), &
                                COMPLEXES(solve), &
                                REALS(solve_many), &
                                COMPLEXES(solve_many)
    procedure, private :: REALS(solve_from), COMPLEXES(solve_from)
    procedure, private :: REALS(solve_from_many), COMPLEXES(solve_from_many)
    generic, public :: solve_from => REALS(solve_from), &
                                     COMPLEXES(solve_from), &
                                     REALS(solve_from_many), &
                                     COMPLEXES(solve_from_many)
    procedure, private :: REALS(apply), COMPLEXES(apply)
    procedure, private :: REALS(apply_many), COMPLEXES(apply_many)
    generic, public :: apply => REALS(apply), &
                                COMPLEXES(apply), &
                                REALS(apply_many), &
                                COMPLEXES(apply_many)
    procedure, private :: REALS(solve_sparse), COMPLEXES(solve_sparse)
    procedure, private :: REALS(solve_sparse_many), &
                          COMPLEXES(solve_sparse_many)
    generic, public :: solve_sparse => REALS(solve_sparse), &
                                       COMPLEXES(solve_sparse), &
                                       REALS(solve_sparse_many), &
                                       COMPLEXES(solve_sparse_many)
    procedure, private :: REALS(substitute), COMPLEXES(substitute)
    procedure, private :: REALS(substitute_many), COMPLEXES(substitute_many)
    generic, public :: substitute => REALS(substitute), &
                                     COMPLEXES(substitute), &
                                     REALS(substitute_many), &
                                     COMPLEXES(substitute_many)
    procedure, private :: REALS(half_apply), COMPLEXES(half_apply)
    procedure, private :: REALS(half_apply_many), COMPLEXES(half_apply_many)
    generic, public :: half_apply => REALS(half_apply), &
                                     COMPLEXES(half_apply), &
                                     REALS(half_apply_many), &
                                     COMPLEXES(half_apply_many)
    procedure, private :: REALS(schur_condense), COMPLEXES(schur_condense)
    procedure, private :: REALS(schur_condense_many), &
                          COMPLEXES(schur_condense_many)
    generic, public :: schur_condense => REALS(schur_condense), &
                                         COMPLEXES(schur_condense), &
                                         REALS(schur_condense_many), &
                                         COMPLEXES(schur_condense_many)
    procedure, private :: REALS(schur_expand), COMPLEXES(schur_expand)
    procedure, private :: REALS(schur_expand_many), &
                          COMPLEXES(schur_expand_many)
    generic, public :: schur_expand => REALS(schur_expand), &
                                       COMPLEXES(schur_expand), &
                                       REALS(schur_expand_many), &
                                       COMPLEXES(schur_expand_many)
    procedure, private :: REALS(solve_batch), COMPLEXES(solve_batch)
    procedure, private :: REALS(solve_batch_many), &
                          COMPLEXES(solve_batch_many)
    generic, public :: solve_batch => REALS(solve_batch), &
                                      COMPLEXES(solve_batch), &
                                      REALS(solve_batch_many), &
                                      COMPLEXES(solve_batch_many)
    procedure, private :: REALS(solve_rows), COMPLEXES(solve_rows)
    procedure, private :: REALS(solve_rows_many), COMPLEXES(solve_rows_many)
    generic, public :: solve_distributed => REALS(solve_rows), &
                                            COMPLEXES(solve_rows), &
                                            REALS(solve_rows_many), &
                                            COMPLEXES(solve_rows_many)
    procedure, private :: assemble_entries_float32_int32, assemble_entries_float64_int32, &
                          assemble_entries_complex64_int32, assemble_entries_complex128_int32
    procedure, private :: assemble_entries_float32_int64, assemble_entries_float64_int64, &
                          assemble_entries_complex64_int64, assemble_entries_complex128_int64
    generic, public :: assemble_entries => assemble_entries_float32_int32, &
                                           assemble_entries_float64_int32, &
                                           assemble_entries_complex64_int32, &
                                           assemble_entries_complex128_int32, &
                                           assemble_entries_float32_int64, &
                                           assemble_entries_float64_int64, &
                                           assemble_entries_complex64_int64, &
                                           assemble_entries_complex128_int64
    procedure, private :: assemble_elements_float32_int32, assemble_elements_float64_int32, &
                          assemble_elements_complex64_int32, assemble_elements_complex128_int32
    procedure, private :: assemble_elements_float32_int64, assemble_elements_float64_int64, &
                          assemble_elements_complex64_int64, assemble_elements_complex128_int64
    generic, public :: assemble_elements => assemble_elements_float32_int32, &
                                            assemble_elements_float64_int32, &
                                            assemble_elements_complex64_int32, &
                                            assemble_elements_complex128_int32, &
                                            assemble_elements_float32_int64, &
                                            assemble_elements_float64_int64, &
                                            assemble_elements_complex64_int64, &
                                            assemble_elements_complex128_int64
    final :: forget_listener
  end type

  !> Columns of numbers in memory, one after the other.
  type :: columns
    type(c_ptr) :: at
    integer(c_int64_t) :: rows, count
  end type

  interface
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

  !> 'ok', 'singular', ...; '' for a number that is no status.
  function olp_status_name(status) result(text)
    integer, intent(in) :: status
    character(:), allocatable :: text
    text = from_c(c_status_name(int(status, c_int)))
  end function

  integer function create(self) result(status)
    class(olp_solver), intent(inout) :: self
    call self%destroy()
    status = olp_create(self%handle)
    self%free => olp_destroy
  end function

  subroutine destroy_solver(self)
    class(olp_solver), intent(inout) :: self
    call self%owned%destroy()
    if (associated(self%listener)) deallocate (self%listener)
  end subroutine

  subroutine forget_listener(self)
    type(olp_solver), intent(inout) :: self
    if (associated(self%listener)) deallocate (self%listener)
  end subroutine

  subroutine destroy(self)
    class(owned), intent(inout) :: self
    if (c_associated(self%handle)) call self%free(self%handle)
    self%handle = c_null_ptr
  end subroutine

  subroutine take_nothing(self, other)
    class(owned), intent(inout) :: self
    class(owned), intent(in) :: other
    if (.not. c_associated(self%handle, other%handle)) call self%destroy()
  end subroutine

  subroutine finalize(self)
    type(owned), intent(inout) :: self
    call self%destroy()
  end subroutine

  !> One sentence on the last call that did not return olp_ok.
  function message(self) result(text)
    class(olp_solver), intent(in) :: self
    character(:), allocatable :: text
    text = from_c(c_message(self%handle))
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

  !> The signs of the pivots for option factorization 'quasidefinite', +1 or -1 each.
  integer function set_signs(self, signs) result(status)
    class(olp_solver), intent(in) :: self
    integer, intent(in) :: signs(:)
    status = olp_set_signs(self%handle, size(signs, kind=c_int64_t), int(signs, c_int))
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
    if (is_whole(self, A, status)) status = olp_analyse(self%handle, A)
  end function

  !> Under MPI A is that of rank 0; on the others a type(olp_matrix) with value_type set will do.
  integer function factorize(self, A) result(status)
    class(olp_solver), intent(in) :: self
    type(olp_matrix), intent(in) :: A
    if (is_whole(self, A, status)) status = olp_factorize(self%handle, A)
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

  !> The option pivot_threshold of later calls of refactorize.
  integer function set_pivot_threshold(self, threshold) result(status)
    class(olp_solver), intent(in) :: self
    real(c_double), intent(in) :: threshold
    status = olp_set_pivot_threshold(self%handle, threshold)
  end function

  !> How many eigenvalues of a symmetric or Hermitian matrix are above, below and equal to zero.
  integer function inertia(self, positive, negative, zero) result(status)
    class(olp_solver), intent(in) :: self
    integer(c_int64_t), intent(out), target :: positive, negative, zero
    status = olp_inertia(self%handle, c_loc(positive), c_loc(negative), c_loc(zero))
  end function

  !> 1 / (||A||_1 ||A^-1||_1), estimated.
  integer function rcond(self, value) result(status)
    class(olp_solver), intent(in) :: self
    real(c_double), intent(out), target :: value
    status = olp_rcond(self%handle, c_loc(value))
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
    real(c_double), intent(out), target :: value
    status = olp_figure(self%handle, to_c(name), c_loc(value))
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

#include "parts.inc"

! What is written once and compiled for each kind of numbers.
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
  integer function solve_columns(self, value_type, b, x, op, first) result(status)
    class(olp_solver), intent(in) :: self
    integer(c_int), intent(in) :: value_type
    type(columns), intent(in) :: b, x
    integer, intent(in), optional :: op
    integer(c_int64_t), intent(in), optional :: first
    if (.not. are_alike(self, b, x, status)) return
    if (present(first)) then
      status = olp_solve_distributed(self%handle, value_type, op_of(op), first, b%rows, x%count, b%at, b%rows, x%at, x%rows)
    else
      status = olp_solve(self%handle, value_type, op_of(op), x%count, b%at, b%rows, x%at, x%rows)
    end if
  end function

  integer(c_int) function op_of(op)
    integer, intent(in), optional :: op
    op_of = choice_of(op, olp_no_trans)
  end function

  integer(c_int) function choice_of(given, else_this)
    integer, intent(in), optional :: given
    integer, intent(in) :: else_this
    choice_of = else_this
    if (present(given)) choice_of = given
  end function

  !> Have b and x as many columns? Under MPI b may be empty.
  logical function are_alike(self, b, x, status)
    class(olp_solver), intent(in) :: self
    type(columns), intent(in) :: b, x
    integer, intent(out) :: status
    are_alike = b%rows == 0
    status = olp_ok
    if (.not. are_alike) are_alike = fits(self, 'the number of columns of b', b%count, x%count, status)
  end function

  !> Is a size what it has to be? If not, the call is refused.
  logical function fits(self, name, has, needs, status)
    class(olp_solver), intent(in) :: self
    character(*), intent(in) :: name
    integer(c_int64_t), intent(in) :: has, needs
    integer, intent(out) :: status
    character(80) :: numbers
    fits = has == needs
    status = olp_ok
    if (fits) return
    write (numbers, '(a, i0, a, i0)') ' is ', has, '; give ', needs
    status = olp_refuse(self%handle, to_c(name // trim(numbers)))
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
    if (.not. c_associated(chars)) then
      text = ''
      return
    end if
    call c_f_pointer(chars, c, [strlen(chars)])
    allocate (character(size(c)) :: text)
    do i = 1, size(c)
      text(i:i) = c(i)
    end do
  end function

end module overlapack
