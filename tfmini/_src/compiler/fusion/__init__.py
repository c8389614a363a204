"""Building blocks of the fusion passes of hosts and devices: groups of nodes, their steps, and their evaluation."""
