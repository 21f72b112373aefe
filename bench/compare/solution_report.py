"""Time to a solution on a few matrices: a bar chart for README.md, light and dark, and its figures as a table."""

from html import escape

from .report import SOLUTION, Comparison
from .store import Store
from .solvers import OURS

FIELD = SOLUTION["solution"]
NAMES = {OURS: "overlapack", "pardiso": "MKL PARDISO", "mumps": "MUMPS", "splu": "SciPy splu"}  # as they are drawn, ours first
KINDS = {
    "ts_nsjac": "flow (Navier-Stokes)", "ts_xyce_ckt": "circuit", "kkt_cont201": "optimisation (KKT)", "cti_lap": "3D mesh",
    "pf_SyntheticUSA": "power grid", "slam_torus3D": "robot's map",
}  # fmt: skip
# Colours that the colour-blind tell apart (Okabe and Ito), ours strong, and those of text and lines.
THEMES = {
    "light": {OURS: "#0072b2", "pardiso": "#e69f00", "mumps": "#009e73", "splu": "#b0b0b0", "text": "#1f2328", "weak": "#59636e", "line": "#d1d9e0"},
    "dark": {OURS: "#56b4e9", "pardiso": "#e69f00", "mumps": "#2fbf96", "splu": "#8b949e", "text": "#f0f6fc", "weak": "#9198a1", "line": "#3d444d"},
}
LIMIT = 8  # times ours; longer bars are cut off
LEFT, SCALE, BAR, GROUP, TOP = 190, 60, 11, 58, 64


class Solutions:
    """What solution.json tells, on the most ranks that it has."""

    def __init__(self, runs: Store):
        self.runs = runs
        ranks = max(r["ranks"] for r in runs.records)
        self.comparison = Comparison(runs.records, ranks)
        self.matrices = sorted(runs.matrices, key=lambda name: self.seconds(name, OURS) or 0, reverse=True)

    def seconds(self, matrix: str, solver: str) -> float | None:
        return self.comparison.best(matrix, solver, FIELD)

    def why_not(self, matrix: str, solver: str) -> str:
        return self.comparison.failures.get((matrix, solver), {}).get("status", "not run")

    def rows(self) -> list[list[str]]:
        rows = []
        for matrix in self.matrices:
            facts = self.runs.matrices[matrix]
            cells = []
            for solver in NAMES:
                found = self.seconds(matrix, solver)
                ratio = self.comparison.ratio(matrix, solver, FIELD)
                beside = f" ({ratio:.1f})" if ratio and solver != OURS else ""
                cells.append(f"{found:.3f}{beside}" if found else self.why_not(matrix, solver))
            rows.append([matrix, KINDS.get(matrix, facts["kind"]), f"{facts['n']:,}", *cells])
        return rows

    def picture(self, theme: str) -> str:
        """SVG, the same text for the same runs. A group of bars a matrix, lengths in times of ours."""
        colour = THEMES[theme]
        width, height = LEFT + SCALE * LIMIT + 80, TOP + GROUP * len(self.matrices) + 34
        bottom = height - 34
        out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif" font-size="13" role="img">',
            "<title>Time to a solution: analysis, factorisation and first solve, as times of overlapack's</title>",
        ]

        def text(x: float, y: float, what: str, fill: str = "text", more: str = "") -> None:
            out.append(f'<text x="{x:g}" y="{y:g}" fill="{colour[fill]}"{more}>{escape(what)}</text>')

        text(LEFT, 20, "Time to a solution, in times of overlapack's (shorter is better)", more=' font-weight="600"')
        x = LEFT
        for solver, name in NAMES.items():
            out.append(f'<rect x="{x}" y="34" width="12" height="12" fill="{colour[solver]}"/>')
            text(x + 17, 45, name)
            x += 40 + 8 * len(name)
        for tick in range(0, LIMIT + 1):
            at = LEFT + SCALE * tick
            strong = ' stroke-width="2"' if tick == 1 else ""
            out.append(f'<line x1="{at}" y1="{TOP - 6}" x2="{at}" y2="{bottom}" stroke="{colour["line"]}"{strong}/>')
            text(at, bottom + 18, f"{tick}", "weak", ' text-anchor="middle"')
        for row, matrix in enumerate(self.matrices):
            y = TOP + GROUP * row
            text(LEFT - 12, y + 18, KINDS.get(matrix, matrix), more=' text-anchor="end"')
            text(LEFT - 12, y + 34, f"{matrix}, n = {self.runs.matrices[matrix]['n']:,}", "weak", ' text-anchor="end" font-size="11"')
            for bar, solver in enumerate(NAMES):
                self._bar(out, text, colour, matrix, solver, y + BAR * bar + 2)
        return "\n".join([*out, "</svg>\n"])

    def _bar(self, out: list[str], text, colour: dict[str, str], matrix: str, solver: str, y: float) -> None:
        found, ratio = self.seconds(matrix, solver), self.comparison.ratio(matrix, solver, FIELD)
        small = ' font-size="10"'
        if not found or not ratio:
            text(LEFT + 4, y + 9, f"{NAMES[solver]}: {self.why_not(matrix, solver)}", "weak", small)
            return
        length = SCALE * min(ratio, LIMIT)
        out.append(f'<rect x="{LEFT}" y="{y:g}" width="{length:g}" height="{BAR - 1}" fill="{colour[solver]}"/>')
        said = f"{found:.3g} s" if solver == OURS else f"{ratio:.1f}" if ratio < 100 else f"{ratio:.0f}"
        text(LEFT + length + 4, y + 9, said + (" →" if ratio > LIMIT else ""), "weak", small)
