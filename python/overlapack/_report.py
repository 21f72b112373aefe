"""The report of a run: what the solver did, how long it took, and how accurate the result is.

A test compares the entries with the library's table (`overlapack info --report`).
"""
from __future__ import annotations

import difflib
from typing import Any, Dict

from ._figures import figures, planned


class Report(Dict[str, Any]):
    """The figures that `overlapack solve --json` prints, as a dict whose entries are attributes, too.

    report["backward_error"] is report.backward_error. print(report) shows the most
    important figures, print(report.table()) every entry. `overlapack info --report`
    explains each entry. An entry that is not known is None. An entry inside another is
    report.pivots.delayed or report["pivots.delayed"].

    Examples
    --------
    >>> import overlapack
    >>> x, report = overlapack.solve([[2.0, 0.0], [0.0, 4.0]], [2.0, 4.0], report=True)
    >>> report.status, report["method"], report.n
    ('ok', 'dense', 2)
    """

    # tools/python_types.py: report
    status: str
    message: str
    advice: str
    n: int
    nnz: int
    type: str
    symmetry: str
    method: str
    factorization: str
    ordering: str
    matching: str
    scaling: str
    precision: str
    engine: str
    ranks: int
    workers: int
    simulated: bool
    policy: str
    choice: str
    hint: str
    unused_options: str
    falls_back: int
    analysed_again: int
    analysis_s: float | None
    analysis_cpu_s: float | None
    analysis_path_s: float | None
    factor_s: float
    solve_s: float | None
    predicted_factor_nnz: int
    predicted_flops: int
    predicted_factor_s: float | None
    shared_flops: int
    predicted_bytes: int
    predicted_least_bytes: int
    predicted_disk_memory_bytes: int
    predicted_scratch_bytes: int
    factors: str
    deal_s: float
    most_entries_of_rank: int
    factor_nnz: int
    flops: int
    factor_bytes: int
    reserved_bytes: int
    peak_bytes: int
    most_bytes_of_rank: int
    fronts: int
    small_fronts: int
    tiled_fronts: int
    front_tasks: int
    failed_columns: int
    restored_tiles: int
    cut_pairs: int
    searched_pivots: int
    sent_contributions: int
    distributed_fronts: int
    strips: int
    forwarded: int
    shortened: int
    delayed_from_strips: int
    load_news: int
    stolen: int
    pieces: int
    limited_by_memory: int
    chain_links: int
    grid_roots: int
    delayed_to_grid: int
    parked: int
    late_receives: int
    times_full: int
    fronts_on_disk: int
    times_disk_full_budget: int
    segments_ahead: int
    disk_written_bytes: int
    disk_read_bytes: int
    disk_wait_s: float
    full_rank_nnz: int
    full_rank_flops: int
    low_rank_fronts: int
    blocks_compressed: int
    blocks_full: int
    blocks_mixed: int
    mixed_saved_bytes: int
    sum_of_ranks: int
    largest_rank: int
    contributions_compressed: int
    contributions_mixed: int
    low_rank_strips: int
    panel_saved_bytes: int
    nodes: int
    columns_ahead: int
    rows_ahead: int
    direct_products: int
    subtree_nodes: int
    border_messages: int
    panel_messages: int
    panel_bytes: int
    diagonal_blocks: int
    column_blocks: int
    largest_block: int
    predicted_columns: int
    shared_columns: int
    pivots: Report
    mean_rank: float
    variable_block: int
    structural_rank: int | None
    numerical_rank: int | None
    weak_unknown: int | None
    weak_equation: int | None
    null_vector: list[float]
    null_share: float | None
    null_distance: float | None
    right_hand_sides: int
    unsolved_columns: int
    backward_error: float | None
    omega1: float | None
    omega2: float | None
    forward_error: float | None
    true_residual: float | None
    condition_estimate: float | None
    condition_omega1: float | None
    condition_omega2: float | None
    forward_error_bound: float | None
    iterations: Report
    gmres_steps: int
    wait_share: float
    wait_share_of_rank: list[float]
    messages: int
    bytes: int
    largest_message_bytes: int
    messages_of_kind: Report
    traffic_of_rank: list[Any]
    critical_path: list[Any]
    rows: int
    grid: str
    grid_order: str
    block: int
    schedule: str
    discipline: str
    depth: int
    broadcast: str
    gflops: float
    scaled_residual: float | None
    factor_residual: float | None
    orthogonality: float | None
    residual_norm: float | None
    optimality: float | None
    computing_with_mate: float | None
    rearranged_panels: int
    growth: float
    panels: int
    wide_panels: int
    panels_ahead: int
    split_updates: int
    opposite_phases: int
    early_columns: int
    rearranged_lower: int
    rearranged_upper: int
    interchanges: Report
    overlapped_messages: int
    row_swaps: int
    lent: Report
    blocks: Report
    signals: int
    puts: int
    put_signals: int
    gets: int
    supersteps: int
    superstep_words: int
    superstep_messages: int
    superstep_work_s: float
    superstep_word_s: float
    superstep_sync_s: float
    split_supersteps: int
    scopes: Report
    superstep_parts: Report
    variant: str
    in_flight: int
    halo_period: int
    residual_sum: str
    mapping: str
    tolerance: float
    radius: Report
    warning: str
    consecutive_rows: bool
    accelerator: str
    sweeps: int
    sends_per_iteration: float | None
    history: list[Any]
    iterations_of_rank: list[int]
    batches: list[int]
    looks: int
    snapshots: int
    sends: int
    put_sends: int
    skipped_sends: int
    largest_batch: int
    most_in_flight: int
    halo_period_mean: float
    rests: int
    slices: int
    slices_by_others: int
    inner: str
    overlap: int
    damping: float
    block_rows: int
    ranks_per_block: int
    matrix_blocks: int
    weights: str
    coarse_unknowns: int
    raised_blocks: int
    inner_steps: int
    group_solves: int
    coarse_solves: int

    def __missing__(self, name: str) -> Any:
        """Of a path, as "pivots.delayed", the entry inside."""
        outer, dot, inner = str(name).partition(".")
        if dot and isinstance(within := self.get(outer), dict) and inner in within:
            return within[inner]
        raise KeyError(name)

    def __getattr__(self, name: str) -> Any:
        try:
            value = self[name]
        except KeyError:
            near = difflib.get_close_matches(name, self, n=1)
            meant = f"did you mean {near[0]}?" if near else "print(report.table()) shows all of them"
            raise AttributeError(f"the report has no entry {name!r}; {meant}") from None
        return Report(value) if isinstance(value, dict) else value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def table(self) -> str:
        """All entries as text, one on each line."""
        return _lines(self._whole())

    def _whole(self) -> dict[str, str]:
        return {name: _shown(value) for name, value in self.items()}

    def _first_figures(self) -> dict[str, str]:
        """The most important figures by label; None if the report is not from a solver."""
        return figures(self) if "status" in self else {}

    def __repr__(self) -> str:
        told = self._first_figures()
        return f"{_lines(told)}\n(table() has all {len(self)} entries)" if told else self.table()

    __str__ = __repr__

    def _repr_html_(self) -> str:
        return self._as_html(f"overlapack.{type(self).__name__}")

    def _as_html(self, title: str, picture: str = "") -> str:
        from ._html import page_as_html, rows_as_html

        told = self._first_figures()
        return page_as_html(title, told, self._whole(), picture) if told else rows_as_html(self._whole())


class Plan(Report):
    """What `plan` predicts: a Report whose entries of the run itself are zero or None."""

    def _first_figures(self) -> dict[str, str]:
        return planned(self)


def _lines(told: dict[str, str]) -> str:
    width = max(map(len, told), default=0)
    return "\n".join(f"{name:{width}}  {text}" for name, text in told.items())


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_shown(part)}" for name, part in value.items())
    if isinstance(value, list):
        return " ".join(map(_shown, value))
    return f"{value:.4g}" if isinstance(value, float) else str(value)
