"""numpy and scipy live in the project's environment."""

import importlib.util
import os
import sys
from pathlib import Path


def require_scipy(root: Path) -> None:
    """Go on with the interpreter of the project's environment where this one has no scipy."""
    if importlib.util.find_spec("scipy"):
        return
    python = root / ".venv" / "bin" / "python"
    if Path(sys.prefix) == python.parent.parent or not python.exists():
        sys.exit("scipy is missing; run bench/install_peers first")
    os.execv(python, [str(python), *sys.argv])
