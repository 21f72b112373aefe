"""Writes the files beside it with SciPy and NumPy: python3 make_fixtures.py. The tests know the matrix by its formula."""
import numpy as np
import scipy.io
import scipy.sparse as sp

N = 6
present = np.array([[i == j or (2 * i + 3 * j) % 4 == 0 for j in range(N)] for i in range(N)])
row, col = np.nonzero(present)
real = (row + 1) + 0.25 * (col + 1)
imag = col - 0.5 * row


def matrix(dtype):
    value = real + 1j * imag if np.dtype(dtype).kind == "c" else np.floor(real) if np.dtype(dtype).kind == "i" else real
    return sp.coo_matrix((value.astype(dtype), (row, col)), shape=(N, N))


def save(name, A, compressed=True):
    sp.save_npz(name, A, compressed=compressed)


save("csr_float32.npz", matrix("f4").tocsr())
save("csc_float64_stored.npz", matrix("f8").tocsc(), compressed=False)
save("coo_complex64.npz", matrix("c8"))
save("csr_complex128.npz", matrix("c16").tocsr())
save("csc_int32.npz", matrix("i4").tocsc())
save("coo_int64_array.npz", sp.coo_array(matrix("i8")), compressed=False)
wide = matrix("f8").tocsr()
wide.indices, wide.indptr = wide.indices.astype("i8"), wide.indptr.astype("i8")
save("csr_wide_indices.npz", wide)
save("bsr.npz", matrix("f8").tobsr((2, 2)))
save("empty.npz", sp.csc_matrix((3, 3)))
np.save("vector.npy", real[:N])
np.save("columns_c.npy", (real[:N, None] + 1j * np.arange(3)).astype("c16"))
np.save("columns_fortran.npy", np.asfortranarray((real[:N, None] + np.arange(3)).astype("f4")))
np.save("big_endian.npy", real[:N].astype(">f8"))
scipy.io.hb_write("scipy.rua", matrix("f8").tocsc())
scipy.io.mmwrite("scipy_complex.mtx", matrix("c16"), precision=17)
