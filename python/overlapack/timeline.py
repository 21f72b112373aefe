"""What every rank did when: figures and pictures of traced runs.

    factors = overlapack.factorize(A, trace=True, ranks=4)
    timeline.in_words(factors)                         where the time went, in sentences
    timeline.picture(factors)                          shown by a notebook, as is timeline.shares(factors)
    events = timeline.of(factors)                      or timeline.read("t.csv"), of `overlapack solve --trace-csv t.csv`
    timeline.statistics(events)                        messages, volumes and waiting, as in tables 5 and 10 of paper 1
    timeline.draw({"probe": first, "immediate": second}, "timeline.svg")
    timeline.draw_shares({"probe": first, "immediate": second}, "shares.svg")

From a shell: `python -m overlapack.timeline probe.csv immediate.csv -o timeline.svg`.
The pictures that `draw` and `draw_shares` make need matplotlib.
"""
from __future__ import annotations

import argparse
import csv
import io
from pathlib import Path
from typing import Any, Mapping, Sequence, TextIO

import numpy as np

from ._errors import BadInput, BadPlan
from ._factors import Factors
from ._html import picture_as_html
from ._report import Report

__all__ = ["Picture", "draw", "draw_shares", "in_words", "of", "picture", "read", "shares", "statistics"]

_COLUMNS = ("rank", "what", "kind", "begin_s", "end_s", "peer", "bytes", "flops")
_TYPE = np.dtype(
    [("rank", int), ("what", "U8"), ("kind", "U32"), ("begin_s", float), ("end_s", float), ("peer", int), ("bytes", float),
     ("flops", float)]
)  # fmt: skip
#: what a rank's time goes to, in the order and the colours of the pictures
_COLOURS = {
    "compute": "#56b4e9",
    "pack": "#b97a00",
    "send": "#e69f00",
    "receive": "#f3c65f",
    "access": "#8a6d1f",
    "wait": "#d55e00",
    "idle": "#e4e4e4",
}
#: what is drawn, but in no sum: rank 0 alone analyses
_DRAWN = {"analysis": "#925ec8", **_COLOURS}


def read(path: Any) -> np.ndarray:
    """The events of a timeline that was written as .csv.

    Returns
    -------
    ndarray
        A structured array with the fields rank, what (compute, pack, send, receive,
        access, wait, idle), kind, begin_s, end_s, peer, bytes, flops.

    Raises
    ------
    BadInput
        The file is not such a table.
    """
    with open(path, newline="") as file:
        return _events(file, path)


def _events(file: TextIO, name: Any) -> np.ndarray:
    rows = csv.reader(file)
    if tuple(next(rows, ())) != _COLUMNS:
        raise BadInput(f"{name} is not a timeline; write one with --trace-csv or write_timeline(\"t.csv\")", "timeline")
    try:
        return np.array([tuple(row) for row in rows], dtype=_TYPE)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{name} is cut off or damaged: {error}; write it again", "timeline") from None


def of(factors: Factors) -> np.ndarray:
    """The events of a factorisation and its last solve, made with trace=True; as `read`.

    Under MPI rank 0 has them.
    """
    return _events(io.StringIO(factors._factors.timeline(".csv", "")), "the trace")


class Picture:
    """A picture as SVG, which notebooks show."""

    def __init__(self, svg: str) -> None:
        #: its text
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return picture_as_html(self.svg)

    def __repr__(self) -> str:
        return f"<overlapack.timeline.Picture, SVG of {len(self.svg)} characters>"


def picture(factors: Factors, title: str = "") -> Picture:
    """The picture that factors.write_timeline("t.svg", title) writes, for a notebook.

    It needs no matplotlib.

    Examples
    --------
    >>> import overlapack
    >>> from overlapack import timeline
    >>> from scipy.sparse import csc_array
    >>> factors = overlapack.factorize(csc_array([[2.0, 1.0], [0.0, 4.0]]), trace=True)
    >>> timeline.picture(factors).svg[:4]
    '<svg'
    """
    return Picture(factors._factors.timeline(".svg", title))


def shares(factors: Factors, title: str = "") -> Picture:
    """What each rank's time went to, as bars; of factors that were made with trace=True.

    It needs no matplotlib.

    Examples
    --------
    >>> import overlapack
    >>> from overlapack import timeline
    >>> from scipy.sparse import csc_array
    >>> factors = overlapack.factorize(csc_array([[2.0, 1.0], [0.0, 4.0]]), trace=True)
    >>> timeline.shares(factors).svg[:4]
    '<svg'
    """
    return Picture(factors._factors.timeline("shares", title))


def in_words(factors: Factors) -> str:
    """Where the time of a traced run went, in sentences.

    Returns
    -------
    str
        The shares of the analysis, of computing, messages and waiting; who waited
        most, and for what; what the critical path consists of.

    Examples
    --------
    >>> import overlapack
    >>> from overlapack import timeline
    >>> from scipy.sparse import csc_array
    >>> factors = overlapack.factorize(csc_array([[2.0, 1.0], [0.0, 4.0]]), trace=True)
    >>> "Critical path: " in timeline.in_words(factors)
    True
    """
    return factors._factors.timeline("words", "")


def statistics(events: np.ndarray) -> Report:
    """Messages and waiting in figures, over all ranks.

    elapsed_s              from the first event of any rank to the last, without the
                           analysis, as all that follows
    largest_message_bytes  (paper 1, table 5)
    messages, bytes        sent
    mean_bytes_of_rank     the average volume a rank sends (tables 5 and 10)
    messages_of_kind, bytes_of_kind, largest_bytes_of_kind
    seconds_of_rank        for compute, pack, send, receive, access, wait and idle: a list
                           with an entry a rank; what no event tells is idle
    communication_share    of all ranks' time: pack, send, receive, access, wait (figure 3)
    wait_share             of all ranks' time: wait and idle
    """
    events = events[events["kind"] != "analysis"]
    if len(events) == 0:
        raise BadInput("the timeline has no events; run with trace=True or --trace-csv", "timeline")
    ranks = int(events["rank"].max()) + 1
    elapsed = float(events["end_s"].max() - events["begin_s"].min())
    seconds = _seconds(events, ranks, elapsed)
    sent = events[events["what"] == "send"]
    kinds = sorted(set(sent["kind"].tolist()))
    total = max(ranks * elapsed, np.finfo(float).tiny)
    return Report(
        ranks=ranks,
        elapsed_s=elapsed,
        messages=len(sent),
        bytes=float(sent["bytes"].sum()),
        largest_message_bytes=float(sent["bytes"].max(initial=0)),
        mean_bytes_of_rank=float(sent["bytes"].sum()) / ranks,
        messages_of_kind={kind: int((sent["kind"] == kind).sum()) for kind in kinds},
        bytes_of_kind={kind: float(sent["bytes"][sent["kind"] == kind].sum()) for kind in kinds},
        largest_bytes_of_kind={kind: float(sent["bytes"][sent["kind"] == kind].max()) for kind in kinds},
        seconds_of_rank={what: s.tolist() for what, s in seconds.items()},
        communication_share=sum(float(seconds[what].sum()) for what in _COLOURS if what not in ("compute", "idle")) / total,
        wait_share=sum(float(seconds[what].sum()) for what in ("wait", "idle")) / total,
    )


def draw(runs: Mapping[str, np.ndarray], path: Any) -> None:
    """Draw the runs below each other on one axis of time, a row a rank, coloured by what the rank did. path: as
    matplotlib writes, .svg, .png, .pdf."""
    height = 1 + sum(0.6 + 0.35 * (int(events["rank"].max()) + 1) for events in runs.values())
    figure = empty_figure((11, height))
    axes = figure.subplots(len(runs), 1, sharex=True, squeeze=False)
    for axis, (title, events) in zip(axes[:, 0], runs.items()):
        zero = events["begin_s"].min()
        for rank in np.unique(events["rank"]):
            for what, colour in _DRAWN.items():
                mine = events[(events["rank"] == rank) & (_drawn(events) == what)]
                axis.broken_barh(
                    np.column_stack([mine["begin_s"] - zero, mine["end_s"] - mine["begin_s"]]), (rank - 0.42, 0.84),
                    facecolors=colour, linewidth=0,
                )  # fmt: skip
        ranks = int(events["rank"].max()) + 1
        axis.set(title=title, ylabel="rank", ylim=(ranks - 0.4, -0.6), yticks=range(ranks))
        axis.spines[["top", "right"]].set_visible(False)
    axes[-1, 0].set_xlabel("seconds")
    from matplotlib.patches import Patch

    shown = {what for events in runs.values() for what in np.unique(_drawn(events)).tolist()}
    figure.legend(
        handles=[Patch(color=colour, label=what) for what, colour in _DRAWN.items() if what in shown],
        loc="outside lower center", ncols=len(_DRAWN), frameon=False,
    )  # fmt: skip
    figure.savefig(path)


def _drawn(events: np.ndarray) -> np.ndarray:
    return np.where(events["kind"] == "analysis", "analysis", events["what"])


def draw_shares(runs: Mapping[str, np.ndarray], path: Any) -> None:
    """Draw what each rank's time went to as a stacked bar, the runs beside each other."""
    figure = empty_figure((2 + 3 * len(runs), 4))
    axes = figure.subplots(1, len(runs), sharey=True, squeeze=False)
    for axis, (title, events) in zip(axes[0], runs.items()):
        figures = statistics(events)
        ranks = np.arange(figures.ranks)
        bottom = np.zeros(figures.ranks)
        for what, colour in _COLOURS.items():
            share = 100 * np.array(figures["seconds_of_rank"][what]) / max(figures.elapsed_s, np.finfo(float).tiny)
            axis.bar(ranks, share, bottom=bottom, color=colour, label=what)
            bottom += share
        waiting = f"{100 * figures.wait_share:.0f} % waiting"
        axis.set(title=f"{title}: {figures.elapsed_s:.3g} s, {waiting}", xlabel="rank", xticks=ranks)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0, 0].set_ylabel("% of the run's time")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=len(_COLOURS), frameon=False)
    figure.savefig(path)


def _seconds(events: np.ndarray, ranks: int, elapsed: float) -> dict[str, np.ndarray]:
    """By what, then by rank; time without events is idle."""
    length = events["end_s"] - events["begin_s"]
    seconds = {
        what: np.bincount(events["rank"], weights=np.where(events["what"] == what, length, 0.0), minlength=ranks)
        for what in _COLOURS
    }
    seconds["idle"] = np.maximum(0.0, elapsed - sum(s for what, s in seconds.items() if what != "idle"))
    return seconds


def empty_figure(size: tuple[float, float]) -> Any:
    """Of matplotlib, but not of its pyplot, whose backend is the caller's business."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise BadPlan("pictures of timelines need matplotlib; pip install matplotlib", "timeline") from None
    return Figure(size, layout="constrained")


def _main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m overlapack.timeline", description="Draw timelines below each other, and print their figures."
    )
    parser.add_argument("csv", nargs="+", help="written by --trace-csv")
    parser.add_argument("-o", "--output", help="the picture: .svg, .png, .pdf")
    parser.add_argument("--shares", action="store_true", help="draw shares of time instead of the timelines")
    options = parser.parse_args(arguments)
    runs = {Path(path).stem: read(path) for path in options.csv}
    for title, events in runs.items():
        print(f"{title}\n{statistics(events)}\n")
    if options.output:
        (draw_shares if options.shares else draw)(runs, options.output)


if __name__ == "__main__":
    _main()
