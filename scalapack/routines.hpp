#pragma once
#include "arguments.hpp"

namespace overlapack::scalapack {

/// sub(A) = P L U. Returns info as p?getrf has it.
/// Shapes  local: this process's part of A; ipiv: LOCr(M_A) + MB_A
/// Errors  NotServed where sub(A) begins inside of a block, or blocks are not square; see run
template <class T>
int getrf(int m, int n, T* local, int ia, int ja, dist::DescriptorView descriptor, int* ipiv);

/// op(sub(A)) X = sub(B), with A and ipiv from getrf. Returns info as p?getrs has it.
template <class T>
int getrs(char trans, int n, int nrhs, T* local_a, int ia, int ja, dist::DescriptorView descriptor_a,
          int* ipiv, T* local_b, int ib, int jb, dist::DescriptorView descriptor_b);

/// Both. Returns info as p?gesv has it.
template <class T>
int gesv(int n, int nrhs, T* local_a, int ia, int ja, dist::DescriptorView descriptor_a, int* ipiv,
         T* local_b, int ib, int jb, dist::DescriptorView descriptor_b);

/// sub(A) = L L^H, L in its lower triangle, or U^H U; what is on the other side of the diagonal stays. Returns info as p?potrf has it.
/// Errors  as getrf
template <class T>
int potrf(char uplo, int n, T* local, int ia, int ja, dist::DescriptorView descriptor);

/// sub(A) X = sub(B), with A from potrf (p?potrs), or with A itself, which is factorised before (p?posv).
template <class T>
int potrs(char uplo, int n, int nrhs, T* local_a, int ia, int ja, dist::DescriptorView descriptor_a,
          T* local_b, int ib, int jb, dist::DescriptorView descriptor_b, bool factorizes);

}  // namespace overlapack::scalapack
