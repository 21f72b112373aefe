"""circuit_pl: a circuit with few nets that reach everything (a power law of degrees). It stands for no matrix of paper 1.

Modified nodal analysis: 96,000 voltages of nets in V, 3,000 currents of voltage sources in A; resistors of 0.1 to 1e6 ohm, mostly
between neighbours; transistors as sources of current that a voltage controls; sources to ground, whose rows have a zero diagonal.
Alike: circuits' degrees, conductances over seven orders, little fill but for the hubs. Not alike: no netlist is behind it.
Order 99,000, 472,416 entries, structural symmetry 0.90, 3,000 zeros on the diagonal."""
import numpy as np

from .entries import Entries

LEAK = 1e-12  # from each net to ground
HUB_SHARE = 0.06  # of the resistors go to a hub


def add_resistors(entries, random, nets):
    count = int(1.7 * nets)
    one = random.integers(0, nets, count)
    near = np.clip(one + random.geometric(0.02, count) * random.choice([-1, 1], count), 0, nets - 1)
    random.power(0.25, count)  # drawn and not used: it keeps the entries as they were when figures were made
    hubs = random.permutation(nets)
    hub = hubs[np.minimum((random.pareto(1.1, count) * 3).astype(int), nets - 1)]
    other = np.where(random.random(count) < HUB_SHARE, hub, near)
    is_resistor = one != other
    one, other = one[is_resistor], other[is_resistor]
    conductance = 10.0 ** random.uniform(-6, 1, len(one))
    for row, column, sign in ((one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1)):
        entries.add(row, column, sign * conductance)


def add_transistors(entries, random, nets):
    count = nets // 4
    drain = random.integers(0, nets, count)
    source = np.clip(drain + random.integers(-300, 300, count), 0, nets - 1)
    gate = np.clip(drain + random.integers(-20, 20, count), 0, nets - 1)
    gain = 10.0 ** random.uniform(-5, -1, count)
    entries.add(drain, gate, gain)
    entries.add(drain, source, -gain)


def circuit_pl(seed, nets=96000, sources=3000):
    random = np.random.default_rng(seed)
    entries = Entries()
    add_resistors(entries, random, nets)
    add_transistors(entries, random, nets)
    entries.add(np.arange(nets), np.arange(nets), np.full(nets, LEAK))
    grounded = random.choice(nets, nets // 50, replace=False)
    entries.add(grounded, grounded, 10.0 ** random.uniform(-3, 0, len(grounded)))
    fixed, current = random.choice(nets, sources, replace=False), nets + np.arange(sources)
    entries.add(fixed, current, np.ones(sources))
    entries.add(current, fixed, np.ones(sources))
    return entries.matrix(nets + sources)
