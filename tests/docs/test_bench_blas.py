"""With which kernels a figure of bench was made: what programs are started with, which kernels are refused, what stores keep apart, what tables say."""
import argparse
import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from compare import blas, dense_solvers, gate, launch, store  # noqa: E402

DEBIAN = "/usr/lib/libopenblasp-r0.3.21.so (OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY {0} MAX_THREADS=64, kernels {0})"
OF_MKL = ("MKL 2026.0.2 for Intel(R) Advanced Vector Extensions 512 (Intel(R) AVX-512) with support for INT8, BF16 instructions enabled processors")
SAPPHIRE_RAPIDS = {"cpu": "Intel Xeon", "vendor": "GenuineIntel", "family": "6", "model": "207", "vectors": "AVX-512", "cpus": 2}
ROME = {"cpu": "AMD EPYC", "vendor": "AuthenticAMD", "family": "23", "model": "49", "vectors": "AVX2", "cpus": 2}


def run_of(peer, text, **more):
    return {"peer": peer, "blas": text, "status": "ok", **more}


def chosen(*arguments):
    parser = argparse.ArgumentParser()
    blas.add_options(parser)
    return blas.Choice.of(parser.parse_args(arguments))


@pytest.fixture(autouse=True)
def variables(monkeypatch):
    for name, value in (("OPENBLAS_CORETYPE", "Haswell"), ("OPENBLAS_L2_SIZE", "512"), ("MKL_ENABLE_INSTRUCTIONS", "AVX2"), ("OTHER", "stays")):
        monkeypatch.setenv(name, value)


def test_programs_start_without_variables_that_steer_a_blas():
    started = launch.environment("threads", 2)
    assert started["OTHER"] == "stays" and started["OPENBLAS_NUM_THREADS"] == "1"
    assert blas.recorded(started) == {}
    asked = launch.environment("threads", 2, chosen("--keep-blas-variables"))
    assert blas.recorded(asked) == {"MKL_ENABLE_INSTRUCTIONS": "AVX2", "OPENBLAS_CORETYPE": "Haswell", "OPENBLAS_L2_SIZE": "512"}


def test_a_core_type_is_given_to_peers_alone():
    choice = chosen("--peer-coretype", "SKYLAKEX")
    assert blas.recorded(launch.environment("mpi", 2, choice, is_ours=False)) == {"OPENBLAS_CORETYPE": "SKYLAKEX"}
    assert blas.recorded(launch.environment("mpi", 2, choice, is_ours=True)) == {}


def test_a_run_keeps_what_its_program_was_started_with():
    started = launch.environment("serial", 1, chosen("--peer-coretype", "SKYLAKEX"), is_ours=False)
    run = gate.execute([sys.executable, "-c", "import os; print(os.environ['OPENBLAS_CORETYPE'])"], started, 60, 16 << 30)
    assert run.output == "SKYLAKEX\n" and run.circumstances()["blas_variables"] == {"OPENBLAS_CORETYPE": "SKYLAKEX"}


@pytest.mark.parametrize(("kernels", "vectors"), [
    ("Prescott", "SSE"), ("Nehalem", "SSE"), ("Sandybridge", "AVX"), ("Excavator", "AVX"), ("Haswell", "AVX2"), ("Zen", "AVX2"),
    ("SkylakeX", "AVX-512"), ("Cooperlake", "AVX-512"), ("SapphireRapids", "AVX-512"), ("Neoversen1", "")])
def test_the_generation_of_kernels(kernels, vectors):
    assert blas.told({"blas": DEBIAN.format(kernels)}) == blas.Told("OpenBLAS 0.3.21", kernels, vectors)


def test_what_else_tells_its_kernels():
    assert blas.told({"blas": "OpenBLAS 0.3.34, kernels Haswell"}) == blas.Told("OpenBLAS 0.3.34", "Haswell", "AVX2")  # overlapack's own words
    assert blas.told({"blas": "MKL 2026.0, kernels Intel(R) Advanced Vector Extensions 2 (Intel(R) AVX2)"}) == blas.Told("MKL 2026.0", "AVX2", "AVX2")
    assert blas.told({"blas": "/usr/lib/libblis.so.4 (BLIS 0.9.0, kernels haswell)"}) == blas.Told("BLIS 0.9.0", "haswell", "AVX2")
    assert blas.told({"blas": OF_MKL}) == blas.Told("MKL 2026.0.2", "AVX-512", "AVX-512")
    assert blas.told({"blas": "MKL 2026.0.2 for Intel(R) Architecture processors"}).vectors == ""
    for nothing in ({}, {"blas": "none"}, {"blas": "/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3"}):
        assert blas.told(nothing) is None


def test_kernels_of_an_older_generation_are_refused():
    prescott, haswell = (run_of("mumps", DEBIAN.format(name)) for name in ("Prescott", "Haswell"))
    why = blas.refusal(prescott, SAPPHIRE_RAPIDS)
    assert "mumps runs with kernels Prescott of OpenBLAS 0.3.21 (SSE) on a processor with AVX-512" in why
    assert "--peer-coretype SKYLAKEX" in why and "--old-kernels" in why
    assert blas.refusal(haswell, SAPPHIRE_RAPIDS) and not blas.refusal(haswell, ROME) and "HASWELL" in blas.refusal(prescott, ROME)
    assert not blas.refusal(run_of("mumps", DEBIAN.format("SkylakeX")), SAPPHIRE_RAPIDS)
    built_for_one = run_of("mumps", "casadi/libcasadi-tp-openblas.so.0 (OpenBLAS 0.3.24 NO_AFFINITY CORE2 MAX_THREADS=16, kernels CORE2)", host="ipopt")
    assert "--ipopt-blas" in blas.refusal(built_for_one, ROME) and "--peer-coretype" not in blas.refusal(built_for_one, ROME)
    assert "build overlapack with" in blas.refusal(run_of("thread lookahead", DEBIAN.format("Prescott")), SAPPHIRE_RAPIDS)
    assert "--peer-coretype" not in blas.refusal({**prescott, "blas_variables": {"OPENBLAS_CORETYPE": "NONSENSE"}}, SAPPHIRE_RAPIDS)


def test_what_is_named_and_not_refused():
    of_amd = run_of("pardiso", OF_MKL.replace(" 512 (Intel(R) AVX-512)", " 2 (Intel(R) AVX2)"))
    assert blas.refusal(of_amd, SAPPHIRE_RAPIDS) and not blas.refusal(of_amd, {**SAPPHIRE_RAPIDS, "vendor": "AuthenticAMD"})
    for text in ("none", "unknown", DEBIAN.format("Neoversen1")):
        assert not blas.refusal(run_of("klu", text), SAPPHIRE_RAPIDS)
    assert not blas.refusal(run_of("mumps", DEBIAN.format("Prescott")), {"cpu": "AMD EPYC", "cpus": 2})  # of an old store


def test_a_store_keeps_no_run_with_old_kernels_unless_asked(tmp_path):
    old, new = (run_of("mumps", DEBIAN.format(name)) for name in ("Prescott", "SkylakeX"))
    runs = store.Store(tmp_path / "runs.json", machine=SAPPHIRE_RAPIDS)
    with pytest.raises(SystemExit, match="Prescott"):
        runs.add(old)
    assert runs.records == [] and not runs.path.exists()
    runs.add(new)
    runs.add({"peer": "mumps", "status": "timeout"})  # told nothing
    store.Store(machine=SAPPHIRE_RAPIDS, kernels=chosen("--old-kernels")).add(old)


def test_a_store_keeps_runs_of_different_kernels_apart():
    runs = store.Store(machine=ROME)
    runs.add(run_of("mumps", DEBIAN.format("Haswell")))
    runs.add(run_of("lapack", DEBIAN.format("Zen")))
    for other in (run_of("mumps", DEBIAN.format("Zen")), run_of("mumps", DEBIAN.format("Haswell"), blas_variables={"OPENBLAS_CORETYPE": "HASWELL"})):
        with pytest.raises(SystemExit, match="kept runs of mumps"):
            runs.add(other)
    runs.add(run_of("thread flat", DEBIAN.format("Haswell")))
    with pytest.raises(SystemExit, match="kept runs of overlapack"):
        runs.add(run_of("mpi lookahead", DEBIAN.format("Zen")))
    runs.add(run_of("mumps", DEBIAN.format("Zen"), host="ipopt"))  # another program's


def test_a_store_is_continued_on_its_own_processor_alone(tmp_path):
    path, here = tmp_path / "runs.json", store.describe_machine()
    store.Store(path, machine=here).save()
    assert store.Store.open(path, True).machine == here
    for machine in (here | {"model": "another"}, here | {"cpus": here["cpus"] + 1}, {"cpu": here["cpu"], "cpus": here["cpus"]}):
        path.write_text(json.dumps({"machine": machine, "records": []}))
        assert store.Store.open(path, False).machine == machine  # to be read
        with pytest.raises(SystemExit, match="give another file"):
            store.Store.open(path, True)


def test_tables_name_processor_and_kernels():
    assert store.machine_text(SAPPHIRE_RAPIDS) == "Intel Xeon (family 6, model 207, AVX-512), 2 processors"
    assert store.machine_text({"cpu": "AMD EPYC", "cpus": 2}) == "AMD EPYC, 2 processors"
    records = [run_of("thread flat", "OpenBLAS 0.3.34 DYNAMIC_ARCH, kernels SkylakeX"), run_of("mpi split", "OpenBLAS 0.3.34 DYNAMIC_ARCH, kernels SkylakeX"),
               run_of("hpl", DEBIAN.format("SkylakeX"), blas_variables={"OPENBLAS_CORETYPE": "SKYLAKEX"}), run_of("klu", "none"),
               run_of("pardiso", OF_MKL, blas_variables={"OPENBLAS_CORETYPE": "SKYLAKEX"}), {"peer": "mumps", "status": "crashed"}]
    assert blas.summary(records) == ("OpenBLAS 0.3.34, kernels SkylakeX (overlapack); OpenBLAS 0.3.21, kernels SkylakeX by OPENBLAS_CORETYPE (hpl); no BLAS (klu); "
                                     "MKL 2026.0.2, kernels AVX-512 (pardiso)")
    assert blas.text_of({"blas": "libblas.so.3 (unknown)"}) == "unknown BLAS"
    assert blas.summary([{"peer": "mumps", "status": "ok"}, {"peer": "overlapack", "status": "ok"}]) == "kernels not recorded"


def test_rows_that_keep_their_machine_are_told_apart():
    rows = [{"peer": "overlapack"}, run_of("overlapack", DEBIAN.format("Haswell"), machine=ROME), run_of("overlapack", OF_MKL, machine=SAPPHIRE_RAPIDS)]
    assert {about: len(group) for about, group in store.by_machine(rows).items()} == {
        "processor not recorded; kernels not recorded": 1,
        "AMD EPYC (family 23, model 49, AVX2), 2 processors; OpenBLAS 0.3.21, kernels Haswell (overlapack)": 1,
        "Intel Xeon (family 6, model 207, AVX-512), 2 processors; MKL 2026.0.2, kernels AVX-512 (overlapack)": 1}


def test_who_is_ours():
    ours = {s.name for s in [*dense_solvers.own_solvers(["thread", "mpi"], list(dense_solvers.SCHEDULES)), *dense_solvers.PEERS] if s.is_ours}
    told = {s.name for s in [*dense_solvers.own_solvers(["thread", "mpi"], list(dense_solvers.SCHEDULES)), *dense_solvers.PEERS]
            if blas.solver_of({"peer": s.name}) == "overlapack"}
    assert ours == told and "scalapack drop-in" in ours and "hpl" not in ours


def test_a_drop_in_is_not_told_to_have_the_kernels_that_the_command_mends(tmp_path):
    command = tmp_path / "overlapack"
    command.write_text("#!/bin/sh\necho \"{\\\"blas\\\": \\\"$OVERLAPACK_CHOSE_CORETYPE $*\\\"}\"\n")
    command.chmod(0o755)
    started = launch.environment("serial", 1)
    assert blas.of_overlapack(command, started) == " info --json" and blas.of_drop_in(command, started) == "1 info --json"
