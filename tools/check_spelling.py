#!/usr/bin/env python3
"""Fail where a word is not spelled as CONTRIBUTING.md says: British, but factorize and factorization in names.

    tools/check_spelling.py [ROOT]      prints one line a word; exit code 1 if there is any
"""
import re
import sys
from pathlib import Path

CODE = {".cpp", ".hpp", ".h", ".c", ".inl", ".py", ".pyi"}
TEXT = {".md", ".cmake", ".txt"}
SKIPPED = {".git", ".venv", "out", "results", "data", "__pycache__", "foreign"}  # foreign: names of other projects
THEMSELVES = {"check_spelling.py", "test_check_spelling.py"}

AMERICAN = re.compile(
    r"\b(?:neighbor|behavior|analyz(?!ePattern)|a?synchroniz|(?:ortho)?normaliz|(?<!scipy\.)optimiz(?!e=)|(?<!optimize\.)minimiz|maximiz|(?:un)?initializ(?!er_)|(?<!MPI\.)finaliz"
    r"|summariz|recogniz|favor|honor|labeled|modeled|traveled|canceled)\w*", re.IGNORECASE)
NAME = re.compile(r"\w*factoris\w*", re.IGNORECASE)  # a name has -ize, as LAPACK's and SciPy's users write it
PROSE = re.compile(r"\b(?:re)?factoriz(?:ed|ing|ations|es)\b")  # prose has -ise; factorize alone may be a name there

TITLES = re.compile(r"^```bibtex\n.*?^```", re.MULTILINE | re.DOTALL)  # are spelled as they were printed
COMMENT_OR_STRING = re.compile(
    r'"""(?:.|\n)*?"""|//[^\n]*|/\*(?:.|\n)*?\*/|(?m:#(?!\s*(?:include|define|if|else|end|undef|pragma|error)).*$)'
    r'|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])*\'')


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def check_text(text, is_code):
    """(line, word, what is wrong), in their order."""
    text = TITLES.sub(blank, text)
    names = COMMENT_OR_STRING.sub(blank, text) if is_code else ""
    prose = "\n".join(a if not b.strip() else "" for a, b in zip(text.split("\n"), names.split("\n"))) if is_code else text
    prose = re.sub(r"`[^`\n]*`", blank, prose)
    found = [(m.start(), m.group(), "is American") for m in AMERICAN.finditer(text)]
    found += [(m.start(), m.group(), "is a name: -ize") for m in NAME.finditer(names)]
    lines = [(text.count("\n", 0, at) + 1, word, why) for at, word, why in found]
    lines += [(prose.count("\n", 0, m.start()) + 1, m.group(), "is prose: -ise") for m in PROSE.finditer(prose)]
    return sorted(lines)


def main(root):
    files = [path for path in sorted(root.rglob("*")) if path.suffix in CODE | TEXT and path.name not in THEMSELVES
             and not any(part in SKIPPED or part.startswith("build") for part in path.relative_to(root).parts)]
    problems = [f"{path.relative_to(root)}:{line}: {word} {why}" for path in files
                for line, word, why in check_text(path.read_text(errors="replace"), path.suffix in CODE)]
    print("\n".join(problems) or f"{len(files)} files are spelled as CONTRIBUTING.md says")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
