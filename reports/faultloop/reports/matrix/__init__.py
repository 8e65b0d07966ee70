"""The matrix of many subjects: promises as rows, subjects as columns, from the reports of cells.

cells/*/ (report directories) -> `table` (pure) -> `pages` (matrix.md), `overview` (matrix.html)
"""
