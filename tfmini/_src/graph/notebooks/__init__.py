"""Display of a graph's objects in notebooks: HTML for `_repr_html_`."""
