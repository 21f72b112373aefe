"""check_prose.py finds long sentences and banned turns, passes over what is no sentence, and lets no page get worse."""
import contextlib
import importlib.util
import io
import tempfile
import unittest
from pathlib import Path
from unittest import mock

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "check_prose.py"
spec = importlib.util.spec_from_file_location("check_prose", SCRIPT)
check_prose = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_prose)

LONG = "word " * 27 + "end.\n"  # 28 words: too long for README.md, not for a reference page
SHORT = "A short sentence.\n"


class CheckProse(unittest.TestCase):
    def run_on(self, pages, waivers=[]):
        """(exit code, the lines it prints) for a tree of these pages."""
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as printed, \
                mock.patch.object(check_prose, "WAIVERS", waivers):
            for name, text in pages.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            code = check_prose.main(Path(folder))
        return code, printed.getvalue().splitlines()

    def assert_fails(self, result, *parts):
        code, lines = result
        self.assertEqual((code, len(lines)), (1, len(parts)), lines)
        for line, part in zip(lines, parts):
            self.assertIn(part, line)

    def test_length_has_a_bar_for_user_pages_and_one_for_others(self):
        self.assert_fails(self.run_on({"README.md": LONG}), "README.md: 90 % of its sentences have up to 28 words; 25 are")
        self.assertEqual(self.run_on({"docs/dense.md": LONG})[0], 0)
        self.assert_fails(self.run_on({"docs/dense.md": "more and more " + LONG}), "31 words; 30 are")

    def test_one_sentence_in_ten_may_be_longer(self):
        self.assertEqual(self.run_on({"README.md": 9 * SHORT + LONG})[0], 0)
        self.assert_fails(self.run_on({"README.md": 8 * SHORT + LONG}), "28 words")

    def test_what_is_no_sentence(self):
        for text in ("```text\n" + LONG + "```\n", "| " + LONG.strip() + " |\n", "# " + LONG, "<!-- " + LONG + "-->\n",
                     "`" + LONG.strip() + "` is code.\n", "See [a page](" + LONG.strip().replace(" ", "-") + ").\n",
                     "Code:\n\n    " + LONG):
            with self.subTest(text[:12]):
                self.assertEqual(self.run_on({"README.md": text})[0], 0)

    def test_what_ends_a_sentence(self):
        half = "word " * 14
        for text in (half + "end. " + half + "end.", "- " + half + "\n- " + half, half + "\n\n" + half,
                     half + "is it?) " + half, half + "\n\n| a | b |\n\n" + half, half + "\n```\nx\n```\n" + half):
            self.assertEqual(self.run_on({"README.md": text})[0], 0, text)
        for text in (half + "e.g. " + half, half + "\n" + half, "- " + half + "\n  " + half, half + "1.5 " + half):
            self.assertEqual(self.run_on({"README.md": text})[0], 1, text)

    def test_turns(self):
        for turn in ("What counts is the time.", "Where it fails, stop.", "Of these matrices one is best.", "So is it here.",
                     "All but for one.", "It works without a word.", "Look inside of it.", "It is not to be had.",
                     "The report tells how.", "If it fails it says so.", "CG and its kin.", "This is what it does.",
                     "It runs all the same.", "The matrix at hand."):
            self.assert_fails(self.run_on({"README.md": "Good.\n\nA start. " + turn + "\n"}), "README.md:3: ")
        for fine in ("What does it cost?", "It tells you the time.", "So it is.", "`told`", "```\nwithout a word\n```"):
            self.assertEqual(self.run_on({"README.md": fine + "\n"})[0], 0, fine)

    def test_waivers(self):
        page, waiver = {"README.md": "What counts is time.\n"}, ("README.md", "counts is time")
        self.assertEqual(self.run_on(page, waivers=[waiver])[0], 0)
        self.assert_fails(self.run_on({"README.md": SHORT}, waivers=[waiver]), "no sentence of README.md")
        self.assert_fails(self.run_on(page, waivers=21 * [waiver]), "21 waivers")


if __name__ == "__main__":
    unittest.main()
