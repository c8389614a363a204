"""Building blocks of fusion passes on hosts and devices: groups of nodes, their steps, and their evaluation."""
