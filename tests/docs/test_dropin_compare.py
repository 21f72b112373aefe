"""What bench/dropin_compare reads from PETSc's log, and when it calls two runs no pair."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from compare import dropin_measure, dropin_report, gate  # noqa: E402

LOG = """Linear elas_ solve converged due to CONVERGED_ITS iterations 1
MatSolve               2 1.0 2.5000e-03 1.0 0.00e+00 0.0 0.0e+00 0.0e+00 0.0e+00  1  0  0  0  0   1  0  0  0  0     0
MatLUFactorSym         1 1.0 1.0000e-03 1.0 0.00e+00 0.0 0.0e+00 0.0e+00 0.0e+00  1  0  0  0  0   1  0  0  0  0     0
MatLUFactorNum         1 1.0 5.0000e-01 1.2 0.00e+00 0.0 0.0e+00 0.0e+00 0.0e+00  1  0  0  0  0   1  0  0  0  0     0
"""


def test_the_events_of_a_direct_solver_are_added_up():
    result = dropin_measure.petsc_result(gate.Run(LOG, "", 0, 1.0, 0.0), 60)
    assert result["status"] == "ok" and result["events"]["MatSolve"]["calls"] == 2
    assert abs(result["total_s"] - 0.5035) < 1e-12
    assert dropin_measure.petsc_result(gate.Run(LOG.replace("converged", "did not"), "", 0, 1.0, 0.0), 60)["status"] == "failed"
    assert dropin_measure.petsc_result(gate.Run("", "no memory", 1, 1.0, 0.0), 60)["status"] == "crashed"
    assert dropin_measure.petsc_result(gate.Run("", "", None, 1.0, 0.0), 60)["status"] == "timeout"


def record(peer, **more):
    return {"host": "ipopt", "problem": "a", "ranks": 1, "size": 10, "peer": peer, "round": 0, "status": "ok", "optimum": 1.0,
            "iterations": 5, "total_s": 3.0, "functions_s": 1.0, "is_noisy": False, **more}


def test_another_optimum_is_wrong(capsys):
    assert dropin_report.print_report([record("mumps"), record("overlapack", total_s=2.0)], False) == 0
    assert "ratio 2.00" in capsys.readouterr().out  # (3 - 1) / (2 - 1)
    assert dropin_report.print_report([record("mumps"), record("overlapack", optimum=1.1)], False) == 1
    assert "another optimum" in capsys.readouterr().out
    assert dropin_report.print_report([record("mumps"), record("overlapack", status="failed")], True) == 1


def test_there_are_three_problems_of_petsc_and_twenty_of_ipopt():
    found = dropin_measure.cases(["petsc", "ipopt"], [1, 2], True)
    assert sum(case.host == "petsc" for case in found) == 6
    assert len({case.name for case in found if case.host == "ipopt"}) == 20
