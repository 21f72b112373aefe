"""The types of the keywords; a test compares them with the library's table (`overlapack info --options`, `--experiments`)."""
from __future__ import annotations

from typing import Any, Callable, Literal, TypedDict


class Experiment(TypedDict, total=False):
    """The keyword experiment of Options: settings for studies of papers and for developers of the library only."""

    # tools/python_types.py: experiments
    fronts: Literal["auto", "slices", "strips"]
    strip_border: int
    strip_rows: int
    strip_panel: int
    chain_pivots: int
    multicast: Literal["auto", "tree", "flat"]
    strip_choice: Literal["load", "static"]
    load_news: Literal["lane", "shared", "put"]
    steal: bool
    slice_flops: float
    root: Literal["auto", "sequential", "grid"]
    root_order: int
    root_block: int
    compression_block: int
    compression_order: int
    compression_contributions: Literal["on", "off"]
    compression_precision: Literal["working", "mixed"]
    node_order: Literal["auto", "postorder", "levels"]
    node_map: Literal["auto", "cyclic", "subtrees"]
    max_width: int
    relax: int
    rows_ahead: Literal["on", "off"]
    discipline: Literal["auto", "messages", "onesided", "superstep"]
    pivot_search: Literal["combined", "columns", "tournament"]
    sync: Literal["full", "known"]
    interchange: Literal["auto", "binary_exchange", "spread_roll", "mix", "direct", "pairwise", "shared"]
    row_swap: Literal["native", "generic"]
    memory: Literal["auto", "user", "copy", "attach"]
    panel_width: int
    grid_order: Literal["auto", "rows", "columns"]
    broadcast: Literal["auto", "ring", "modified_ring", "two_ring", "two_ring_modified", "spread_roll", "modified_spread_roll", "binary_tree", "two_phase", "direct"]
    in_flight: int
    halo_by: Literal["engine", "messages", "puts"]
    halo_period: int
    residual_period: int
    residual_sum: Literal["tree", "doubling"]
    mapping: Literal["ranks", "nodes"]
    final_sweeps: int
    slow_rank: str
    ranks_per_node: int
    receive: Literal["immediate", "probe"]
    posted: int
    early: Literal["park", "wait"]
    progress_by: Literal["poll", "thread"]
    eager_bytes: int
    budget: int


class Options(TypedDict, total=False):
    """Keywords of solve, factorize, lu_factor and plan."""

    # tools/python_types.py: options
    method: Literal["auto", "multifrontal", "block_triangular", "dense", "jacobi", "multisplitting", "supernodal"]
    factorization: Literal["auto", "lu", "ldlt", "cholesky", "qr", "quasidefinite"]
    singular: Literal["answer", "always", "refuse"]
    ordering: Literal["auto", "dissection", "metis", "amd", "scotch", "natural", "user"]
    ordering_effort: Literal["low", "normal", "high"]
    matching: Literal["auto", "on", "off"]
    scaling: Literal["auto", "ruiz", "off"]
    null_pivots: bool
    pivot_threshold: float
    perturbation: float
    regularization: float
    factors: Literal["auto", "memory", "disk"]
    scratch: str
    disk_buffer: int
    compression: Literal["none", "blr"]
    compression_tolerance: float
    refinement_steps: int
    refinement_target: float
    accuracy: float
    gmres_steps: int
    error_analysis: bool
    schedule: Literal["auto", "flat", "lookahead", "split", "parity", "hybrid", "pipelined"]
    depth: int
    block: int
    grid: str
    precision: Literal["working", "mixed"]
    variant: Literal["auto", "sync", "async", "racy"]
    tolerance: float
    max_iterations: int
    sweeps: int
    accelerator: Literal["auto", "none", "gmres", "cg"]
    overlap: int
    inner: Literal["auto", "direct", "cg", "ilu"]
    inner_tolerance: float
    damping: float
    ranks_per_block: int
    blocks: int
    weights: Literal["auto", "owner", "both", "none"]
    coarse: Literal["none", "near_null_space"]
    engine: Literal["auto", "thread", "mpi", "shmem"]
    ranks: int
    workers: int
    memory_limit: int
    time_limit: float
    watchdog: float
    trace: bool

    # beyond the table: ranks by other names, experiments, and what JSON cannot carry
    experiment: Experiment
    threads: int | None
    n_jobs: int | None
    verbose: bool | int
    user_order: Any
    signs: Any
    progress: Callable[[str, float], object] | None
    comm: Any
