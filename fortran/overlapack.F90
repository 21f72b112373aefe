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

! The names of what is compiled for each kind of numbers.
#define PASTE(text) text
#define REALS(name) PASTE(name)_float32, PASTE(name)_float64
#define COMPLEXES(name) PASTE(name)_complex64, PASTE(name)_complex128

  !> A matrix of order n from the caller's arrays, which are declared `target`, are contiguous, and stay as they are until they are
  !> factorised.
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
  public :: olp_sparse, olp_arrays, olp_free_matrix, olp_version, olp_status_name, olp_has_solution

  !> The count of a matrix that olp_sparse was given slices with gaps for: they are no array of C.
  integer(c_int64_t), parameter :: has_gaps = -2

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

#include "solver.inc"
#include "parts.inc"
#include "helpers.inc"

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

end module overlapack
