"""Records of runs: what a comparison has measured, in a file that an interrupted one continues."""

import json
import platform
from dataclasses import dataclass, field
from pathlib import Path

from . import gate


@dataclass
class Store:
    """Records in a file (or only in memory), written after each run."""

    path: Path | None = None
    records: list[dict] = field(default_factory=list)

    @staticmethod
    def open(path: Path | None) -> "Store":
        store = Store(path)
        if path and path.exists():
            store.records = json.loads(path.read_text())["records"]
        return store

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
        if self.path is None:
            return
        part = self.path.with_suffix(self.path.suffix + ".part")
        part.write_text(json.dumps({"machine": describe_machine(), "records": self.records}, indent=1))
        part.rename(self.path)


def describe_machine() -> dict:
    """CPU, number of CPUs, system."""
    with open("/proc/cpuinfo") as info:
        model = next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), "unknown")
    return {"cpu": model, "cpus": gate.CPUS, "system": platform.platform()}
