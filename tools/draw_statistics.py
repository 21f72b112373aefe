#!/usr/bin/env python3
"""Draw the picture of docs/howto/statistics.md from the program on that page.

    tools/draw_statistics.py      writes docs/howto/pictures/statistics.svg; needs the installed package and matplotlib
"""
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

PAGE = Path(__file__).resolve().parent.parent / "docs/howto/statistics.md"
TITLES = {"truth": "truth, and what was measured", "mean": "estimate", "deviation": "its standard deviation", "sample": "a sample"}


def main() -> None:
    page: dict = {}
    exec(PAGE.read_text(encoding="utf-8").split("```python\n")[1].split("```\n")[0], page)
    side, places, truth = page["side"], page["places"], page["truth"]
    fields = {name: page[name] for name in ("truth", "mean", "deviation")} | {"sample": page["fields"][:, 0]}
    plt.rcParams["svg.hashsalt"] = "overlapack"
    figure, axes = plt.subplots(1, 4, figsize=(12, 3.2), layout="constrained")
    for axis, (name, values) in zip(axes, fields.items()):
        colours = {"vmin": 0, "cmap": "magma_r"} if name == "deviation" else {"vmin": truth.min(), "vmax": truth.max()}
        image = axis.imshow(values.reshape(side, side), interpolation="nearest", **colours)
        axis.set(xticks=[], yticks=[], title=TITLES[name])
        figure.colorbar(image, ax=axis, shrink=0.8)
    axes[0].plot(places % side, places // side, ".", color="white", markersize=2.5)
    figure.savefig(PAGE.parent / "pictures/statistics.svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))


if __name__ == "__main__":
    main()
