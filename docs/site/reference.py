"""The reference pages, made from the sources: what docs/build writes into docs/reference."""
import ast
import re
from collections.abc import Iterator
from pathlib import Path


# --- Python ----------------------------------------------------------------------------------------------------------

def of_python(root: Path) -> str:
    """Each public name of the package with its signature and its doc string, read without importing it."""
    package = root / "python" / "overlapack"
    page = ["# Python", "", "Made from python/overlapack by `docs/build`. Keywords of `**options`: [options](../options.md).", ""]
    imports = [node for node in ast.parse((package / "__init__.py").read_text()).body if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module]
    for node in sorted(imports, key=lambda node: node.module != "_solve"):  # what most people look for first
        if node.module != "_errors":
            module = parsed(package / f"{node.module}.py")
            for name in sorted((alias.name for alias in node.names), key=lambda name: (name[0].isupper(), name)):
                page += described(definition(module, name), "##", f"overlapack.{name}")
    page += ["## In JAX and PyTorch", ""]
    for file, where, names in (("jax", "jax", ("solve", "slogdet", "logdet")), ("torch", "torch", ("solve", "slogdet", "logdet")),
                               ("_kept_factors", "jax", ("cache_info", "set_cache_limit", "clear_cache"))):
        module = parsed(package / f"{file}.py")
        for name in names:
            page += described(definition(module, name), "###", f"overlapack.{where}.{name}")
    page += ["## What all factors answer", ""]
    for name in ("_factors.py", "_operator.py"):
        for node in parsed(package / name).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                page += described(node, "###", node.name)
    page += ["## Exceptions", ""]
    for node in ast.parse((package / "_errors.py").read_text()).body:
        if isinstance(node, ast.ClassDef):
            page.append(f"- `{node.name}({', '.join(map(ast.unparse, node.bases))})`: {ast.get_docstring(node) or ''}")
    return "\n".join(page) + "\n"


def parsed(file: Path) -> ast.Module:
    """Its classes know the lines of the file, as `lines`: comments are in no syntax tree."""
    text = file.read_text()
    module = ast.parse(text)
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            node.lines = text.splitlines()
    return module


def definition(module: ast.Module, name: str):
    found = [node for node in module.body if getattr(node, "name", None) == name]
    return found[-1]  # overloads stand before


def described(node, level: str, name: str) -> list[str]:
    lines = [f"{level} {name}", ""]
    if isinstance(node, ast.FunctionDef) and not is_attribute(node):
        lines += ["```python", f"{name.rpartition('.')[2]}({ast.unparse(node.args)})", "```", ""]
    if text := ast.get_docstring(node):
        lines += ["```text", text, "```", ""]
    if isinstance(node, ast.ClassDef):
        lines += fields(node)
        methods = {m.name: m for m in node.body if isinstance(m, ast.FunctionDef) and not m.name.startswith("_")}
        for method in methods.values():
            lines += described(method, level + "#", f"{node.name}.{method.name}" + (", an attribute" if is_attribute(method) else ""))
    return lines


def fields(node: ast.ClassDef) -> list[str]:
    """A row for each field that a comment "#:" explains."""
    rows = []
    for field in node.body:
        if isinstance(field, ast.AnnAssign):
            comment, at = [], field.lineno - 2
            while node.lines[at].strip().startswith("#:"):
                comment.insert(0, node.lines[at].strip()[2:].strip())
                at -= 1
            if comment:
                rows.append(f"| `{ast.unparse(field.target)}` | `{ast.unparse(field.annotation)}` | {' '.join(comment)} |")
    return ["| field | type | meaning |", "|---|---|---|", *rows, ""] if rows else []


def is_attribute(node: ast.FunctionDef) -> bool:
    """Is it read without ()?"""
    return any(ast.unparse(decorator) in ("property", "functools.cached_property", "cached_property") for decorator in node.decorator_list)


# --- C++ -------------------------------------------------------------------------------------------------------------

CPP_NAME = re.compile(r"\b(?:class|struct|enum class|enum|using)\s+(?:OVERLAPACK_API\s+)?(\w+)|\b(?!decltype)(\w+)\s*\(|(\w+)\s*(?:\[\]\s*)?=")


def of_cpp(root: Path) -> str:
    """Each public header: what it says of itself, and its declarations with their comments."""
    page = ["# C++", "", "Made from include/overlapack by `docs/build`. For a start see [C++](../cpp.md). Names of errors are those of `Error::status()`: "
            "Singular is `Status::singular`.", ""]
    for header in sorted((root / "include" / "overlapack").glob("*.hpp"), key=lambda header: (header.stem != "overlapack", header.stem)):
        text = header.read_text()
        page += [f"## overlapack/{header.name}", ""]
        head = re.match(r"#pragma once\n((?:///.*\n)+)", text)
        if head:
            page += fenced("text", re.sub(r"^/// ?", "", head[1], flags=re.MULTILINE))
        named: dict[str, list[str]] = {}
        for name, declaration in cpp_declarations(text[head.end() if head else 0:]):
            named.setdefault(name, []).append(declaration)
        for name, declarations in named.items():
            page += [f"### {name}", "", *fenced("cpp", "\n\n".join(declarations))]
    return "\n".join(page) + "\n"


def cpp_declarations(text: str) -> Iterator[tuple[str, str]]:
    """(name, declaration with its comment) of everything that stands in a namespace itself."""
    depth, base, lines = 0, 0, []
    for line in text.splitlines():
        code = re.sub(r"//.*|\"[^\"]*\"|'[^']*'", "", line)
        if re.match(r"#|OVERLAPACK_(?!API)", line) or (not line.strip() and depth == base):
            lines = lines if line.startswith("#") else []
            continue
        opens_namespace = re.match(r"(?:inline )?namespace [\w:]+ \{$", code.strip())
        depth += code.count("{") - code.count("}")
        if opens_namespace or depth < base:
            base, lines = depth, []
            continue
        lines.append(line)
        if depth == base and code.rstrip().endswith((";", "}")):
            declaration, lines = "\n".join(lines), []
            bare = re.sub(r"//.*|template <[^>]*>|requires[^;{]*", "", declaration)
            found = CPP_NAME.search(re.sub(r"^\s*template <.*?>\n", "", bare, flags=re.MULTILINE))
            is_known = re.fullmatch(r"\s*(?:(?:template <.*>\s*)?(?:class|struct) \w+|using [\w:]+);\s*", bare)  # from elsewhere
            if found and not is_known:
                yield next(filter(None, found.groups())), declaration


# --- C and Fortran ---------------------------------------------------------------------------------------------------

C_PART = re.compile(r"(?P<comment>/\*.*?\*/)|(?P<code>[^/\s#][^;{]*?(?:\{.*?\}[^;]*)?;)", re.DOTALL)


def of_c(root: Path) -> str:
    """Each declaration of overlapack.h with its comment, and how Fortran calls it."""
    header = (root / "include" / "overlapack" / "overlapack.h").read_text()
    fortran, called = fortran_calls(root / "fortran"), c_calls(root)
    page = ["# C and Fortran", "", "Made from overlapack.h and the Fortran module by `docs/build`. For a start see [C and Fortran](../c.md). In Fortran, `solver` is an "
            "`olp_solver`. Numbers of rows, columns and variables begin at 1 there.", "", "## Types and solvers", ""]
    comment = ""
    body = re.sub(r"^#.*\n", "", header.partition('extern "C" {')[2].rpartition("#ifdef __cplusplus")[0], flags=re.MULTILINE)
    for part in C_PART.finditer(body):
        if part["comment"]:
            text = re.sub(r"\n \* ?", "\n", part["comment"][2:-2]).strip()
            title = re.match(r"---- (.*?)(?: ----|\n|$)", text)
            if title:
                page += [f"## {re.split('[.:;]', title[1])[0]}", ""]
                text = text.replace("-", "").strip().removeprefix(title[1]).strip()
                page += prose(text)
                text = ""
            comment = text
            continue
        code = part["code"].removeprefix("OLP_API ").strip()
        name = re.search(r"(?:enum|struct) (\w+) \{|\(\*(\w+)\)|(\w+)\s*\((?!\*)|(\w+);$", code)
        page += [f"### {next(filter(None, name.groups()))}", "", *prose(comment), *fenced("c", re.sub(r"\n {8,}", "\n    ", code))]
        if name[3] in called:
            page += ["A tested call:", "", *fenced("c", called[name[3]])]
        call = fortran.get((name[3] or "").removeprefix("olp_"))
        page += fenced("fortran", call) if call else []
        comment = ""
    return "\n".join(page) + "\n"


def c_calls(root: Path) -> dict[str, str]:
    """Of each function the shortest call of a page or an example, or, if there is none, of the tests."""
    pages = ["\n".join(re.findall(r"^```c\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)) for page in sorted((root / "docs").rglob("*.md"))]
    examples = [file.read_text() for file in sorted((root / "examples").glob("*.c"))]
    tests = [file.read_text() for file in sorted((root / "tests" / "api").glob("c_*test.cpp"))]
    found: dict[str, str] = {}
    for sources in (pages + examples, tests):
        calls: dict[str, list[str]] = {}
        for text in sources:
            for start in re.finditer(r"\bolp_\w+(?=\()", text):
                depth, end = 0, start.end()
                while end == start.end() or depth > 0:
                    depth += {"(": 1, ")": -1}.get(text[end], 0)
                    end += 1
                is_refused = text[:start.start()].endswith("expect_refused(") or re.match(r",\s*OLP_(?!OK)", text[end:])
                if not is_refused and "is_odd" not in text[start.start():end]:
                    calls.setdefault(start[0], []).append(re.sub(r"\s+", " ", text[start.start():end]))
        for name, those in calls.items():
            found.setdefault(name, min(those, key=len) + ";")
    return found


def fortran_calls(folder: Path) -> dict[str, str]:
    """Name without olp_ -> the call by a solver."""
    source = "\n".join(path.read_text() for path in sorted(folder.glob("*.inc")) if path.name != "c_interface.inc")
    source = re.sub(r"&\n\s*", "", source)
    calls = {}
    for name, arguments in re.findall(r"integer function (?:\w+\()?(\w+)\)?\(self(?:, )?([^)]*)\) result", source):
        name = {"solve_rows": "solve_distributed"}.get(name, name)
        calls[name] = f"status = solver%{name}({arguments})"
    return calls


def prose(text: str) -> list[str]:
    """A paragraph as it stands, or nothing."""
    return [re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", text), ""] if text else []


def fenced(language: str, text: str) -> list[str]:
    return [f"````{language}", text.strip("\n"), "````", ""]
