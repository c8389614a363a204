"""The articles' snippets, with one test file per row."""
