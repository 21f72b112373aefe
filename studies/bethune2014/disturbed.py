"""Items of study.py on machines that do not run evenly: one slow rank, and all ranks a little."""
from paper import beside_sync, NOISE_OF_PAPER, NOISES, PLACES, SEEDS, TABLE1, VARIANTS
from simulated import plot, table


class DisturbedStudy:
    """Has `out`, `few`, `most`, `is_small`, `jacobi`, `solved`, `some_iterations` and `hold`."""

    def slow(self):
        rows, options = [], ["--boxes", "4x4x1", "--experiment", "residual_period=20"]
        for place, rank in PLACES.items():
            for factor in (2, 4):
                simulation = ["--ranks-per-node", "1", "--slow-host", f"{rank}:{factor}"]
                reports = [self.jacobi(16, variant, *options, simulation=simulation, points=8 if self.is_small else 20) for variant in VARIANTS]
                seconds = [report["solve_s"] for report in reports]
                rows.append([place, factor, *[1000 * s for s in seconds], seconds[0] / seconds[1], seconds[0] / seconds[2],
                             f"{reports[1]['iterations']['min']} to {reports[1]['iterations']['max']}"])
        twice = [row for row in rows if row[1] == 2]
        plot(self.out / "slow.svg", "Section 6.1: a rank slower by two, by its place (simulated)", "place of the slow rank", "time of sync / time",
             {variant: (range(len(twice)), [row[column] for row in twice], "o-") for variant, column in (("async", 5), ("racy", 6))}, [row[0] for row in twice])
        least = [min(row[column] for row in twice) for column in (5, 6)]
        return table("A slow rank in three places: 16 ranks as 4 x 4 x 1, one a node (simulated)",
                     ["place", "slower by", "sync, ms", "async, ms", "racy, ms", "sync / async", "sync / racy", "iterations, async"], rows,
                     ["Paper, section 6.1: with one core of 32,768 slower by two, async and racy took about half the time of sync.",
                      "20^3 points a rank, to 1e-3; the residual is looked at every 20 iterations.",
                      *self.hold(f"with a rank slower by two sync takes at least {least[0]:.2f} and {least[1]:.2f} times as long as async and racy, at least 1.5 (paper: about 2)", min(least) >= 1.5)])

    def noise(self):
        """Table 1 and the rates of Figure 3 where nodes and kernels are slower by shares at random."""
        rows, seeds = [], SEEDS[:1] if self.is_small else SEEDS
        for ranks in (self.few, self.most):
            for noise in NOISES:
                rows += self.disturbed(ranks, noise, seeds[:1] if ranks == self.most or noise == 0 else seeds)
        rates = [[noise, *[1e6 / self.rate(variant, noise) for variant in VARIANTS]] for noise in NOISES]
        plot(self.out / "noise.svg", "Table 1 on ranks that are disturbed (simulated)", "noise", "time / time of sync",
             {f"{variant}, {ranks} ranks": (range(len(NOISES)), [row[5] for row in rows if row[0] == ranks and row[2] == variant], "o-")
              for ranks in (self.few, self.most) for variant in VARIANTS[1:]}, NOISES)
        at = {(row[0], row[2]): row[5] for row in rows if row[1] == NOISE_OF_PAPER}
        few, most = self.few, self.most
        return (table(f"Table 1 on ranks that are disturbed: {few} and {most} ranks, 4^3 points each, to 1e-2 (simulated)",
                      ["ranks", "noise", "variant", "spread of iterations", "iterations / sync", "time / sync", "paper, MPI: time / sync"], rows,
                      ["Noise: nodes, and each call of a kernel, are slower by half-normal shares of this sigma. The spread is (max - min) / mean of the ranks.",
                       f"{NOISE_OF_PAPER} stands for the paper's machine: the spread of its async and racy on 32 processes is 13 % (Table 1). It was written down before the runs.",
                       f"Means over seeds {', '.join(map(str, seeds))} on {few} ranks; one seed on {most} ranks, and without noise.",
                       *self.hold(f"at noise {NOISE_OF_PAPER} racy is faster than sync: it takes {at[few, 'racy']:.2f} and {at[most, 'racy']:.2f} of sync's time on {few} and {most} ranks (paper: 0.98 and 0.96)",
                                  max(at[few, "racy"], at[most, "racy"]) < 1),
                       *self.hold(f"at noise {NOISE_OF_PAPER} async is slower than racy: {at[few, 'async']:.2f} and {at[most, 'async']:.2f} of sync's time (paper: 1.19 and 1.11)",
                                  at[few, "async"] > at[few, "racy"] and at[most, "async"] > at[most, "racy"])])
                + "\n" + table(f"Figure 3's rates on ranks that are disturbed: iterations a second, {4 * few} ranks, {self.box}^3 points each (simulated)",
                               ["noise", *VARIANTS, "async / sync", "racy / sync"], [[*row, row[2] / row[1], row[3] / row[1]] for row in rates],
                               ["In step every iteration takes as long as the slowest rank's; the others go on at their own pace.",
                                *self.hold(f"at noise {NOISE_OF_PAPER} async and racy iterate faster than sync", min(rates[NOISES.index(NOISE_OF_PAPER)][2:]) > rates[NOISES.index(NOISE_OF_PAPER)][1])]))

    def disturbed(self, ranks, noise, seeds):
        """A row for each variant, of means over the seeds."""
        def mean(variant, value):
            return sum(value(self.solved(ranks, variant, simulation=self.noise_of(noise, seed))) for seed in seeds) / len(seeds)

        base = [mean("sync", value) for value in (lambda report: report["iterations"]["mean"], lambda report: report["solve_s"])]
        for variant in VARIANTS:
            spread = mean(variant, lambda report: (report["iterations"]["max"] - report["iterations"]["min"]) / report["iterations"]["mean"])
            iterations, seconds = (mean(variant, value) for value in (lambda report: report["iterations"]["mean"], lambda report: report["solve_s"]))
            yield [ranks, noise, variant, spread, iterations / base[0], seconds / base[1], beside_sync(TABLE1, ranks, variant)[1]]

    def rate(self, variant, noise):
        """Microseconds of an iteration."""
        return self.some_iterations(4 * self.few, variant, simulation=self.noise_of(noise, 1))[1]

    @staticmethod
    def noise_of(noise, seed):
        return ["--noise", noise, "--seed", seed] if noise else []
