#pragma once
#include "overlapack/scalar.hpp"

#include <complex>
#include <cstddef>
#include <mumps_c_types.h>
#include <string_view>
#include <type_traits>

/// The structs of the caller's MUMPS. There is one for each layout: versions 5.3 to 5.6, 5.7 and 5.8, and 5.9.
namespace overlapack::dropins::mumps {

/// The layout of a version such as "5.5.1". A layout is named by its first version, as 100 major + minor; 0: unknown.
constexpr int layout_of(std::string_view version) {
  if (version.size() < 4 || version.substr(0, 2) != "5." || version[3] != '.') return 0;
  const int minor = version[2] - '0';
  if (minor < 3 || minor > 9) return 0;
  return minor < 7 ? 503 : (minor < 9 ? 507 : 509);
}

/// The type of a member that a layout does not have.
template <int Which>
struct Nothing {};

/// [sdcz]MUMPS_STRUC_C of a layout, with MUMPS's names of the members. T: the type of its numbers.
template <class T, int Layout>
struct Struc {
  using Int = MUMPS_INT;
  using Long = MUMPS_INT8;
  using R = Real<T>;
  static constexpr bool has_local_scaling = Layout >= 507, has_deficiency = Layout < 509;
  template <bool IsThere, class Member, int Which>
  using If = std::conditional_t<IsThere, Member, Nothing<Which>>;
  struct LocalScaling {
    R *colsca_loc, *rowsca_loc;
    Int *rowind, *colind;
    T* pivots;
  };
  struct LocalPositions {
    Int *glob2loc_rhs, *glob2loc_sol;
  };
  static constexpr int path = Layout >= 507 ? 1024 : 256;

  Int sym, par, job, comm_fortran, icntl[60], keep[500];
  R cntl[15], dkeep[230];
  Long keep8[150];
  Int n, nblk, nz_alloc, nz;
  Long nnz;
  Int *irn, *jcn;
  T* a;
  Int nz_loc;
  Long nnz_loc;
  Int *irn_loc, *jcn_loc;
  T* a_loc;
  Int nelt, *eltptr, *eltvar;
  T* a_elt;
  Int *blkptr, *blkvar, *perm_in, *sym_perm, *uns_perm;
  R *colsca, *rowsca;
  Int colsca_from_mumps, rowsca_from_mumps;
  [[no_unique_address]] If<has_local_scaling, LocalScaling, 1> local_scaling;
  T *rhs, *redrhs, *rhs_sparse, *sol_loc, *rhs_loc;
  [[no_unique_address]] If<has_local_scaling, T*, 2> rhsintr;
  Int *irhs_sparse, *irhs_ptr, *isol_loc, *irhs_loc;
  [[no_unique_address]] If<has_local_scaling, LocalPositions, 3> local_positions;
  Int nrhs, lrhs, lredrhs, nz_rhs, lsol_loc, nloc_rhs, lrhs_loc;
  [[no_unique_address]] If<has_local_scaling, Int, 4> nsol_loc;
  Int schur_mloc, schur_nloc, schur_lld, mblock, nblock, nprow, npcol;
  [[no_unique_address]] If<has_local_scaling, Int, 5> ld_rhsintr;
  Int info[80], infog[80];
  R rinfo[40], rinfog[40];
  [[no_unique_address]] If<has_deficiency, Int, 6> deficiency;
  Int *pivnul_list, *mapping;
  [[no_unique_address]] If<has_local_scaling, R*, 7> singular_values;
  [[no_unique_address]] If<!has_deficiency, Int, 8> nb_singular_values;
  Int size_schur, *listvar_schur;
  T* schur;
  [[no_unique_address]] If<!has_local_scaling, Int, 9> instance_number;
  T* wk_user;
  char version_number[32], ooc_tmpdir[path], ooc_prefix[path / 4], write_problem[path];
  Int lwk_user;
  char save_dir[path], save_prefix[256];
  Int metis_options[40];
  [[no_unique_address]] If<has_local_scaling, Int, 10> last_instance_number;
};

// What C compilers make of zmumps_c.h of 5.9.1 where MUMPS_INT has 32 bits; the header that this is built with has its own check
// (exports.cpp).
using Newest = Struc<std::complex<double>, 509>;
static_assert(sizeof(MUMPS_INT) != 4 ||
              (sizeof(Newest) == 10920 && offsetof(Newest, nrhs) == 5736 && offsetof(Newest, info) == 5800 &&
               offsetof(Newest, size_schur) == 7108 && offsetof(Newest, version_number) == 7136));

}  // namespace overlapack::dropins::mumps
