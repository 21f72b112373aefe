"""The functions of the package."""
from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Optional, overload

import numpy as np

from . import _core, _files
from ._dense import QrFactorization, WholeCholesky, solve_by_lu
from ._errors import BadInput, BadPlan
from ._factors import DirectFactors, Factors, operation, warn_of_answer
from ._matrix import (
    Columns,
    Entries,
    Triangle,
    columns,
    dense_matrix,
    entries,
    mirrored,
    no_columns,
    right_hand_sides,
    triangle_of,
    whole_numbers,
    working_type,
)
from ._ranks import Described, Facts, Ranks, described, given_columns, given_matrix, no_right_hand_sides, type_for
from ._report import Report
from ._settings import settings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options

#: a triangle of a matrix, or none of them
_Half = Optional[Literal["upper", "lower"]]


@overload
def solve(
    A: Any, b: Any, *, report: Literal[False] = False, distributed: bool = False, symmetric: _Half = None, hermitian: _Half = None,
    **options: Unpack[Options]
) -> np.ndarray: ...
@overload
def solve(
    A: Any, b: Any, *, report: Literal[True], distributed: bool = False, symmetric: _Half = None, hermitian: _Half = None,
    **options: Unpack[Options]
) -> tuple[np.ndarray, Report]: ...
def solve(
    A: Any, b: Any, *, report: bool = False, distributed: bool = False, symmetric: Any = None, hermitian: Any = None, **options: Any
) -> Any:
    """Solve A x = b.

    A: a square SciPy sparse array or matrix of any format, whose duplicate entries are summed; or a dense array, or
       anything that NumPy reads as one, which is solved by dense LU, or with factorization="cholesky" or "qr" by these.
       method="dense" and method="multifrontal" treat either as the other; method="jacobi" and method="multisplitting"
       iterate with the option `tolerance`. Neither A nor b is changed. Stored zeros are left out, which saves what they fill in.
    b: n numbers, or n x k for k right-hand sides.
    report: return (x, report) instead of x.
    distributed: A is this rank's entries of a matrix that all ranks have together, as for `factorize`.
    symmetric, hermitian: the triangle of A that is read, as for `factorize`.
    options: the keywords of docs/options.md (ranks=4, ordering="metis", ...), and those of `factorize`.

    x has b's shape and the type that A and b promote to; integers count as float64.
    Under mpirun every rank calls solve: rank 0's A and b are used; the others give None, or arrays of the same type and shape
    (a script that all ranks run does). x is returned on every rank. What one rank refuses, all refuse.

    Raises Singular, BadInput, BadPlan, OutOfMemory, Cancelled, CommFailure; warns InaccurateWarning when the backward
    error stays above the option `accuracy`, or an iteration does not reach its tolerance (the best x known is returned).
    """
    used = settings(**options)
    ranks = Ranks(used)
    method = options.get("method", "auto")

    def look() -> tuple[Facts, Any]:
        is_dense = method == "dense" or (method == "auto" and not hasattr(A, "tocsc"))
        facts, held = _given(ranks, A, distributed, triangle_of(symmetric, hermitian), is_dense)
        of_b, B = given_columns(ranks, b, None if held is None else held.shape[0])
        return {**facts, **of_b}, (held, B)

    facts, (held, B) = ranks.agree(look)
    factors: Factors
    if distributed:
        factors = Factorization._of_parts(held.astype(type_for(described(held), facts["b"])), used, ranks)
    elif facts["A as"] == "dense":
        kind = {"cholesky": WholeCholesky, "qr": QrFactorization}.get(options.get("factorization", "auto"))
        if kind is None:
            return solve_by_lu(held, facts["A"], facts["b"], B, used, report)
        factors = kind.of_whole(held, facts["A"], facts["b"], used, ranks)
    else:
        A_held = _typed(held, facts["A"], facts["b"])
        is_iterative = method in ("jacobi", "multisplitting")
        factors = _Iteration(A_held, used, ranks) if is_iterative else Factorization(A_held.without_zeros(), used, ranks)
    x = factors._solved(facts["b"], B)
    return (x, factors.report) if report else x


def _given(ranks: Ranks, A: Any, distributed: bool, triangle: Triangle | None, is_dense: bool = False) -> tuple[Facts, Any]:
    """For `Ranks.agree`: what the matrix is, and Entries, Columns or, with is_dense, an array of it."""
    if distributed:
        return {"distributed": True}, entries(A, triangle)
    facts: Facts = {"distributed": False, "A as": None, "A": None}
    if not ranks.looks_at(A):
        return facts, None
    read = dense_matrix if is_dense else columns
    facts["A as"] = "dense" if is_dense else "sparse"
    of_A, held = given_matrix(ranks, mirrored(A, triangle), read)
    return {**facts, **of_A}, held


def _typed(held: Columns | None, A: Described, b: Described | None = None) -> Columns:
    """The matrix in the type of the factors that serve b; A: as rank 0 has it, held: this rank's, if it has one."""
    dtype = type_for(A, b)
    return no_columns(A[0], dtype) if held is None else held.astype(dtype)


def factorize(
    A: Any, *, distributed: bool = False, symmetric: _Half = None, hermitian: _Half = None, **options: Unpack[Options]
) -> Factorization:
    """Factorise A once, to solve with it often: factorize(A).solve(b).

    symmetric: "upper" or "lower": only this triangle of A is read, and the other one is taken as its mirror image, whatever A has
       there. hermitian: the same, conjugated; imaginary parts on the diagonal are not read. `refactorize` reads the same triangle.

    distributed: A is a SciPy sparse array that holds this rank's entries, with the indices and the shape of the whole matrix;
       entries at one place are summed, also across ranks, and a rank may have none. No rank ever holds all of them. Without
       mpirun, a list of such arrays stands for as many ranks. See `solve_part` for right-hand sides that are distributed, too.

    Besides the keywords of docs/options.md:
    user_order: the variables in the order in which they are eliminated (ordering="user").
    progress: called about 20 times a second as progress(phase, share); a true answer stops the run (Cancelled).
    comm: an mpi4py communicator for engine="mpi"; MPI_COMM_WORLD without it.

    Ctrl-C raises KeyboardInterrupt, on all ranks of this process.
    """
    used = settings(**options)
    ranks = Ranks(used)
    triangle = None

    def look() -> tuple[Facts, Any]:
        nonlocal triangle
        if options.get("method") == "dense":
            raise BadPlan('method="dense" makes no sparse factors; call lu_factor, cholesky_factor or qr_factor, or '
                          'solve(A, b, method="dense")', "python")
        triangle = triangle_of(symmetric, hermitian)
        return _given(ranks, A, distributed, triangle)

    facts, held = ranks.agree(look)
    if distributed:
        factors = Factorization._of_parts(held.astype(working_type(held.dtype)), used, ranks)
    else:
        factors = Factorization(_typed(held, facts["A"]), used, ranks)
    factors._triangle = triangle
    return factors


def _csc_array(rows: int, cols: int, start: np.ndarray, row: np.ndarray, value: np.ndarray) -> Any:
    from scipy import sparse

    make = getattr(sparse, "csc_array", sparse.csc_matrix)
    return make((value, row, start), shape=(rows, cols))


def read_matrix(path: Any) -> Any:
    """A matrix from a file, as a scipy.sparse.csc_array: Matrix Market, Harwell- or Rutherford-Boeing, .npz, .mat; also .gz, .bz2, .xz,
    .zst (Python 3.14), and .zip of one file.
    """
    rows, cols, start, row, value, assumed = _files.read(str(path))
    if assumed:
        warnings.warn(f"{path}: {assumed}", stacklevel=2)
    return _csc_array(rows, cols, start, row, value)


def plan(A: Any, *, symmetric: _Half = None, hermitian: _Half = None, **options: Unpack[Options]) -> Report:
    """What `factorize` would do, without doing it: ordering, predicted flops, fill and memory. Under mpirun each rank asks for itself."""
    held = columns(mirrored(A, triangle_of(symmetric, hermitian)))
    held = held.astype(working_type(held.dtype))
    return Report(json.loads(_core.plan(*_arguments(held), settings=settings(collective=False, **options))))


class TriangularFactors(NamedTuple):
    """A[argsort(perm_r)][:, argsort(perm_c)] = L @ U, as of scipy.sparse.linalg.SuperLU: row i of A is row perm_r[i] of L, column j
    column perm_c[j] of U; L has ones on its diagonal. L and U are scipy.sparse.csc_array."""

    L: Any
    U: Any
    perm_r: np.ndarray
    perm_c: np.ndarray


class Factorization(DirectFactors):
    """The factors of a sparse matrix; made by `factorize`."""

    def __init__(self, A: Columns, settings: _core.Settings, ranks: Ranks) -> None:
        super().__init__(_core.factorize(*_arguments(A), settings=settings), A.shape, A.data.dtype, ranks)

    _is_distributed = False
    _triangle: Triangle | None = None  #: of the matrix, that is read
    _triangles: TriangularFactors | None = None

    @classmethod
    def _of(cls, factors: Any, shape: tuple[int, int], dtype: np.dtype, ranks: Ranks) -> Factorization:
        self = cls.__new__(cls)
        Factors.__init__(self, factors, shape, dtype, ranks)
        return self

    @classmethod
    def _of_parts(cls, A: Entries, settings: _core.Settings, ranks: Ranks) -> Factorization:
        self = cls._of(_core.factorize_distributed(*_list_arguments(A), settings=settings), A.shape, A.dtype, ranks)
        self._is_distributed = True
        return self

    def _call_solve(self, B: np.ndarray, op: int) -> tuple[np.ndarray, str, bool]:
        return self._factors.solve(B, op)

    def solve_part(self, b: Any, rows: Any, wanted: Any = "blocks", trans: str | int = "N") -> tuple[np.ndarray, np.ndarray]:
        """(x, its rows) of this rank, for right-hand sides whose rows are on the ranks; called by all of them.

        b: the values of `rows`, numbers, or len(rows) x k for k right-hand sides; of a type that the factors' type holds.
        rows: which rows of the whole they are; each row of the matrix is given by one rank. A rank may have none.
        wanted: which rows of x come back here: "blocks": rank r of p gets rows r n / p to (r + 1) n / p - 1; "first": rank 0
           gets all; "all": every rank gets all; or an array of row numbers, each rank its own.
        """
        places = ["blocks", "first", "all"]
        is_named = not isinstance(wanted, str)

        def look() -> tuple[Facts, Any]:
            given = whole_numbers(rows, "rows").ravel()
            B = right_hand_sides(b, len(given))
            if B.dtype.kind == "c" and self.dtype.kind != "c":
                raise BadInput("the part of b is complex, but the matrix is real; solve for its two parts one by one", "python")
            if isinstance(wanted, str) and wanted not in places:
                raise BadPlan(f'wanted is "{wanted}"; give "blocks", "first", "all" or row numbers', "python")
            chosen = whole_numbers(wanted, "wanted").ravel() if is_named else np.zeros(0, dtype=np.int64)
            facts = {"wanted": "rows" if is_named else wanted, "trans": operation(trans)}
            return facts, (np.ascontiguousarray(given), B, np.ascontiguousarray(chosen))

        facts, (given, B, chosen) = self._ranks.agree(look)
        values = np.asfortranarray(B, dtype=self.dtype).ravel(order="F")
        x_rows, x, warning, is_answer = self._factors.solve_distributed(
            given, values, facts["trans"], len(places) if is_named else places.index(wanted), chosen
        )
        warn_of_answer(warning, is_answer)
        X = x.reshape((len(x_rows), -1 if len(x_rows) else B.shape[1]), order="F")
        return (X[:, 0] if np.ndim(b) == 1 else X), x_rows

    def refactorize(self, A: Any) -> Factorization:
        """Factorise another matrix with A's pattern: no analysis, and no new memory unless more pivots are delayed. Returns these factors.

        A: as for `factorize` (after distributed=True a part), with entries (zeros, too) at the same places; of a type that the factors' type
           holds. Under mpirun rank 0's, as for `solve`.
        Raises BadInput for another pattern or symmetry: then the old factors stay. After Singular there are none.
        """
        self._triangles = None

        def look() -> tuple[Facts, Any]:
            if self._is_distributed:
                facts: Facts = {}
                held: Any = entries(A, self._triangle)
            else:
                facts, held = given_matrix(self._ranks, A, lambda A: columns(mirrored(A, self._triangle), keeps_indices=True))
            if held is not None and held.dtype.kind == "c" and self.dtype.kind != "c":
                raise BadInput("A is complex, but the factors are real; call factorize", "python")
            return facts, held

        facts, held = self._ranks.agree(look)
        if self._is_distributed:
            self._factors.refactorize_distributed(*_list_arguments(held.astype(self.dtype)))
        else:
            A = no_columns(self.shape, self.dtype) if held is None else held.astype(self.dtype)
            self._factors.refactorize(*_arguments(A))
        return self

    def save(self, path: Any) -> None:
        """Write the factors and the matrix to a file for `load_factors`; under mpirun called by all ranks."""
        self._ranks.meet()
        self._factors.save(str(path))

    def null_space(self, trans: str | int = "N") -> np.ndarray:
        """An orthonormal basis of the x with A x = 0 (trans "T": A^T x = 0, "C": A^H x = 0), one a column; no columns unless
        null_pivots=True found A singular."""
        _, op = self._ranks.agree(lambda: ({"trans": operation(trans)}, operation(trans)))
        return self._factors.null_space(op).reshape((self.shape[0], -1), order="F")

    def triangular_factors(self) -> TriangularFactors:
        """L and U in one piece, with their permutations: made when they are asked for first, and kept until `refactorize`.

        Solving needs none of it. The factors are copied; where those at hand are not LU by fronts of one rank in memory (LDL^T of
        a symmetric matrix, say), A is factorised once more. Raises Singular where a pivot is zero; called by all ranks, empty on those but rank 0.
        """
        if self._triangles is None:
            self._ranks.meet()
            L, U, perm_r, perm_c = self._factors.triangular_factors()
            n = len(perm_r)
            self._triangles = TriangularFactors(_csc_array(n, n, *L), _csc_array(n, n, *U), perm_r, perm_c)
        return self._triangles

    @property
    def L(self) -> Any:
        """Of `triangular_factors`; so are U, perm_r and perm_c."""
        return self.triangular_factors().L

    @property
    def U(self) -> Any:
        return self.triangular_factors().U

    @property
    def perm_r(self) -> np.ndarray:
        return self.triangular_factors().perm_r

    @property
    def perm_c(self) -> np.ndarray:
        return self.triangular_factors().perm_c

    def inverse_entries(self, rows: Any, cols: Any) -> np.ndarray:
        """The entries (rows[k], cols[k]) of the inverse of A, without the others: one solve for each column that occurs."""

        def look() -> tuple[Facts, Any]:
            row, col = np.broadcast_arrays(whole_numbers(rows, "rows"), whole_numbers(cols, "cols"))
            return {"shape": list(row.shape)}, (np.ascontiguousarray(row.ravel()), np.ascontiguousarray(col.ravel()))

        facts, (row, col) = self._ranks.agree(look)
        return self._factors.inverse_entries(row, col).reshape(facts["shape"])

    @property
    def nnz(self) -> int:
        """Entries of the factors."""
        return int(self.report["factor_nnz"])

    def inertia(self) -> tuple[int, int, int]:
        """How many eigenvalues are positive, negative and zero, by the signs of the pivots; of a real symmetric or
        Hermitian matrix. Raises BadPlan for others."""
        return self._factors.inertia()

    def __repr__(self) -> str:
        if self._is_closed:
            return f"<overlapack.Factorization of a {self.shape[0]} x {self.shape[1]} matrix, {self.dtype}: closed>"
        report = self.report
        return (
            f"<overlapack.Factorization of a {self.shape[0]} x {self.shape[1]} matrix, {self.dtype}: "
            f"{report['factorization']}, {report['factor_nnz']} entries, {report['ranks']} ranks>"
        )


def load_factors(path: Any, **options: Unpack[Options]) -> Factorization:
    """Factors that `Factorization.save` wrote, on as many ranks as they had; options: as for `factorize`.

    Raises BadInput for a file that is not one of ours, of another version, cut short or changed.
    """
    used = settings(**options)
    ranks = Ranks(used)

    def look() -> tuple[Facts, str]:
        name = _core.type_of_factors(str(path))
        return {"type of the factors": name}, name

    _, name = ranks.agree(look)
    loaded = getattr(_core, f"load_factors_{name}")(str(path), settings=used)
    n = json.loads(loaded.report())["n"]
    return Factorization._of(loaded, (n, n), np.dtype(name.lower()), ranks)


class SchurComplement:
    """The Schur complement of some variables; made by `schur`."""

    def __init__(self, A: Columns, variables: np.ndarray, settings: _core.Settings, ranks: Ranks) -> None:
        self._ranks = ranks
        self._schur = _core.schur(*_arguments(A), variables=variables, settings=settings)
        self._n = A.shape[0]
        self.dtype = A.dtype
        values = self._schur.matrix()
        order = round(len(values) ** 0.5)
        #: S, a dense array in the order of the variables
        self.matrix = values.reshape((order, order), order="F")

    def condense(self, b: Any) -> np.ndarray:
        """b_v - A_vi A_ii^-1 b_i: the right-hand side of S x_v = condense(b)."""
        facts, B = self._ranks.agree(lambda: self._given(b, self._n))
        return self._shaped(self._schur.condense(self._columns(facts, B)), facts, len(self.matrix))

    def expand(self, b: Any, x: Any) -> np.ndarray:
        """All of x from its part at the variables."""

        def look() -> tuple[Facts, Any]:
            (of_b, B), (of_x, X) = self._given(b, self._n), self._given(x, len(self.matrix), "x")
            if B is not None and X is not None and B.shape[1] != X.shape[1]:
                raise BadInput(f"b has {B.shape[1]} columns and x has {X.shape[1]}; give as many of each", "python")
            return {**of_b, **of_x}, (B, X)

        facts, (B, X) = self._ranks.agree(look)
        whole = self._schur.expand(self._columns(facts, B), self._columns(facts, X, "x"))
        return self._shaped(whole, facts, self._n)

    @property
    def report(self) -> Report:
        """The figures of the factorisation of the other variables' part and, after one, of its last solve."""
        return Report(json.loads(self._schur.report()))

    def _given(self, b: Any, rows: int, name: str = "b") -> tuple[Facts, np.ndarray | None]:
        facts, B = given_columns(self._ranks, b, rows, name)
        if B is not None and B.dtype.kind == "c" and self.dtype.kind != "c":
            raise BadInput("the right-hand side is complex, but the matrix is real; give its two parts one by one", "python")
        return facts, B

    def _columns(self, facts: Facts, B: np.ndarray | None, name: str = "b") -> np.ndarray:
        return np.asfortranarray(no_right_hand_sides(facts[name]) if B is None else B, dtype=self.dtype)

    @staticmethod
    def _shaped(values: np.ndarray, facts: Facts, rows: int) -> np.ndarray:
        X = values.reshape((rows, -1), order="F")
        return X[:, 0] if len(facts["b"][0]) == 1 else X


def schur(A: Any, variables: Any, **options: Unpack[Options]) -> SchurComplement:
    """S = A_vv - A_vi A_ii^-1 A_iv for some variables v, all others i eliminated; `matrix` is S as a dense array.

    A, options: as for `factorize`; variables: numbers from 0, S is in their order.
    A x = b is then solved by  x_v = solve(S.matrix, S.condense(b)),  x = S.expand(b, x_v).
    Costs a solve with the factors of A_ii for each variable.
    """
    used = settings(**options)
    ranks = Ranks(used)

    def look() -> tuple[Facts, Any]:
        facts, held = given_matrix(ranks, A, columns)
        chosen = whole_numbers(variables, "variables") if ranks.looks_at(variables) else np.zeros(0, dtype=np.int64)
        return facts, (held, np.ascontiguousarray(chosen.ravel()))

    facts, (held, chosen) = ranks.agree(look)
    return SchurComplement(_typed(held, facts["A"]), chosen, used, ranks)


class _Iteration(Factors):
    """A sparse matrix dealt to ranks that iterate on it."""

    def __init__(self, A: Columns, settings: _core.Settings, ranks: Ranks) -> None:
        super().__init__(_core.iteration(*_arguments(A), settings=settings), A.shape, A.data.dtype, ranks)

    def _call_solve(self, B: np.ndarray, operation: int) -> tuple[np.ndarray, str, bool]:
        return self._factors.solve(B)


def _list_arguments(A: Entries) -> tuple[int, int, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    return (*A.shape, A.counts, A.row, A.col, A.data)


def _arguments(A: Columns) -> tuple[int, int, np.ndarray, np.ndarray, np.ndarray]:
    return (*A.shape, A.indptr, A.indices, A.data)
