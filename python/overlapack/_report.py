"""The report of a run: what the solver did, how long, and how well."""
from __future__ import annotations

from typing import Any, Dict


class Report(Dict[str, Any]):
    """A dict of the figures that `overlapack solve --json` prints; its entries are attributes too.

    report["backward_error"] is report.backward_error; print(report) shows them one a line.
    """

    def __getattr__(self, name: str) -> Any:
        try:
            value = self[name]
        except KeyError:
            raise AttributeError(f"the report has no entry {name!r}; it has {', '.join(self)}") from None
        return Report(value) if isinstance(value, dict) else value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:{width}}  {_shown(value)}" for name, value in self.items())

    __str__ = __repr__


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_shown(part)}" for name, part in value.items())
    if isinstance(value, list):
        return " ".join(map(_shown, value))
    return f"{value:.4g}" if isinstance(value, float) else str(value)
