"""chem_like: a chemical plant. It stands for no matrix of paper 1, but for the family of matrices of process simulation.

Units of 30 unknowns, of which each has its equations, is fed by two others at random, and shares 100 balances with all; then the
equations in a random order. Alike: entries over sixteen orders of magnitude, next to nothing on the diagonal, hardly any
symmetry, little fill. Not alike: values and feeds are random, where a plant's come from thermodynamics and a flow sheet.
Order 18,100, 116,344 entries, structural symmetry 0.00, 18,093 zeros on the diagonal."""
import numpy as np

from .entries import Entries

BALANCES = 100
COUPLINGS = 3000  # of the balances with the units, each way


def add_unit(entries, random, first, size, count):
    """Equations of the unit of unknowns first, first + 1, ..., among themselves and with two of the `count` units."""
    entries.add(first + random.integers(0, size, 5 * size), first + random.integers(0, size, 5 * size),
                random.standard_normal(5 * size) * 10.0 ** random.uniform(-6, 6, 5 * size))
    # an entry in each row and column, so that the unit is not singular
    entries.add(first + np.arange(size), first + random.permutation(size), random.uniform(0.5, 2, size) * 10.0 ** random.uniform(-3, 3))
    for feeder in random.integers(0, count, 2):
        third = size // 3
        entries.add(first + random.integers(0, size, third), feeder * size + random.integers(0, size, third), random.standard_normal(third))


def chem_like(seed, count=600, size=30):
    random = np.random.default_rng(seed)
    inner = count * size
    entries = Entries()
    for unit in range(count):
        add_unit(entries, random, unit * size, size, count)
    balances = inner + np.arange(BALANCES)
    balance, row, column, other_balance = (random.integers(0, limit, COUPLINGS) for limit in (BALANCES, inner, inner, BALANCES))
    entries.add(balances, balances, np.ones(BALANCES))
    entries.add(balances[balance], column, random.standard_normal(COUPLINGS))
    entries.add(row, balances[other_balance], random.standard_normal(COUPLINGS))
    A = entries.matrix(inner + BALANCES)
    return A.tocsr()[random.permutation(A.shape[0])]
