"""Reports: verdicts as rows, pages and comparisons."""
