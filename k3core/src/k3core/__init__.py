"""The mechanisms of Kimi K3 as readable NumPy functions."""
