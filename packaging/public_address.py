#!/usr/bin/env python3
"""What carries the address in packaging/address: one line, the repository's page without a slash at its end. The file is empty while there is none.

    packaging/public_address.py            write the address into the files that are read as they are: FILES below
    packaging/public_address.py --check    name those that say something else; the exit code is 1 if there are any
    packaging/public_address.py --recipes SDIST FOLDER      write conda's and Spack's recipes into FOLDER, with the address of the sdist and its checksum
    packaging/public_address.py --page < PAGE    print a page of the root for where no other file of the tree is: links lead to the tag of this version, or are
                                                 their words alone

pyproject.toml takes from here what PyPI shows: the links beside README.md, and README.md with links that lead somewhere there.
CMakeLists.txt (`overlapack solve --report-bug`, pkg-config) and docs/build (the link to the sources) read packaging/address themselves.
The paths below the address are GitHub's.
"""
import hashlib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# What stands between the lines `packaging/address` and `end`, both comments: without an address, and with one.
FILES = {
    "SECURITY.md": ("There is no public address yet: tell the person from whom you have your copy, and nobody else.\n",
                    "Write to us at <{address}/security/advisories/new>. Only the developers see it.\n"),
    "CONTRIBUTING.md": ("There is no public address yet: send changes and reports of faults to the person from whom you have your copy.\n",
                        "Faults and wishes: <{address}/issues>. Changes: pull requests at <{address}/pulls>.\n"),
    "CITATION.cff": ("", "repository-code: {address}\n"),
    ".github/ISSUE_TEMPLATE/config.yml": ("", "contact_links:\n  - name: A hole in the security\n    url: {address}/security/advisories/new\n"
                                          "    about: Only the developers see it.\n"),
    "debian/control": ("", "Homepage: {address}\n"),
}
REGION = re.compile(r"(^(?:#|<!--) packaging/address(?: -->)?\n)(.*?)(^(?:#|<!--) end(?: -->)?\n)", re.MULTILINE | re.DOTALL)

# What recipes of the sources say, and what those of a released sdist say instead.
SDIST = "{address}/releases/download/v{version}/overlapack-{version}.tar.gz"
RECIPES = {
    "conda/recipe.yaml": [("source:\n  path: ../..\n  use_gitignore: true\n", f"source:\n  url: {SDIST}\n  sha256: {{sha256}}\n"),
                          ("about:\n", "about:\n  homepage: {address}\n  repository: {address}\n")],
    "conda/variants.yaml": [],
    "spack/package.py": [('    license("BSD-3-Clause")\n    version("main")\n',
                          f'    homepage = "{{address}}"\n    url = "{SDIST}"\n    git = "{{address}}.git"\n\n    license("BSD-3-Clause")\n'
                          '    version("main", branch="main")\n    version("{version}", sha256="{sha256}")\n')],
}

FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"<picture>.*?</picture>\n?|<img [^>]*>\n?|!\[[^\]]*\]\([^)]*\)", re.DOTALL)
LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)")


def read_address(root: Path = ROOT) -> str:
    return (root / "packaging" / "address").read_text().strip()


def version(root: Path = ROOT) -> str:
    return re.search(r"project\(overlapack VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text()).group(1)


def filled(root: Path, name: str) -> str:
    """The text of a file of FILES as the address wants it."""
    without, with_it = FILES[name]
    address = read_address(root)
    text, count = REGION.subn(lambda found: found[1] + (with_it.format(address=address) if address else without) + found[3],
                              (root / name).read_text())
    if count != 1:
        raise ValueError(f"{name} has {count} places between the comments packaging/address and end; one is wanted")
    return text


def differing(root: Path) -> list:
    return [name for name in FILES if (root / name).exists() and filled(root, name) != (root / name).read_text()]  # an sdist lacks .github


def recipes(root: Path, sha256: str) -> dict:
    """name -> text of the recipes that fetch the sdist of that checksum."""
    told = {"address": read_address(root), "version": version(root), "sha256": sha256}
    if not told["address"]:
        raise ValueError("packaging/address is empty: nobody could fetch the sdist from anywhere")
    texts = {}
    for name, changes in RECIPES.items():
        texts[name] = (root / "packaging" / name).read_text()
        for old, new in changes:
            if texts[name].count(old) != 1:
                raise ValueError(f"packaging/{name} has not once: {old}")
            texts[name] = texts[name].replace(old, new.format(**told))
    return texts


# --- PyPI ------------------------------------------------------------------------------------------------------------

def links(root: Path) -> dict:
    address = read_address(root)
    return {"Homepage": address, "Documentation": f"{address}/tree/HEAD/docs", "Changelog": f"{address}/blob/HEAD/CHANGELOG.md",
            "Issues": f"{address}/issues"} if address else {}


def elsewhere(root: Path, page: str) -> str:
    """A page of the root for where no other file of the tree is."""
    address = read_address(root)
    pages, files = f"{address}/blob/v{version(root)}/", f"{address}/raw/v{version(root)}/"

    def of_picture(found):
        return re.sub(r'((?:src|srcset)="|\]\()(?!https?:)', lambda begin: begin[0] + files, found[0])

    def of_prose(text):
        text = PICTURE.sub(of_picture if address else "", text)
        return LINK.sub(lambda found: f"[{found[1]}]({pages}{found[2]})" if address else found[1], text)

    return "".join(part if part.startswith("```") else of_prose(part) for part in FENCE.split(page))


def readme(root: Path) -> str:
    text = elsewhere(root, (root / "README.md").read_text())
    return text if read_address(root) else text + "\nThe pages and folders named here are in the source distribution (sdist).\n"


def dynamic_metadata(field, settings, project=None):
    """What scikit-build-core asks for."""
    return links(ROOT) if field == "urls" else {"content-type": "text/markdown", "text": readme(ROOT)}


def main() -> None:
    arguments = sys.argv[1:]
    if arguments[:1] == ["--recipes"] and len(arguments) == 3:
        sha256 = hashlib.sha256(Path(arguments[1]).read_bytes()).hexdigest()
        for name, text in recipes(ROOT, sha256).items():
            path = Path(arguments[2]) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return
    if arguments == ["--page"]:
        print(elsewhere(ROOT, sys.stdin.read()), end="")
        return
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    names = differing(ROOT)
    if arguments == ["--check"]:
        sys.exit("\n".join(f"{name} does not say what packaging/address says: run packaging/public_address.py" for name in names) or 0)
    for name in names:
        (ROOT / name).write_text(filled(ROOT, name))
        print(f"written: {name}")


if __name__ == "__main__":
    main()
