#!/usr/bin/env python3
"""Fail if a page has sentences longer than docs/style.md allows, or one of its banned turns.

    tools/check_prose.py [ROOT]              one line for each fault; exit code 1 if there is any
    tools/check_prose.py [ROOT] --counts     a table: sentences, how many are short, banned turns
    tools/check_prose.py [ROOT] --show PAGE  the page's sentences above its bar and its banned turns

The bar of a page is a number of words. At least 90 % of the page's sentences must have at most so many. Code, tables,
headings and the addresses of links are no sentences. Pages of docs/decisions and docs/lab are records and are not read.
"""
import re
import sys
from pathlib import Path

USER_BAR, BAR = 25, 30
USER_PAGES = ["README.md", "docs/tutorial.md", "docs/choose.md", "docs/howto/*.md"]
PAGES = ["README.md", "CONTRIBUTING.md", "docs/*.md", "docs/howto/*.md"]

# (a pattern in a sentence, what to write instead)
TURNS = [
    (r"^What\b[^?]*$", "a what-clause is no subject: name the thing"),
    (r"^Where\b[^?]*$", "If or When"),
    (r"^Of (?!course\b)", "subject first"),
    (r"\b[Ss]o (?:is|are|does|do|has|have) (?:it|they|the|an?)\b", "subject first"),
    (r"\bbut for\b", "except for"),
    (r"\bwithout a word\b", "automatically, or silently"),
    (r"\b[Ii]nside of\b", "inside"),
    (r"\bto be had\b", "available"),
    (r"\b(?:tells?|told)\b(?! (?:you|it|them)\b)", "says, reports, shows"),
    (r"\bsays? so\b", "reports it, or the words that it says"),
    (r"\b(?:and (?:its|their) kin|and the like|what have you)\b", "the list, or such as"),
    (r"\bis what\b", "name the thing"),
    (r"\b(?:all the same|as it stands|as they stand)\b", "unchanged, nevertheless"),
    (r"\bat hand\b", "available, present, stored"),
]
# (page, words of the sentence) that may keep its turn. At most 20.
WAIVERS = [
]

FENCE = re.compile(r"^( *)```.*?^\1```\s*?$", re.MULTILINE | re.DOTALL)
ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|vs|cf|Fig|no|al)\.$")


def blank(match):
    """Takes text out and leaves the lines, so that a sentence keeps its number of line."""
    return "\n" * match.group().count("\n")


def blocks(text):
    """(line, text) of each paragraph, list item and quotation. A table, a heading or code ends one."""
    text = re.sub(r"<!--.*?-->|<(picture|details)>.*?</\1>", blank, FENCE.sub(blank, text), flags=re.DOTALL)
    found, is_open, is_code = [], False, False
    for number, line in enumerate(text.split("\n"), 1):
        item = re.match(r"\s*(?:[-*+]|\d+\.)\s+", line)
        is_code = line.startswith("    ") and not item and (is_code or not is_open)
        if is_code or not line.strip() or re.match(r"\s*(?:\||#|<|!\[)", line):
            is_open = False
        elif item or not is_open:
            found.append((number, line[item.end():] if item else line))
            is_open = True
        else:
            found[-1] = (found[-1][0], found[-1][1] + "\n" + line)
    return found


def sentences(text):
    """(line, sentence, words of it). Inline code is one word, a link its text."""
    found = []
    for line, block in blocks(text):
        block = re.sub(r"`[^`]*`", lambda m: "Code" + blank(m), block)
        block = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", lambda m: m.group(1) or "link", block)
        pieces, start = [], 0
        for end in re.finditer(r"[.!?][)\"*_]*(?=\s|$)", block):
            if not ABBREVIATION.search(block[:end.start() + 1]):
                pieces.append((start, block[start:end.end()]))
                start = end.end()
        for at, piece in [*pieces, (start, block[start:])]:
            words = [word for word in re.split(r"[\s/]+", piece) if re.search(r"\w", word)]
            if len(words) > 1:
                lead = len(piece) - len(piece.lstrip())
                found.append((line + block.count("\n", 0, at + lead), " ".join(piece.split()).lstrip("*_("), len(words)))
    return found


def reached(lengths):
    """The least number of words that 90 % of the sentences do not exceed."""
    ordered = sorted(lengths)
    return ordered[-(-9 * len(ordered) // 10) - 1] if ordered else 0


def turns(page, found):
    """(line, the turn, what to write)"""
    return [(line, hit.group()[:60], instead) for line, sentence, _ in found for pattern, instead in TURNS
            if (hit := re.search(pattern, sentence)) and not any(p == page and words in sentence for p, words in WAIVERS)]


def check(page, text, is_for_users):
    """The complaints about one page."""
    found = sentences(text)
    bar, most = USER_BAR if is_for_users else BAR, reached([words for *_, words in found])
    complaints = []
    if most > bar:
        complaints.append(f"{page}: 90 % of its sentences have up to {most} words; {bar} are allowed. See --show {page}")
    complaints += [f"{page}:{line}: \"{turn}\": write {instead}" for line, turn, instead in turns(page, found)]
    return complaints


def main(root, *arguments):
    pages = {str(p.relative_to(root)): p.read_text() for pattern in PAGES for p in sorted(root.glob(pattern))}
    for_users = {str(p.relative_to(root)) for pattern in USER_PAGES for p in root.glob(pattern)}
    if arguments[:1] == ("--counts",):
        for page, text in pages.items():
            found = sentences(text)
            lengths, banned = [words for *_, words in found], len(turns(page, found))
            share = 100 * sum(words <= USER_BAR for words in lengths) / max(1, len(lengths))
            print(f"{page:36} {len(lengths):5} sentences, {share:3.0f} % <= {USER_BAR}, 90 % <= {reached(lengths):3}, {banned:3} turns")
        return 0
    if arguments[:1] == ("--show",):
        page, found = arguments[1], sentences(pages[arguments[1]])
        print("\n".join(f"{page}:{line}: {words} words: {sentence[:100]}" for line, sentence, words in found
                        if words > (USER_BAR if page in for_users else BAR)))
        print("\n".join(f"{page}:{line}: \"{turn}\": write {instead}" for line, turn, instead in turns(page, found)))
        return 0
    complaints = [line for page, text in pages.items() for line in check(page, text, page in for_users)]
    complaints += [f"WAIVERS: no sentence of {page} has \"{words}\"" for page, words in WAIVERS
                   if not any(words in sentence for _, sentence, _ in sentences(pages.get(page, "")))]
    complaints += [f"{len(WAIVERS)} waivers; 20 are allowed"] if len(WAIVERS) > 20 else []
    print("\n".join(complaints) or f"{len(pages)} pages are written as docs/style.md says")
    return 1 if complaints else 0


if __name__ == "__main__":
    flags = sys.argv[1:]
    sys.exit(main(Path(flags.pop(0) if flags and not flags[0].startswith("--") else ".").resolve(), *flags))
