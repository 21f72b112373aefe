"""Where strong scaling ends: paper 1's schemes and ours on more processors than it had, by shapes alone."""
from pathlib import Path

from paper import ON
from simulated import generated, plot, Runs, table

MACHINE = "infiniband-hdr"
RANKS = (16, 64, 256, 1024)
PROBLEMS = {"cube 40": "cholesky", "convection 40": "lu", "elasticity 20": "ldlt"}
FORMS = {
    "ours": [],
    "one posted": ["--experiment", "receive=immediate", "--experiment", "posted=1", "--experiment", "multicast=flat"],
    "paper": ON,  # plan.json: the same with late messages waited for, no call inside of a kernel, panels of 32
}
PROGRESS = ("always", "calls")
SMOKE_RANKS = (4, 8)
SMOKE_PROBLEMS = {"cube 10": "cholesky", "convection 9": "lu", "elasticity 5": "ldlt"}
SMOKE_OPTIONS = ["--experiment", "strip_border=16", "--experiment", "strip_rows=8"]
GAIN = 1.1  # four times the processors are worth while from here on


class ScaleStudy:
    """Wants self.a: overlapack, out, matrices, smoke, kept, largest_team."""

    def scale_runs(self):
        """{(problem, progress, form): {ranks: report}}; what is not kept is left out."""
        kept = Runs(self.a.overlapack, MACHINE, Path(self.a.out) / "runs_scale.json", makes=not self.a.kept)
        runs = {}
        for ranks in SMOKE_RANKS if self.a.smoke else RANKS:  # the large ones last
            for problem, kind in (SMOKE_PROBLEMS if self.a.smoke else PROBLEMS).items():
                path = self.scale_matrix(problem)
                for progress in PROGRESS:
                    for form, options in FORMS.items():
                        if ranks > self.a.largest_team:
                            continue
                        command = ["solve", path, "--factorization", kind, *options, "--experiment", "strip_choice=static", "--refinement-steps", "0",
                                   "--critical-path", *(SMOKE_OPTIONS if self.a.smoke else [])]
                        report = kept.report(ranks, command, "--phantom", "--progress", progress)
                        if report is not None:
                            runs.setdefault((problem, progress, form), {})[ranks] = report
        return runs

    def scale_matrix(self, problem):
        kind, points = problem.split()
        if self.a.kept:
            return Path(f"{kind}{points}.mtx")  # runs know it by its name
        return generated(self.a.overlapack, kind, points, self.a.matrices)

    def scale(self):
        runs = self.scale_runs()
        rows = []
        for (problem, progress, form), of_ranks in runs.items():
            for ranks, report in of_ranks.items():
                first = next(iter(of_ranks.values()))
                longest = report["critical_path"][0]
                rows.append([problem, progress, form, ranks, 1e3 * report["factor_s"], 1e3 * report["deal_s"], first["factor_s"] / report["factor_s"],
                             100 * report["wait_share"], report["bytes"] / 1e9, report["most_bytes_of_rank"] / 1e6,
                             f"{longest['what']} {longest['kind']}".strip(), 100 * longest["share"]])
        self.scale_plot(runs)
        return table("Strong scaling beyond the paper: factorisations on simulated infiniband-hdr, by shapes alone",
                     ["matrix", "progress", "form", "ranks", "ms", "of these distribution", "gain over the least", "waiting, %", "GB sent", "MB of the fullest",
                      "most of the critical path", "%"], rows,
                     [*self.where_it_ends(runs), *self.against_the_paper(runs), *self.not_made(runs), *self.orderings(runs),
                      "ours: the defaults. one posted: one posted receive, panels from their owner to each strip. paper: plan.json with receive immediate. All choose strips as if "
                      "no rank had other work, so that they differ by their messages alone.",
                      "progress always: messages move by themselves; calls: long ones set out in calls of both sides (docs/simulate.md). The time is that of the whole factorisation, "
                      "with the distribution of the matrix; the critical path is that of docs/multifrontal.md."],
                     picture="scale.svg")

    @staticmethod
    def where_it_ends(runs):
        """A sentence for each matrix and progress of our form: up to which number of ranks more of them pay, and what the last chain is made of."""
        lines = []
        for (problem, progress, form), of_ranks in runs.items():
            if form != "ours" or len(of_ranks) < 2:
                continue
            ranks = list(of_ranks)
            gains = [of_ranks[a]["factor_s"] / of_ranks[b]["factor_s"] for a, b in zip(ranks, ranks[1:])]
            last = ranks[0]
            for gain, more in zip(gains, ranks[1:]):
                if gain < GAIN:
                    break
                last = more
            chain = of_ranks[ranks[-1]]["critical_path"]
            made_of = ", ".join(f"{part['what']} {part['kind']}".strip() + f" {100 * part['share']:.0f} %" for part in chain[:3])
            steps = ", ".join(f"{a} to {b} ranks {gain:.2f}" for gain, a, b in zip(gains, ranks, ranks[1:]))
            end = f"more than {last} ranks do not pay" if last < ranks[-1] else f"{last} ranks pay"
            lines.append(f"{problem}, {progress}: gain from {steps}; {end} (gains below {GAIN} are none). On {ranks[-1]} the critical path is {made_of}.")
        return lines

    @staticmethod
    def orderings(runs):
        """Which one the option auto, with which all run, has taken."""
        taken = {problem: of_ranks[ranks]["ordering"] for (problem, *_), of_ranks in runs.items() for ranks in of_ranks}
        return [f"Orderings, which auto has chosen: {', '.join(f'{ordering} for {problem}' for problem, ordering in taken.items())}."] if taken else []

    def not_made(self, runs):
        made = {ranks for of_ranks in runs.values() for ranks in of_ranks}
        missing = [str(ranks) for ranks in (SMOKE_RANKS if self.a.smoke else RANKS) if ranks not in made]
        return [f"Not made: {', '.join(missing)} ranks."] if missing else []

    @staticmethod
    def against_the_paper(runs):
        lines = []
        for form in ("one posted", "paper"):
            quotients = [other[ranks]["factor_s"] / runs[problem, progress, "ours"][ranks]["factor_s"]
                         for (problem, progress, name), other in runs.items() if name == form
                         for ranks in other if ranks in runs.get((problem, progress, "ours"), {})]
            if quotients:
                lines.append(f"{form} takes {min(quotients):.2f} to {max(quotients):.2f} times ours.")
        return lines

    def scale_plot(self, runs):
        ranks = sorted({r for of_ranks in runs.values() for r in of_ranks})
        styles = dict(zip(FORMS, ("o-", "s--", "^:")))
        curves = {}
        for (problem, progress, form), of_ranks in runs.items():
            if progress == PROGRESS[0]:
                colour = f"C{list(SMOKE_PROBLEMS if self.a.smoke else PROBLEMS).index(problem)}"
                curves[f"{problem}, {form}"] = ([ranks.index(r) for r in of_ranks], [1e3 * report["factor_s"] for report in of_ranks.values()],
                                                styles[form] + colour)
        plot(Path(self.a.out) / "scale.svg", f"Factorisation on {MACHINE} (simulated), progress {PROGRESS[0]}", "ranks", "ms", curves,
             [str(r) for r in ranks])


def add_options(parser):
    parser.add_argument("--largest-team", type=int, default=max(RANKS), help="scale: numbers of ranks up to here")


ITEMS = ["scale"]
