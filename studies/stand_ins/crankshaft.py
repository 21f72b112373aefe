"""bmwcra_like and crankseg_like: a crankshaft of bricks, and a segment of one. Lengths in units of about
a journal's radius; Young's modulus 1, disturbed from brick to brick by 30 %; Poisson's ratio 0.3; fixed at one end. Symmetric positive definite.

bmwcra_like, in the place of BMWCR1_1 (order 148,770, 5,396,386 entries of the lower triangle): four throws, bricks of 8 nodes.
Alike: three displacements a node, a long solid whose cross sections are small, 71 entries a row (the paper's 72).
Not alike: the part is made of equal cubes, so that its surface goes in steps.
Order 144,108, 10,161,000 entries in all.

crankseg_like, in the place of CRANKSG2 (order 63,838, 7,106,348 entries of the lower triangle): one throw, bricks of 27 nodes.
Alike: a compact solid with long rows, 140 entries. Not alike: the paper's have 222; the surface goes in steps.
Order 58,968, 8,247,358 entries in all."""
import numpy as np

from .bricks import solid


def crankshaft(brick, throws):
    """Which bricks of an edge `brick` are filled: journals on the x axis, pins off it, and webs with counterweights between them."""
    from scipy.ndimage import label

    length = throws * 4.0 + 1
    along, across = (np.arange(*limits, brick) + brick / 2 for limits in ((0, length), (-3.2, 3.2)))
    X, Y, Z = np.meshgrid(along, across, across, indexing="ij")
    is_filled = np.zeros(X.shape, bool)
    journal = Y**2 + Z**2 < 0.95**2
    for throw in range(throws):
        angle, begin = np.pi * (throw in (1, 2)), 1 + 4 * throw
        y, z = 1.3 * np.cos(angle), 1.3 * np.sin(angle)
        is_filled |= (X >= begin - 1) & (X < begin) & journal
        is_filled |= (X >= begin + 1) & (X < begin + 2) & ((Y - y) ** 2 + (Z - z) ** 2 < 0.85**2)  # the pin
        for side in (begin, begin + 2):
            is_web = (X >= side) & (X < side + 1)
            is_filled |= is_web & (((Y - 0.3 * y) ** 2 / 2.6 + (Z - 0.3 * z) ** 2 / 1.6) < 1.2) & (Y * np.sign(y) > -1.3)
            is_filled |= is_web & (Y**2 + Z**2 < 2.6**2) & (Y * np.sign(y) < -0.2) & (abs(Z) < 2.2)  # the counterweight
    is_filled |= (X >= length - 2) & journal
    pieces, _ = label(is_filled)
    return pieces == np.argmax(np.bincount(pieces.ravel())[1:]) + 1


def crank(seed, brick, throws, order):
    is_filled = crankshaft(brick, throws)
    modulus = np.exp(0.3 * np.random.default_rng(seed).standard_normal(is_filled.shape))
    return solid(is_filled, order, modulus, lambda coordinates: coordinates[:, 0] < 0.5)


def bmwcra_like(seed, brick=0.152):
    return crank(seed, brick, throws=4, order=1)


def crankseg_like(seed, brick=0.26):
    return crank(seed, brick, throws=1, order=2)
