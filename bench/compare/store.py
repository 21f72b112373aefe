"""Records of runs: what a comparison has measured, in a file that an interrupted one continues."""

import json
import os
import platform
import sys
from dataclasses import dataclass, field
from pathlib import Path

from . import gate


@dataclass
class Store:
    """Records in a file (or only in memory), written after each run; with the machine that they were made on."""

    path: Path | None = None
    records: list[dict] = field(default_factory=list)
    machine: dict = field(default_factory=dict)
    matrices: dict[str, dict] = field(default_factory=dict)  # what the records' matrices are, by name

    @staticmethod
    def open(path: Path | None, is_continued: bool) -> "Store":
        """is_continued: records will be added, which have to come from the machine of those that are there."""
        here = describe_machine()
        if path is None or not path.exists():
            return Store(path, machine=here)
        kept = json.loads(path.read_text())
        if is_continued and any(kept["machine"][key] != here[key] for key in ("cpu", "cpus")):
            sys.exit(f"{path} was measured on {kept['machine']}, and this is {here}; give another file")
        return Store(path, kept["records"], kept["machine"], kept.get("matrices", {}))

    def find(self, **key) -> dict | None:
        return next((r for r in self.records if all(r.get(k) == v for k, v in key.items())), None)

    def select(self, **key) -> list[dict]:
        return [r for r in self.records if all(r.get(k) == v for k, v in key.items())]

    def add(self, record: dict) -> None:
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


def describe_machine() -> dict:
    """CPU, number of CPUs, memory, system."""
    with open("/proc/cpuinfo") as info:
        model = next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), "unknown")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"cpu": model, "cpus": gate.CPUS, "memory_gib": round(memory / 2**30), "system": platform.platform()}
