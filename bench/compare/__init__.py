"""The parts of bench/sparse_compare and, beside it in dense_*.py, of bench/dense_compare."""
