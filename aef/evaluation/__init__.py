"""How much was hidden of what must be: figures, the benchmark's measures, clusters, folds, calibration."""
