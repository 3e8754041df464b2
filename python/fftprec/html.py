"""Tables and drawings for notebooks."""

import html

from . import _core


def _cell(value):
    return _core.short_number(value, 6) if isinstance(value, float) else str(value)


def table(rows, head=()):
    """An HTML table of rows of cells."""
    lines = [f"<tr>{''.join(f'<{tag}>{html.escape(_cell(cell))}</{tag}>' for cell in row)}</tr>"
             for tag, row in [*(("th", head) for _ in head[:1]), *(("td", row) for row in rows)]]
    return f"<table>{''.join(lines)}</table>"


def preformatted(text):
    return f'<pre style="white-space:pre;overflow-x:auto">{html.escape(text)}</pre>'
