#pragma once
#include "arguments.hpp"

namespace overlapack::scalapack {

/// Factorise sub(A) = P L U. Returns info as p?getrf does.
/// Shapes  local: this process's part of A; ipiv: LOCr(M_A) + MB_A
/// Errors  NotServed if sub(A) begins inside a block, or blocks are not square; as run
template <class T>
int getrf(int m, int n, T* local, int ia, int ja, dist::DescriptorView descriptor, int* ipiv);

/// Solve op(sub(A)) X = sub(B), with A and ipiv from getrf. Returns info as p?getrs does.
template <class T>
int getrs(char trans, int n, int nrhs, T* local_a, int ia, int ja, dist::DescriptorView descriptor_a,
          int* ipiv, T* local_b, int ib, int jb, dist::DescriptorView descriptor_b);

/// Factorise and solve: getrf and getrs in one. Returns info as p?gesv does.
template <class T>
int gesv(int n, int nrhs, T* local_a, int ia, int ja, dist::DescriptorView descriptor_a, int* ipiv,
         T* local_b, int ib, int jb, dist::DescriptorView descriptor_b);

/// Factorise sub(A) = L L^H in its lower triangle, or U^H U in its upper one. The other triangle does not change. Returns info as p?potrf does.
/// Errors  as getrf
template <class T>
int potrf(char uplo, int n, T* local, int ia, int ja, dist::DescriptorView descriptor);

/// Solve sub(A) X = sub(B), with A from potrf (p?potrs), or with A itself, which is factorised first (p?posv).
template <class T>
int potrs(char uplo, int n, int nrhs, T* local_a, int ia, int ja, dist::DescriptorView descriptor_a,
          T* local_b, int ib, int jb, dist::DescriptorView descriptor_b, bool factorizes);

}  // namespace overlapack::scalapack
