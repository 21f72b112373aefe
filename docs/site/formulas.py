"""What docs/site.yml asks for a block ```math: a formula in LaTeX as MathML, which needs no script and nothing from elsewhere."""
from latex2mathml.converter import convert


def block(source, language, css_class, options, md, **more):
    """A fence of pymdownx.superfences."""
    return f'<div class="{css_class}">{convert(source.strip(), display="block")}</div>'
