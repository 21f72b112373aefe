"""Figures and pictures of traced runs."""
import numpy as np
import overlapack
import pytest
from overlapack import timeline

TABLE = """rank,what,kind,begin_s,end_s,peer,bytes,flops
0,compute,panel,0.0,3.0,-1,0,100
0,send,bulk,3.0,3.5,1,800,0
0,send,load,3.5,3.6,1,8,0
1,wait,,0.0,3.0,-1,0,0
1,compute,update,3.0,4.0,-1,0,50
"""


@pytest.fixture
def events(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    return timeline.read(path)


def test_statistics_of_a_known_timeline(events):
    figures = timeline.statistics(events)
    assert figures.ranks == 2 and figures.elapsed_s == 4.0
    assert figures.messages == 2 and figures.bytes == 808
    assert figures.largest_message_bytes == 800 and figures.mean_bytes_of_rank == 404
    assert figures["messages_of_kind"] == {"bulk": 1, "load": 1}
    assert figures["bytes_of_kind"] == {"bulk": 800, "load": 8}
    assert figures["seconds_of_rank"]["wait"] == [0.0, 3.0]
    assert figures["seconds_of_rank"]["idle"] == pytest.approx([0.4, 0.0])
    assert figures.wait_share == pytest.approx(3.4 / 8)
    assert figures.communication_share == pytest.approx(3.6 / 8)


def test_figures_of_a_run_are_those_of_its_report(make_matrix):
    A = make_matrix(400)
    factors = overlapack.factorize(A, trace=True, ranks=3)
    figures = timeline.statistics(timeline.of(factors))
    assert figures.ranks == 3
    assert figures.messages == sum(figures["messages_of_kind"].values()) > 0
    assert figures.largest_message_bytes >= factors.report.largest_message_bytes > 0
    assert 0 <= figures.wait_share <= 1


def test_the_report_of_a_traced_run_has_its_critical_path(make_matrix):
    A = make_matrix(400)
    report = overlapack.factorize(A, trace=True, ranks=3).report
    rank = report["traffic_of_rank"][0]
    length = rank["compute_s"] + rank["communication_s"] + rank["idle_s"]
    assert sum(part["seconds"] for part in report.critical_path) == pytest.approx(length)
    assert overlapack.factorize(A, ranks=3).report.critical_path == []


def test_pictures(events, tmp_path):
    pytest.importorskip("matplotlib")
    for draw in (timeline.draw, timeline.draw_shares):
        path = tmp_path / f"{draw.__name__}.svg"
        draw({"first": events, "second": events}, path)
        text = path.read_text()
        assert "<svg" in text and timeline._COLOURS["wait"] in text and timeline._COLOURS["compute"] in text


def test_the_module_as_a_program(tmp_path, capsys):
    (tmp_path / "run.csv").write_text(TABLE)
    timeline._main([str(tmp_path / "run.csv")])
    assert "largest_message_bytes  800" in capsys.readouterr().out


def test_bad_tables_are_refused(tmp_path):
    path = tmp_path / "t.csv"
    for text in ("", "a,b\n1,2\n", TABLE[:-20]):
        path.write_text(text)
        with pytest.raises(overlapack.BadInput):
            timeline.read(path)
    with pytest.raises(overlapack.BadInput):
        timeline.statistics(np.empty(0, timeline._TYPE))
