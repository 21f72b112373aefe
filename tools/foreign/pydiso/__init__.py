"""In the place of pydiso: overlapack where that calls MKL's pardiso."""
