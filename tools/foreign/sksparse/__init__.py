"""In the place of scikit-sparse 0.4: what its cholmod module has that overlapack can do."""
