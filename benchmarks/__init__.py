"""Speed and memory beside what people use otherwise, measured side by side in one run: ``python -m aef.benchmarks``."""
