"""How reports, plans and factors show themselves: in a terminal, and in a notebook."""
import html.parser
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import overlapack
import pytest
from overlapack import timeline
from overlapack._report import Report
from scipy import sparse

VOID = {"br", "hr", "img"}


class Parsed(html.parser.HTMLParser):
    """Raises where tags are not closed in their order; `texts` are those of the table's cells, row by row."""

    def __init__(self, text):
        super().__init__()
        self.open, self.rows, self.tags = [], [], set()
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("th", "td"):
            self.rows[-1][-1] += data


def cube(k):
    line = sparse.diags_array([[-1.0] * (k - 1), [2.0] * k, [-1.0] * (k - 1)], offsets=[-1, 0, 1])
    return sparse.csc_array(sparse.kronsum(sparse.kronsum(line, line), line))


def labels(shown):
    return [re.split(r"\s{2,}", line)[0] for line in str(shown).splitlines()]


def test_a_report_is_short_and_has_no_empty_lines():
    x, report = overlapack.solve(cube(5), np.ones(125), report=True, ranks=1)
    assert labels(report) == ["matrix", "analysis", "factorisation", "memory", "solve", "backward error", "status",
                              f"(table() has all {len(report)} entries)"]
    shown = repr(report)
    assert shown == str(report)
    for told in ("125 x 125", "725 entries", "float64, symmetric", "multifrontal ldlt on 1 rank", "1 right-hand side", " ok"):
        assert told in shown
    assert not re.search(r"\bNone\b|nan|, ,| 0 ", shown)
    whole = report.table()
    assert [line.split()[0] for line in whole.splitlines()] == list(report)
    assert report.pivots.table().startswith("delayed") and "delayed" in repr(report.pivots)


@pytest.mark.filterwarnings("ignore::overlapack.UnusedOptionWarning")
@pytest.mark.parametrize("options, expected, left_out", [
    ({"method": "dense"}, ["factorisation", "memory", "solve", "backward error"], ["analysis"]),
    ({"method": "jacobi", "ranks": 2}, ["solve", "backward error"], ["factorisation", "analysis", "memory"]),
    ({"method": "multisplitting", "ranks": 2}, ["factorisation", "solve", "backward error"], ["analysis"]),
    ({"error_analysis": True}, ["error bound", "condition"], []),
    ({"depth": 2}, ["not used"], []),
])
def test_what_a_report_of_another_method_shows(options, expected, left_out):
    A = cube(4) + 6 * sparse.eye_array(64, format="csc")
    _, report = overlapack.solve(A, np.ones(64), report=True, **options)
    assert set(expected) <= set(labels(report)) and not set(left_out) & set(labels(report))
    assert len(labels(report)) <= 10


def test_pivots_and_trouble_are_shown():
    A = sparse.csc_array(np.array([[1.0, -1], [-1, 1]]))
    factors = overlapack.factorize(A, null_pivots=True)
    assert "1 null pivot" in repr(factors.report) and "numerical rank  1 of 2" in repr(factors.report)
    factors = overlapack.factorize(A)
    assert repr(factors).endswith(", may be singular>")
    assert "pivots         that of unknown 1 is zero: the matrix may be singular, which a solve tells" in repr(factors.report)
    with pytest.warns(overlapack.IllConditionedWarning):
        factors.solve([1.0, -1.0])
    assert "may be" not in repr(factors) + repr(factors.report)
    with pytest.warns(overlapack.IllConditionedWarning):
        _, report = overlapack.solve(A, [1.0, -1.0], report=True)
    assert f"status          {report.status}: {report.message}" in repr(report)
    assert report.status == "ill_conditioned" and report.message


def test_a_report_of_least_squares():
    _, report = overlapack.lstsq(np.array([[1.0], [1], [1]]), [1.0, 2, 3], report=True)
    assert "||b - A x||    1.41421\n" in repr(report) and "3 x 1, float64" in repr(report)


def test_a_plan_shows_what_is_planned():
    planned = overlapack.plan(cube(6), ranks=1)
    assert labels(planned) == ["matrix", "method", "choice", "analysis", "time", "factors", "work", "memory", "on disk",
                               f"(table() has all {len(planned)} entries)"]
    assert "without delayed pivots" in repr(planned) and "0 flop" not in repr(planned)
    assert isinstance(planned, overlapack.Report) and planned.predicted_flops > 0
    on_disk = overlapack.plan(cube(6), factors="disk", scratch="/tmp")
    assert not any("with factors=" in line for line in repr(on_disk).splitlines()) and "on disk" in labels(on_disk)


def test_a_plan_says_that_it_does_not_fit():
    A = sparse.diags_array([[-1.0] * 99, [2.1] * 100, [-1.0] * 99], offsets=[-1, 0, 1], format="csc")
    fits = overlapack.plan(A)
    assert fits.status == "ok" and "does not fit" not in repr(fits)
    for tight in (overlapack.plan(A, memory_limit=1000), overlapack.analyse(A, memory_limit=1000).report):
        assert (tight.status, tight.predicted_bytes) == ("out_of_memory", fits.predicted_bytes)
        assert "more than the 1.00 kB (1000 bytes) of memory_limit; raise it" in tight.message
    assert "does not fit  the factorisation is predicted to need" in repr(overlapack.plan(A, memory_limit="1 kB"))
    with pytest.raises(overlapack.OutOfMemory, match="of memory_limit; raise it"):
        overlapack.factorize(A, memory_limit=1000)
    assert overlapack.factorize(A, analysis=overlapack.analyse(A, memory_limit=1000)).report.status == "ok"


def test_an_entry_inside_of_another_by_its_path():
    report = overlapack.factorize(np.diag([2.0, 3.0])).report
    assert report["pivots.delayed"] == report.pivots.delayed == 0
    for name in ("pivots.late", "status.of", "nothing", "pivots."):
        with pytest.raises(KeyError, match=name):
            report[name]


def test_other_reports_show_all():
    figures = timeline.statistics(timeline.of(overlapack.factorize(cube(4), trace=True)))
    assert labels(figures) == list(figures)
    assert [row[0] for row in Parsed(figures._repr_html_()).rows] == list(figures)
    assert repr(Report()) == ""


def test_factors_are_one_line():
    shown = repr(overlapack.factorize(cube(4), ranks=1))
    assert re.fullmatch(r"<overlapack.Factorization of a 64 x 64 matrix, float64: ldlt, \d+ entries, [\d.]+ kB, 1 rank>", shown)
    assert re.search(r"QrFactorization of a 3 x 2 matrix, float64: qr, .*, 2 ranks>", repr(overlapack.qr_factor(np.eye(3, 2), ranks=2)))


def test_the_table_of_a_report():
    _, report = overlapack.solve(cube(5), np.ones(125), report=True)
    parsed = Parsed(report._repr_html_())
    first = [row[0] for row in parsed.rows[: len(labels(report)) - 1]]
    assert first == labels(report)[:-1] and [row[0] for row in parsed.rows[len(first):]] == list(report)
    assert "script" not in parsed.tags and "http" not in report._repr_html_()


def test_what_is_shown_is_escaped():
    _, report = overlapack.solve(cube(2), np.ones(8), report=True)
    bad = '<script>alert("1 & 2")</script>'
    report["message"], report["hint"] = bad, bad
    parsed = Parsed(report._repr_html_())
    assert "script" not in parsed.tags and ["hint", bad] in parsed.rows
    other = Report({bad: bad})
    assert Parsed(other._repr_html_()).rows == [[bad, bad]]


def test_factors_in_a_notebook():
    A = cube(5)
    for factors in (overlapack.factorize(A), overlapack.lu_factor(A.toarray()), overlapack.qr_factor(A.toarray())):
        parsed = Parsed(factors._repr_html_())
        assert "svg" not in parsed.tags and ["status", "ok"] in parsed.rows
        assert f"overlapack.{type(factors).__name__} of a 125 x 125 matrix" in factors._repr_html_()
    factors.close()
    assert Parsed(factors._repr_html_()).tags == {"pre"}


def picture_of(text):
    return ElementTree.fromstring(re.search("<svg.*</svg>", text, re.DOTALL).group(0))


@pytest.mark.parametrize("make", [lambda **o: overlapack.factorize(cube(6), **o), lambda **o: overlapack.lu_factor(cube(4).toarray(), **o)])
def test_traced_factors_have_their_picture(make, tmp_path):
    factors = make(trace=True, ranks=2)
    parsed = Parsed(factors._repr_html_())
    picture = picture_of(factors._repr_html_())
    assert "svg" in parsed.tags and picture.tag.endswith("svg")
    texts = [element.text for element in picture.iter() if element.tag.endswith("text")]
    assert "on 2 ranks" in texts[0] and {"rank 0", "rank 1"} <= set(texts)
    shown = timeline.picture(factors)
    assert shown._repr_svg_() == shown.svg and picture_of(shown.svg).tag.endswith("svg")
    assert "svg" in Parsed(shown._repr_html_()).tags and "SVG of" in repr(shown)
    factors.write_timeline(tmp_path / "t.svg")
    assert (tmp_path / "t.svg").read_text() == shown.svg
    assert "href" not in shown.svg and "url(" not in shown.svg  # nothing from elsewhere
    width, height = float(picture.get("width")), float(picture.get("height"))
    assert picture.get("viewBox") == f"0 0 {width:.0f} {height:.0f}"  # so that it fits a narrow page
    with pytest.raises(overlapack.BadInput, match="trace=True"):
        timeline.picture(make())


def test_pictures_leave_the_callers_backend(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    before = matplotlib.rcParams._get_backend_or_none() if hasattr(matplotlib.rcParams, "_get_backend_or_none") else None
    events = timeline.of(overlapack.factorize(cube(4), trace=True))
    timeline.draw({"one": events}, tmp_path / "t.svg")
    timeline.draw_shares({"one": events}, tmp_path / "s.png")
    assert (tmp_path / "t.svg").read_text().count("<svg") == 1 and (tmp_path / "s.png").read_bytes()[:4] == b"\x89PNG"
    after = matplotlib.rcParams._get_backend_or_none() if hasattr(matplotlib.rcParams, "_get_backend_or_none") else None
    assert before == after
