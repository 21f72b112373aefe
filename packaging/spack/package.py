# The recipe of a Spack repository: packages/overlapack/package.py. In the folder of the sources `spack dev-build overlapack@main` builds these;
# tools/release writes a copy that fetches the sdist, once there is an address to fetch it from (packaging/public_address.py).
from spack.package import *


class Overlapack(CMakePackage):
    """Parallel sparse and dense linear solvers whose communication never stalls the computation: multifrontal and
    supernodal factorisation, dense LU, Cholesky and QR, and Jacobi's method, on threads and under MPI."""

    license("BSD-3-Clause")
    version("main")

    variant("mpi", default=True, description="build the plugin for MPI, loaded under mpirun only")
    variant("simgrid", default=False, description="build what `overlapack simulate` starts")
    variant("scotch", default=False, description="one more ordering, under CeCILL-C")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("ninja", type="build")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("blas")
    depends_on("metis@5:")
    depends_on("suite-sparse")
    depends_on("zlib-api")
    depends_on("mpi", when="+mpi")
    depends_on("simgrid", when="+simgrid")
    depends_on("scotch", when="+scotch")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("OVERLAPACK_TESTS", False),
            self.define("CMAKE_UNITY_BUILD", True),
            self.define_from_variant("OVERLAPACK_MPI", "mpi"),
            self.define_from_variant("OVERLAPACK_SMPI", "simgrid"),
            self.define_from_variant("OVERLAPACK_SCOTCH", "scotch"),
        ]
