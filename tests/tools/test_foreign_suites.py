"""tools/foreign_suites counts right, and fails where a bar is missed."""
import contextlib
import importlib.machinery
import importlib.util
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

TOOL = Path(__file__).resolve().parents[2] / "tools/foreign_suites"
spec = importlib.util.spec_from_loader("foreign_suites", importlib.machinery.SourceFileLoader("foreign_suites", str(TOOL)))
suites = importlib.util.module_from_spec(spec)
sys.dont_write_bytecode = True  # tools/ stays as it is
spec.loader.exec_module(suites)


def some_suite(result):
    def name():
        if isinstance(result, Exception):
            raise result
        return result

    return name


class ForeignSuites(unittest.TestCase):
    def run_with(self, result, *arguments):
        """Exit code and what is printed, of a suite of 24 tests of which one may fail."""
        printed = io.StringIO()
        with contextlib.ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            for thing, name, value in ((suites, "BARS", {some_suite(result): (23, 1, "one that cannot")}), (suites, "WORK", folder),
                                       (sys, "argv", ["foreign_suites", *arguments])):
                stack.enter_context(mock.patch.object(thing, name, value))
            stack.enter_context(contextlib.redirect_stdout(printed))
            return suites.main(), printed.getvalue()

    def test_pytest_counts(self):
        self.assertEqual(suites.counts("....\n24 passed in 5.36s\n"), (24, 0))
        self.assertEqual(suites.counts("1 failed, 8 passed, 2 skipped, 3 errors in 2s"), (8, 4))
        self.assertEqual(suites.counts("= 979 passed, 42 skipped, 1 error in 2s ="), (979, 1))
        with self.assertRaises(suites.NotHere):
            suites.counts("no tests ran in 0.01s")

    def test_a_bar_is_met_or_missed(self):
        self.assertEqual(self.run_with((23, 1))[0], 0)
        self.assertEqual(self.run_with((24, 0))[0], 0)
        for result in ((22, 1), (23, 2), (0, 0)):
            code, text = self.run_with(result)
            self.assertEqual(code, 1)
            self.assertIn("MISSED", text)

    def test_what_cannot_be_run_is_said_and_fails_where_it_was_asked_for(self):
        reason = suites.NotHere("no network")
        code, text = self.run_with(reason)
        self.assertEqual((code, text), (0, "name: not run: no network\n"))
        self.assertEqual(self.run_with(reason, "name")[0], 1)

    def test_a_suite_that_is_none_is_refused(self):
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
            self.run_with((1, 0), "nmae")


if __name__ == "__main__":
    unittest.main()
