"""./docs/build makes the site of this tree; what would be broken in it is found."""
import importlib.machinery
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("docs_build", str(ROOT / "docs" / "build"))
build = importlib.util.module_from_spec(importlib.util.spec_from_loader("docs_build", loader))
loader.exec_module(build)


@pytest.mark.skipif(not all(map(importlib.util.find_spec, ("material", "latex2mathml"))), reason="mkdocs-material or latex2mathml is not installed")
def test_the_site_of_this_tree_has_no_broken_link(tmp_path):
    done = subprocess.run([sys.executable, ROOT / "docs" / "build", tmp_path / "site"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    for page in ("index", "docs/tutorial", "docs/choose", "docs/howto/mechanics", "docs/reference/python", "docs/options"):
        assert (tmp_path / "site" / f"{page}.html").exists(), page
    reference = (tmp_path / "site" / "docs" / "reference" / "python.html").read_text()
    assert "overlapack.factorize" in reference and "Factorization.null_space" in reference
    header = (ROOT / "include" / "overlapack" / "overlapack.h").read_text()
    calls = build.reference.c_calls(ROOT)
    assert not [name for name in re.findall(r"OLP_API [\w *]*?(olp_\w+)\(", header) if name not in calls]
    in_c = (tmp_path / "site" / "docs" / "reference" / "c.html").read_text()
    assert all(f'id="{name}"' in in_c for name in ("olp_solve", "olp_progress", "olp_matrix")) and "solve_distributed" in in_c
    in_cpp = (tmp_path / "site" / "docs" / "reference" / "cpp.html").read_text()
    assert all(f'id="{name}"' in in_cpp for name in ("factorization", "assemble", "compressed", "options"))
    found = (tmp_path / "site" / "search" / "search_index.json").read_text()
    assert (tmp_path / "site" / "docs" / "lab" / "jacobi.html").exists() and "docs/jacobi.html" in found and "docs/lab/" not in found
    dense = (tmp_path / "site" / "docs" / "dense.html").read_text()
    assert "<mfrac>" in dense and r"\frac" not in dense


def test_every_page_of_docs_is_in_the_menu():
    menu = (ROOT / "docs" / "site.yml").read_text()
    for page in [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/howto/*.md")]:
        assert str(page.relative_to(ROOT)) in menu, page


def test_broken_links_are_found(tmp_path):
    (tmp_path / "a.html").write_text('<h1 id="top">x</h1><a href="b.html#there">1</a><a href="#top">2</a><a href="https://x.y">3</a>')
    (tmp_path / "b.html").write_text('<h2 id="there">x</h2><a href="a.html">1</a>')
    assert build.broken_links(tmp_path) == []
    (tmp_path / "b.html").write_text('<h2 id="here">x</h2><a href="a.html#bottom">1</a><img src="c.svg">')
    assert sorted(build.broken_links(tmp_path)) == ["a.html -> b.html#there", "b.html -> a.html#bottom", "b.html -> c.svg"]


def test_files_from_elsewhere_are_found(tmp_path):
    (tmp_path / "a.html").write_text('<link rel="stylesheet" href="a.css"><script src="a.js"></script><a href="https://x.y">x</a>')
    assert build.foreign_files(tmp_path) == []
    for foreign in ('<script src="https://x.y/a.js"></script>', '<source media="x" srcset="https://x.y/a.svg">'):
        (tmp_path / "a.html").write_text(foreign)
        assert build.foreign_files(tmp_path) == ["a.html"]


def test_pictures_of_html_come_along(tmp_path):
    pages = build.Pages(tmp_path)
    text = '<picture><source srcset="docs/timelines/lu-messages.svg"><img src="docs/timelines/lu-onesided.svg"></picture>\n'
    assert pages.prose(ROOT / "README.md", text) == text
    pages.write_all()
    assert sorted(path.name for path in tmp_path.rglob("*.svg")) == ["lu-messages.svg", "lu-onesided.svg"]


def test_pages_say_their_rank_and_what_would_be_empty(tmp_path):
    pages = build.Pages(tmp_path)
    heads = {}
    for page, text in (("README.md", "# a\n\n## b\n"), ("docs/options.md", "# a\n"), ("docs/decisions/0001-layers.md", "# a\n\n## b\n")):
        pages.write(page, text)
        heads[page] = (tmp_path / page).read_text().split("---\n")[1]
        assert (tmp_path / page).read_text().endswith(text)
    ranks = [float(head.split("boost: ")[1].split("}")[0]) for head in heads.values()]
    assert ranks[0] >= ranks[1] > ranks[2]
    assert [head.split("hide: ")[1].strip() for head in heads.values()] == ["[navigation]", "[toc]", "[]"]
    assert set(build.menu().values()) == set(build.RANKS)


def test_notes_of_measurements_are_not_searched(tmp_path):
    pages = build.Pages(tmp_path)
    for page, is_searched in (("docs/lab/dense.md", False), ("docs/dense.md", True)):
        pages.write(page, "# a\n")
        assert ("search: {exclude: true}" not in (tmp_path / page).read_text()) == is_searched, page


def test_the_site_is_told_the_address_where_there_is_one(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setenv("OVERLAPACK_SITE", "https://x.y")
    (tmp_path / "packaging").mkdir()
    (tmp_path / "CMakeLists.txt").write_text("project(overlapack VERSION 1.2.3 LANGUAGES CXX)")
    settings = (ROOT / "docs" / "site.yml").read_text()
    for address in ("", "https://a.b"):
        (tmp_path / "packaging" / "address").write_text(address + "\n")
        told = build.told()
        assert told.get("OVERLAPACK_ADDRESS", "") == address and told["OVERLAPACK_TITLE"] == "overlapack 1.2.3"
        assert all(f"!ENV [{name}, " in settings for name in told)


def test_lists_links_and_folders_of_pages(tmp_path):
    pages = build.Pages(tmp_path)
    page = ROOT / "docs" / "page.md"
    assert pages.prose(page, "text:\n- a\n- b\n") == "text:\n\n- a\n- b\n"
    assert pages.prose(page, "- a\n  more\n- b\n") == "- a\n  more\n- b\n"
    assert pages.prose(page, "[x](../examples/solve.c)") == "[x](../examples/solve.c.md)"
    assert pages.prose(page, "[x](decisions#y), [z](../examples)") == "[x](decisions/README.md#y), z"
    assert pages.prose(page, "[x](https://a.b/c), [y](#z)") == "[x](https://a.b/c), [y](#z)"
