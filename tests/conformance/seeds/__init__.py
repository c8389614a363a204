"""The articles' snippets, one test file a row of what they show."""
