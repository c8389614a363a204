"""How notebooks show objects of a graph: HTML for `_repr_html_`."""
