"""Items of study.py on machines that do not run evenly: one slow rank, and all ranks a little."""
from paper import beside_sync, BY_PUTS, GAIN, LAYER, LAYERS, NOISE_OF_PAPER, NOISES, PAPER, SEEDS, SLABS, SPREAD, TABLE1, VARIANTS
from simulated import plot, table


class DisturbedStudy:
    """Has `out`, `few`, `most`, `is_small`, `jacobi`, `solved`, `some_iterations` and `hold`."""

    def slow(self):
        rows, at = [], {}
        for boxes, ranks, places in LAYERS:
            for place, rank in places.items():
                for factor in (2, 4):
                    simulation = ["--ranks-per-node", "1", "--slow-host", f"{rank}:{factor}"]
                    reports = [self.jacobi(ranks, variant, "--boxes", boxes, "--experiment", "residual_period=20", simulation=simulation, points=8 if self.is_small else 20)
                               for variant in VARIANTS]
                    seconds = [report["solve_s"] for report in reports]
                    gains = [seconds[0] / seconds[1], seconds[0] / seconds[2]]
                    rows.append([place, factor, *[1000 * s for s in seconds], *gains, f"{reports[1]['iterations']['min']} to {reports[1]['iterations']['max']}"])
                    if factor == 2:
                        at[place] = gains
        plot(self.out / "slow.svg", "Section 6.1: a rank slower by two, by its place (simulated)", "place of the slow rank", "time of sync / time",
             {variant: (range(len(at)), [gains[k] for gains in at.values()], style) for k, (variant, style) in enumerate((("async", "o"), ("racy", "x")))},
             [place.replace("slab ", "slab\n") for place in at])
        source, *far = ([at[place][k] for k in (0, 1)] for place in SLABS)
        least, layer = ([min(gains) for gains in zip(*of)] for of in (far, [at[place] for place in LAYER]))
        return table("A slow rank by its place: 16 ranks as 4 x 4 x 1, all at the source, and 6 slabs; one rank a node (simulated)",
                     ["place", "slower by", "sync, ms", "async, ms", "racy, ms", "sync / async", "sync / racy", "iterations, async"], rows,
                     ["Paper, section 6.1: with one core of 32,768 slower by two, async and racy took about half the time of sync. Where it lay the paper does not tell.",
                      "20^3 points a rank, to 1e-3; the residual is looked at every 20 iterations.",
                      f"The place decides. All values come through the slab at the source, which has to do its iterations in every variant: if it is slow, nothing is gained, and sync takes "
                      f"{source[0]:.2f} and {source[1]:.2f} times as long as async and racy. Ranks far from it may lag behind.",
                      *self.hold(f"with a slab slower by two in the middle or far from the source sync takes at least {least[0]:.2f} and {least[1]:.2f} times as long as async and racy, at least {GAIN} (paper: about 2)",
                                 min(least) >= GAIN),
                      *self.hold(f"in a layer of boxes at the source it takes at least {layer[0]:.2f} and {layer[1]:.2f} times as long, at least {GAIN}", min(layer) >= GAIN)])

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
                       f"{NOISE_OF_PAPER} was fitted to the spread of the paper's async and racy on 32 processes (Table 1), and was written down before the runs.",
                       f"Means over seeds {', '.join(map(str, seeds))} on {few} ranks; one seed on {most} ranks, and without noise.",
                       *self.held_spreads(rows),
                       *self.hold(f"at noise {NOISE_OF_PAPER} racy is faster than sync: it takes {at[few, 'racy']:.2f} and {at[most, 'racy']:.2f} of sync's time on {few} and {most} ranks (paper: 0.98 and 0.96)",
                                  max(at[few, "racy"], at[most, "racy"]) < 1),
                       *self.hold(f"at noise {NOISE_OF_PAPER} async is slower than racy: {at[few, 'async']:.2f} and {at[most, 'async']:.2f} of sync's time (paper: 1.19 and 1.11)",
                                  at[few, "async"] > at[few, "racy"] and at[most, "async"] > at[most, "racy"])])
                + "\n" + table(f"Figure 3's rates on ranks that are disturbed: iterations a second, {4 * few} ranks, {self.box}^3 points each (simulated)",
                               ["noise", *VARIANTS, "async / sync", "racy / sync"], [[*row, row[2] / row[1], row[3] / row[1]] for row in rates],
                               ["In step every iteration takes as long as the slowest rank's; the others go on at their own pace.",
                                *self.hold(f"at noise {NOISE_OF_PAPER} async and racy iterate faster than sync", min(rates[NOISES.index(NOISE_OF_PAPER)][2:]) > rates[NOISES.index(NOISE_OF_PAPER)][1])]))

    def disturbed_puts(self):
        """Table 2 where nodes and kernels are slower by shares at random."""
        rows = []
        for ranks in (self.few, self.most):
            for noise in NOISES:
                simulation = self.noise_of(noise, 1)
                base = self.solved(ranks, "sync", simulation=simulation)
                runs = [self.solved(ranks, variant, how=how, simulation=simulation) for variant, how in (("async", BY_PUTS), ("racy", PAPER))]
                rows.append([ranks, noise, *[run["iterations"]["mean"] / base["iterations"]["mean"] for run in runs], *[run["solve_s"] / base["solve_s"] for run in runs]])
        at = [row[4:] for row in rows if row[1] == NOISE_OF_PAPER]
        return table("Table 2 on ranks that are disturbed: multiples of sync, one seed (simulated)",
                     ["ranks", "noise", "async: iterations", "racy: iterations", "async: time", "racy: time"], rows,
                     ["Noise as on the page noise.", *self.hold(f"at noise {NOISE_OF_PAPER} async and racy are faster than sync", max(max(times) for times in at) < 1)])

    def held_spreads(self, rows):
        """Whether the noise does what it was fitted to."""
        if self.few not in TABLE1:
            return []
        spread = {(row[1], row[2]): row[3] for row in rows if row[0] == self.few}
        paper = {variant: (most - least) / mean for variant, (least, mean, most, _) in TABLE1[self.few].items()}
        ours, still, theirs = (" and ".join(f"{of[variant]:.2f}" for variant in VARIANTS[1:]) for of in
                               ({variant: spread[NOISE_OF_PAPER, variant] for variant in VARIANTS}, {variant: spread[0, variant] for variant in VARIANTS}, paper))
        return self.hold(f"noise {NOISE_OF_PAPER} spreads the iterations of async and racy on {self.few} ranks as the paper's machine does, within {SPREAD}: by {ours} (paper: {theirs}); without noise by {still}",
                         all(abs(spread[NOISE_OF_PAPER, variant] - paper[variant]) <= SPREAD for variant in VARIANTS[1:]))

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
