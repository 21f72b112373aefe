"""The parts of bench/sparse_compare: matrices, idle gate, solvers, measurement with its store, report."""
