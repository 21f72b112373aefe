"""Tables and pictures for notebooks. They take the colours of the page, light or dark, and load nothing from other places."""
from __future__ import annotations

from html import escape

_CELL = "text-align:left;vertical-align:top;padding:1px 12px 1px 0;border:0;background:none;white-space:normal;max-width:60em"


def rows_as_html(told: dict[str, str]) -> str:
    """A table with a row for each label."""
    rows = "".join(
        f'<tr style="background:none"><th style="{_CELL};font-weight:600">{escape(label)}</th><td style="{_CELL}">{escape(text)}</td></tr>'
        for label, text in told.items()
    )
    return f'<table style="border-collapse:collapse;border:0">{rows}</table>'


def picture_as_html(picture: str) -> str:
    """A picture as SVG, as wide as the page allows."""
    return f'<div style="overflow:auto;border-radius:4px">{picture}</div>' if picture else ""


def page_as_html(title: str, told: dict[str, str], whole: dict[str, str], picture: str = "") -> str:
    """The most important figures, a picture as SVG, and all figures behind a click."""
    heading = f'<div style="font-weight:600">{escape(title)}</div>'
    details = f'<details><summary style="cursor:pointer">all {len(whole)} entries</summary>{rows_as_html(whole)}</details>'
    return f"<div>{heading}{rows_as_html(told)}{picture_as_html(picture)}{details}</div>"
