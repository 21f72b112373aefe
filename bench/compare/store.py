"""Records of runs: what a comparison has measured, in a file that an interrupted one continues. All of a file are of one processor, and of each
solver with the same kernels, so that a table never takes a mean over several."""

import json
import os
import platform
import sys
from dataclasses import dataclass, field
from pathlib import Path

from . import blas, gate, launch

MACHINE = ("cpu", "vendor", "family", "model", "cpus")  # what runs of a file have in common


@dataclass
class Store:
    """Records in a file (or only in memory), written after each run; with the machine that they were made on."""

    path: Path | None = None
    records: list[dict] = field(default_factory=list)
    machine: dict = field(default_factory=dict)
    matrices: dict[str, dict] = field(default_factory=dict)  # what the records' matrices are, by name
    kernels: blas.Choice = blas.Choice()

    @staticmethod
    def open(path: Path | None, is_continued: bool, kernels: blas.Choice = blas.Choice()) -> "Store":
        """is_continued: records will be added, which have to come from the machine of those that are there."""
        here = describe_machine()
        if path is None or not path.exists():
            return Store(path, machine=here, kernels=kernels)
        kept = json.loads(path.read_text())
        if is_continued and any(kept["machine"].get(key) != here[key] for key in MACHINE):
            sys.exit(f"{path} was measured on {machine_text(kept['machine'])}, and this is {machine_text(here)}; give another file")
        return Store(path, kept["records"], kept["machine"], kept.get("matrices", {}), kernels)

    def find(self, **key) -> dict | None:
        return next((r for r in self.records if all(r.get(k) == v for k, v in key.items())), None)

    def select(self, **key) -> list[dict]:
        return [r for r in self.records if all(r.get(k) == v for k, v in key.items())]

    def add(self, record: dict) -> None:
        """Exits instead where the record's kernels are older than the processor, or others than those of the solver's runs."""
        if record.get("blas"):
            blas.require_new_kernels(record, self.machine, self.kernels)
            blas.require_same_kernels(record, self.records)
        self.records.append(record)
        self.save()

    def forget(self, peers: set[str]) -> None:
        self.records = [r for r in self.records if r["peer"] not in peers]

    def save(self) -> None:
        """A record a line, so that files under version control can be compared."""
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_suffix(self.path.suffix + ".part")
        lines = ",\n".join(json.dumps(record, sort_keys=True) for record in self.records)
        named = ",\n".join(f"{json.dumps(name)}: {json.dumps(facts)}" for name, facts in self.matrices.items())
        part.write_text(
            f'{{"machine": {json.dumps(self.machine)},\n"matrices": {{\n{named}\n}},\n"records": [\n{lines}\n]}}\n'
        )
        part.rename(self.path)


def by_machine(rows: list[dict]) -> dict[str, list[dict]]:
    """Rows that each keep their machine, by what is said of it and of their BLAS."""
    groups: dict[str, list[dict]] = {}
    for row in rows:
        groups.setdefault(machine_text(row["machine"]) if "machine" in row else "processor not recorded", []).append(row)
    return {f"{about}; {blas.summary(group)}": group for about, group in groups.items()}


def describe_machine() -> dict:
    """Processor, number of processors, memory, system. Of x86 also the maker, its numbers and the newest vector instructions, as blas.LEVELS."""
    told: dict[str, str] = {}
    with open("/proc/cpuinfo") as info:
        for line in info:
            name, _, value = line.partition(":")
            told.setdefault(name.strip(), value.strip())
    flags = told.get("flags", "").split()
    found = [level for level, flag in zip(blas.LEVELS, ("sse2", "avx", "avx2", "avx512vl"), strict=True) if flag in flags]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpu": told.get("model name", "unknown"),
        "vendor": told.get("vendor_id", ""),
        "family": told.get("cpu family", ""),
        "model": told.get("model", ""),
        "vectors": found[-1] if found else "",
        "cpus": gate.CPUS,
        "memory_gib": round(memory / 2**30),
        "system": platform.platform(),
    }


def machine_text(machine: dict) -> str:
    """ "AMD EPYC (family 26, model 2, AVX-512), 2 processors"; of old records without what is in brackets."""
    numbers = f" (family {machine['family']}, model {machine['model']}, {machine['vectors']})" if machine.get("family") else ""
    return f"{machine['cpu']}{numbers}, {machine['cpus']} processors"


def announce(program: Path | str, kernels: blas.Choice) -> dict:
    """For runs of the command line alone: prints machine and BLAS, and gives what is kept of them; exits where the kernels are too old."""
    started, machine = launch.environment("serial", 1, kernels), describe_machine()
    ours = {"peer": "overlapack", "blas": blas.of_overlapack(program, started), "blas_variables": blas.recorded(started)}
    blas.require_new_kernels(ours, machine, kernels)
    print(circumstances([ours], machine))
    return {"machine": machine, **ours}


def circumstances(records: list[dict], machine: dict) -> str:
    """What stands above the tables of a terminal."""
    return f"machine: {machine_text(machine)}, {machine['system']}\nBLAS: {blas.summary(records)}"
